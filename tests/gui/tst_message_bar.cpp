// The bar of messages: one message of each cause, in a line whose order is their urgency. Nothing but its own
// cause, its Close or a newer one of the same cause takes a message away.
#include <QAccessible>
#include <QTest>
#include <QToolButton>

#include "gui/parts/message_bar.h"
#include "support/window_bench.h"
#include "widgets/session/session.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Kind = MessageBar::Kind;

QToolButton* button(MessageBar& bar, const QString& text) {
  for (auto* one : bar.findChildren<QToolButton*>())
    if (one->text().startsWith(text) && one->isVisible()) return one;
  return nullptr;
}

}  // namespace

class TestMessageBar : public QObject {
  Q_OBJECT

 private slots:
  void problemsComeFirstThenTheNewest() {
    MessageBar bar;
    bar.say(MessageCause::kChat, {Kind::kNotice, "imported"});
    QVERIFY(bar.isVisible() && button(bar, "Next") == nullptr);
    bar.say(MessageCause::kChatsFile, {Kind::kError, "not kept"});
    QCOMPARE(bar.text(), QString("not kept"));
    bar.say(MessageCause::kDraft, {Kind::kNotice, "drafts"});
    QCOMPARE(bar.text(), QString("not kept"));  // the notice waits
    bar.say(MessageCause::kMachine, {Kind::kError, "a step failed", "Reset it."});
    QCOMPARE(bar.text(), QString("a step failed\nReset it."));
    QCOMPARE(bar.count(), 4);
    QStringList read;
    for (int i = 0; i < 5; ++i) {
      read << bar.text().section('\n', 0, 0);
      QTest::mouseClick(button(bar, "Next"), Qt::LeftButton);
    }
    QCOMPARE(read, QStringList({"a step failed", "not kept", "drafts", "imported", "a step failed"}));
  }

  void eachCauseHasOneMessage() {
    MessageBar bar;
    bar.say(MessageCause::kOpening, {Kind::kError, "no such model"});
    bar.say(MessageCause::kOpening, {Kind::kNotice, "the built-in model is open"});
    QCOMPARE(bar.count(), 1);
    QCOMPARE(bar.text(), QString("the built-in model is open"));
    QCOMPARE(bar.textOf(MessageCause::kOpening), bar.text());
    QCOMPARE(bar.textOf(MessageCause::kChat), QString());
  }

  void onlyItsOwnCauseEndsAMessage() {
    MessageBar bar;
    bar.say(MessageCause::kChatsFile, {Kind::kError, "not kept"});
    bar.say(MessageCause::kOpening, {Kind::kError, "no such model"});
    bar.end(MessageCause::kMachine);
    QCOMPARE(bar.count(), 2);
    bar.end(MessageCause::kOpening);
    QCOMPARE(bar.text(), QString("not kept"));
    bar.say(MessageCause::kDraft, {Kind::kNotice, "drafts"});
    bar.end(MessageCause::kDraft);  // it was not the one shown
    QCOMPARE(bar.text(), QString("not kept"));
    bar.end(MessageCause::kChatsFile);
    QVERIFY(!bar.isVisible() && bar.text().isEmpty());
  }

  void closeTakesTheOneThatIsShown() {
    MessageBar bar;
    bar.say(MessageCause::kChat, {Kind::kNotice, "imported"});
    bar.say(MessageCause::kChatsFile, {Kind::kError, "not kept"});
    bar.say(MessageCause::kMachine, {Kind::kError, "a step failed"});
    QTest::mouseClick(button(bar, "Close"), Qt::LeftButton);
    QCOMPARE(bar.text(), QString("not kept"));  // the most urgent of the others
    QTest::mouseClick(button(bar, "Close"), Qt::LeftButton);
    QCOMPARE(bar.text(), QString("imported"));
    QTest::keyClick(&bar, Qt::Key_Escape);
    QVERIFY(!bar.isVisible());
    bar.say(MessageCause::kDraft, {Kind::kNotice, "drafts"});  // nothing that was closed comes back
    QCOMPARE(bar.count(), 1);
  }

  // What is done may say something new of the same cause, which is then shown, urgent or not.
  void anActionIsOfItsMessage() {
    MessageBar bar;
    int tries = 0;
    bar.say(MessageCause::kChatsFile, {Kind::kError, "not kept", {}, "Try again", [&] {
                                         ++tries;
                                         bar.say(MessageCause::kChatsFile, {Kind::kNotice, "kept again"});
                                       }});
    bar.say(MessageCause::kOpening, {Kind::kError, "no such model"});
    QVERIFY(button(bar, "Try again") == nullptr);
    QTest::mouseClick(button(bar, "Next"), Qt::LeftButton);
    QTest::mouseClick(button(bar, "Try again"), Qt::LeftButton);
    QCOMPARE(tries, 1);
    QCOMPARE(bar.text(), QString("kept again"));
    QCOMPARE(bar.count(), 2);
    bar.closeAll();
    bar.say(MessageCause::kDraft, {Kind::kNotice, "drafted last time", {}, "Use it again", [] {}});
    QTest::mouseClick(button(bar, "Use it again"), Qt::LeftButton);
    QVERIFY(!bar.isVisible());
  }

  void theLineIsReadOutAndReachedByKeys() {
    QWidget window;
    MessageBar bar(&window);
    bar.say(MessageCause::kChat, {Kind::kNotice, "imported"});
    bar.say(MessageCause::kChatsFile, {Kind::kError, "not kept"});
    window.show();
    QToolButton* const next = button(bar, "Next");
    QVERIFY(next != nullptr);
    QCOMPARE(next->text(), QString("Next 1/2"));
    QCOMPARE(QAccessible::queryAccessibleInterface(next)->text(QAccessible::Name),
             QString("Message 1 of 2: show the next"));
    QVERIFY(next->focusPolicy() & Qt::TabFocus);
    next->setFocus();
    QTest::keyClick(next, Qt::Key_Space);
    QCOMPARE(bar.text(), QString("imported"));
    QCOMPARE(next->text(), QString("Next 2/2"));
  }

  // What a run had to say ends with it, and nothing else does.
  void aNewRunEndsWhatWasSaidOfTheOneBefore() {
    Session session;
    MessageBar bar;
    bar.follow(session);
    emit session.engineFailed("internal", "a step failed", {});
    emit session.recordingInMemory("The disk is full.");
    emit session.pastUnreadable("a part is lost", {});
    for (const MessageCause cause : {MessageCause::kOpened, MessageCause::kBuiltinInstead,
                                     MessageCause::kTemplate, MessageCause::kUnused})
      bar.say(cause, {Kind::kNotice, "of what is open"});
    bar.say(MessageCause::kChatsFile, {Kind::kError, "not kept"});
    QCOMPARE(bar.count(), 8);
    emit session.runStarted();
    QCOMPARE(bar.count(), 1);
    QCOMPARE(bar.text(), QString("not kept"));
  }
};

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"

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
    bar.say(MessageCause::kChat, {Notice::kNote, "imported"});
    QVERIFY(bar.isVisible() && button(bar, "Next") == nullptr);
    bar.say(MessageCause::kChatsFile, {Notice::kProblem, "not kept"});
    QCOMPARE(bar.text(), QString("not kept"));
    bar.say(MessageCause::kDraft, {Notice::kNote, "drafts"});
    QCOMPARE(bar.text(), QString("not kept"));  // the notice waits
    bar.say(MessageCause::kMachine, {Notice::kProblem, "a step failed", "Reset it."});
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
    bar.say(MessageCause::kOpening, {Notice::kProblem, "no such model"});
    bar.say(MessageCause::kOpening, {Notice::kNote, "the built-in model is open"});
    QCOMPARE(bar.count(), 1);
    QCOMPARE(bar.text(), QString("the built-in model is open"));
    QCOMPARE(bar.textOf(MessageCause::kOpening), bar.text());
    QCOMPARE(bar.textOf(MessageCause::kChat), QString());
  }

  void onlyItsOwnCauseEndsAMessage() {
    MessageBar bar;
    bar.say(MessageCause::kChatsFile, {Notice::kProblem, "not kept"});
    bar.say(MessageCause::kOpening, {Notice::kProblem, "no such model"});
    bar.end(MessageCause::kMachine);
    QCOMPARE(bar.count(), 2);
    bar.end(MessageCause::kOpening);
    QCOMPARE(bar.text(), QString("not kept"));
    bar.say(MessageCause::kDraft, {Notice::kNote, "drafts"});
    bar.end(MessageCause::kDraft);  // it was not the one shown
    QCOMPARE(bar.text(), QString("not kept"));
    bar.end(MessageCause::kChatsFile);
    QVERIFY(!bar.isVisible() && bar.text().isEmpty());
  }

  void closeTakesTheOneThatIsShown() {
    MessageBar bar;
    bar.say(MessageCause::kChat, {Notice::kNote, "imported"});
    bar.say(MessageCause::kChatsFile, {Notice::kProblem, "not kept"});
    bar.say(MessageCause::kMachine, {Notice::kProblem, "a step failed"});
    QTest::mouseClick(button(bar, "Close"), Qt::LeftButton);
    QCOMPARE(bar.text(), QString("not kept"));  // the most urgent of the others
    QTest::mouseClick(button(bar, "Close"), Qt::LeftButton);
    QCOMPARE(bar.text(), QString("imported"));
    QTest::keyClick(&bar, Qt::Key_Escape);
    QVERIFY(!bar.isVisible());
    bar.say(MessageCause::kDraft, {Notice::kNote, "drafts"});  // nothing that was closed comes back
    QCOMPARE(bar.count(), 1);
  }

  // What is done may say something new of the same cause, which is then shown, urgent or not.
  void anActionIsOfItsMessage() {
    MessageBar bar;
    int tries = 0;
    bar.say(MessageCause::kChatsFile, {Notice::kProblem, "not kept", {}, {}, "Try again", [&] {
                                         ++tries;
                                         bar.say(MessageCause::kChatsFile, {Notice::kNote, "kept again"});
                                       }});
    bar.say(MessageCause::kOpening, {Notice::kProblem, "no such model"});
    QVERIFY(button(bar, "Try again") == nullptr);
    QTest::mouseClick(button(bar, "Next"), Qt::LeftButton);
    QTest::mouseClick(button(bar, "Try again"), Qt::LeftButton);
    QCOMPARE(tries, 1);
    QCOMPARE(bar.text(), QString("kept again"));
    QCOMPARE(bar.count(), 2);
    bar.closeAll();
    bar.say(MessageCause::kDraft, {Notice::kNote, "drafted last time", {}, {}, "Use it again", [] {}});
    QTest::mouseClick(button(bar, "Use it again"), Qt::LeftButton);
    QVERIFY(!bar.isVisible());
  }

  // The user has cancelled it, so there is nothing to say.
  void aCancelledLoadIsNotSaid() {
    MessageBar bar;
    bar.say(MessageCause::kOpening, noticeOf(ErrorCode::kCancelled, "cancelled", {}));
    QVERIFY(!bar.isVisible() && bar.codes().isEmpty());
    bar.say(MessageCause::kOpening, noticeOf(EngineError(ErrorCode::kIo, "full", "Free space.")));
    QCOMPARE(bar.text(), QString("full\nFree space."));
    bar.say(MessageCause::kOpening, Notice::problem("of no engine", {}));
    QCOMPARE(bar.codes(), QStringList("io"));
  }

  void theLineIsReadOutAndReachedByKeys() {
    QWidget window;
    MessageBar bar(&window);
    bar.say(MessageCause::kChat, {Notice::kNote, "imported"});
    bar.say(MessageCause::kChatsFile, {Notice::kProblem, "not kept"});
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
      bar.say(cause, {Notice::kNote, "of what is open"});
    bar.say(MessageCause::kChatsFile, {Notice::kProblem, "not kept"});
    QCOMPARE(bar.count(), 8);
    emit session.runStarted();
    QCOMPARE(bar.count(), 1);
    QCOMPARE(bar.text(), QString("not kept"));
  }
};

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"

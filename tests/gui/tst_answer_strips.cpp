// Chats that are answered out of sight: a line for each over the input, with real clicks in the window.
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "gui/answers/answer_strips.h"
#include "gui/chat/chats.h"
#include "support/chat_window.h"
#include "widgets/conversation/chat_words.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(120) {}
  AnswerStrips& strips() { return *window.findChild<AnswerStrips*>(); }
  // Asks in a new chat, which is then out of sight.
  bool askAside(const QString& text) {
    const bool asked = askAndHold(text);
    window.chats().controller().startAnew();
    return asked;
  }
  template <class Part>
  std::vector<Part*> parts(const QString& name) {
    std::vector<Part*> found;
    for (Part* part : strips().findChildren<Part*>())
      if (part->isVisible() && part->accessibleName().startsWith(name)) found.push_back(part);
    return found;
  }
  std::vector<QToolButton*> titles() { return parts<QToolButton>("Show the chat"); }
  std::vector<QToolButton*> stops() { return parts<QToolButton>("Stop the answer"); }
  QStringList words() {
    QStringList texts;
    for (const QLabel* label : strips().findChildren<QLabel*>())
      if (label->isVisible() && !label->text().isEmpty()) texts << label->text();
    return texts;
  }
  MessageState stateOf(ChatId chat) { return desk().history().chat(chat)->messages.back().state; }
};

}  // namespace

class TestAnswerStrips : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aLineSaysHowFarTheAnswerIs() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("Tell me of A&B"));
    const ChatId first = w.desk().shown();
    QCoreApplication::processEvents();
    QVERIFY(!w.strips().isVisible());  // the chat shown has its answer in sight
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(w.titles().size(), std::size_t{1}, kPatience);
    QCOMPARE(w.titles()[0]->text(), QString("Tell me of A&&B"));
    QVERIFY(w.stepTimes(4));
    // As the live machine has it, and in the words of the answer's own line.
    const SequenceState& sequence =
        w.live().sequences.at(w.live().requests.begin()->second.sequences.front());
    const int written = static_cast<int>(sequence.tokens.size()) - sequence.promptTokens;
    QVERIFY(written > 1);
    const QString counted = writingNote({.writtenTokens = written}, false);
    QTRY_VERIFY2_WITH_TIMEOUT(w.words().join(' ').startsWith(counted), qPrintable(w.words().join(' ')),
                              kPatience);
    QVERIFY2(w.words().join(' ').contains("tok/s"), qPrintable(w.words().join(' ')));
    if (!qEnvironmentVariableIsEmpty("VITRINE_PICTURES"))
      w.window.grab().save(qEnvironmentVariable("VITRINE_PICTURES") + "/strip.png");
    QTest::mouseClick(w.titles()[0], Qt::LeftButton);
    QCOMPARE(w.desk().shown(), first);
    QVERIFY(w.input()->hasFocus());
    QTRY_VERIFY_WITH_TIMEOUT(!w.strips().isVisible(), kPatience);
    w.window.run();
    QVERIFY(w.answered(2));
  }

  void stopEndsTheAnswerAndHoldsWhatWaits() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("one"));
    w.ask("later");
    const ChatId first = w.desk().shown();
    w.window.chats().controller().startAnew();
    QVERIFY(w.askAndHold("two"));
    const ChatId second = w.desk().shown();
    QTRY_COMPARE_WITH_TIMEOUT(w.stops().size(), std::size_t{1}, kPatience);
    QTest::mouseClick(w.stops()[0], Qt::LeftButton);
    QVERIFY(w.input()->hasFocus());
    w.window.run();
    QVERIFY(w.answered(2));
    QCOMPARE(w.stateOf(first), MessageState::kStopped);
    QCOMPARE(w.stateOf(second), MessageState::kComplete);
    QVERIFY(w.window.chats().controller().waiting().isHeld(first));
    QTRY_VERIFY_WITH_TIMEOUT(!w.strips().isVisible(), kPatience);
  }

  void manyChatsTakeFourLines() {
    Window w;
    QVERIFY(w.openModel());
    for (const char* text : {"one", "two", "three", "four", "five", "six"}) QVERIFY(w.askAside(text));
    QTRY_COMPARE_WITH_TIMEOUT(w.titles().size(), std::size_t{AnswerStrips::kMostStrips}, kPatience);
    QTRY_VERIFY2_WITH_TIMEOUT(w.words().contains("and 2 more"), qPrintable(w.words().join('|')), kPatience);
    for (int i = 0; i < AnswerStrips::kMostStrips; ++i)
      QCOMPARE(w.titles()[static_cast<std::size_t>(i)]->text(),
               QStringList({"one", "two", "three", "four"})[i]);
    if (!qEnvironmentVariableIsEmpty("VITRINE_PICTURES"))
      w.window.grab().save(qEnvironmentVariable("VITRINE_PICTURES") + "/strips.png");
    // Shown, the first leaves the lines, and the fifth takes the room that it left.
    QTest::mouseClick(w.titles()[0], Qt::LeftButton);
    QTRY_VERIFY2_WITH_TIMEOUT(w.words().contains("and 1 more"), qPrintable(w.words().join('|')), kPatience);
    QCOMPARE(w.titles().back()->text(), QString("five"));
    w.window.run();
    QVERIFY(waitUntil([&] { return w.isIdle(); }));
    QTRY_VERIFY_WITH_TIMEOUT(!w.strips().isVisible(), kPatience);
  }

  void aRemovedChatIsNotAnsweredOn() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAside("one"));
    QTRY_COMPARE_WITH_TIMEOUT(w.titles().size(), std::size_t{1}, kPatience);
    const ChatId chat = w.desk().history().chats().front().id;
    w.desk().remove({chat});
    QTRY_VERIFY_WITH_TIMEOUT(!w.strips().isVisible(), kPatience);
    QCOMPARE(w.stateOf(chat), MessageState::kStopped);
  }
};

QTEST_MAIN(TestAnswerStrips)
#include "tst_answer_strips.moc"

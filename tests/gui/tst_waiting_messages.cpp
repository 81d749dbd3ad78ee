// Messages that are written while a chat is answered, in the window with real keys and clicks: they wait, are
// sent one after another, can be taken back, and are held when the answer is stopped.
#include "gui/turns/waiting_messages.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "gui/chat/chats.h"
#include "support/chat_window.h"
#include "vitrine/tokenizer.h"
#include "widgets/chat/chat_view.h"
#include "widgets/sampler/sampler_controls.h"
#include "widgets/support/eliding_label.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file = {}) : ChatWindow(16, file) {}
  WaitingMessages& waiting() { return window.chats().controller().waiting(); }
  WaitingList& list() { return *window.findChild<WaitingList*>(); }
  QStringList waits() {
    QStringList texts;
    for (const WaitingMessage& message : waiting().of(desk().shown())) texts << message.text;
    return texts;
  }
  // What the list shows.
  QStringList rows() {
    QStringList texts;
    for (const auto* label : list().findChildren<ElidingLabel*>())
      if (label->isVisible() && label->accessibleName().startsWith("Waits")) texts << label->text();
    return texts;
  }
  bool press(const QString& text, int which = 0) {
    QCoreApplication::processEvents();  // the rows have their places
    std::vector<QAbstractButton*> buttons;
    for (auto* button : list().findChildren<QAbstractButton*>())
      if (button->isVisible() && button->text() == text) buttons.push_back(button);
    if (static_cast<int>(buttons.size()) <= which) return false;
    QTest::mouseClick(buttons[static_cast<std::size_t>(which)], Qt::LeftButton);
    return true;
  }
};

}  // namespace

class TestWaitingMessages : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void theyAreSentOneAfterAnother() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(!w.list().isVisible());
    QVERIFY(w.askAndHold("one"));
    w.ask("two");
    QTest::keyClicks(w.input(), "three");
    for (auto* button : w.window.panels().chat->findChildren<QPushButton*>())
      if (button->text() == "Send next" && button->isVisible()) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(w.input()->toPlainText(), QString());
    QCOMPARE(w.waits(), (QStringList{"two", "three"}));
    QTRY_COMPARE(w.rows(), (QStringList{"two", "three"}));
    QCOMPARE(w.chat().rowCount(), 2);
    w.window.run();
    QVERIFY(w.answered(6));
    QCOMPARE(w.chat().at(2).text, QString("two"));
    QCOMPARE(w.chat().at(4).text, QString("three"));
    QVERIFY(w.waits().isEmpty());
    QVERIFY(!w.list().isVisible());
    // Each was asked after the answer before it, which its prompt has.
    const auto tokenizer = loadTokenizer(builtinModelDirectory());
    QCOMPARE(w.live().requests.size(), 3u);
    const auto& last = w.live().sequences.at(w.live().requests.rbegin()->second.sequences.front());
    const QString prompt = QString::fromStdString(
        tokenizer->decode(std::span(last.tokens).first(static_cast<std::size_t>(last.promptTokens)), false));
    for (const int row : {1, 3}) {
      QVERIFY(!w.chat().at(row).text.isEmpty());
      QVERIFY2(prompt.contains(w.chat().at(row).text.trimmed()), qPrintable(prompt));
    }
  }

  void oneIsEditedAndOneRemoved() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("one"));
    w.ask("two");
    w.ask("three");
    w.ask("four");
    QVERIFY(w.press("Remove", 1));
    QCOMPARE(w.waits(), (QStringList{"two", "four"}));
    QTest::keyClicks(w.input(), "since");
    QVERIFY(w.press("Edit"));
    QCOMPARE(w.input()->toPlainText(), QString("two\nsince"));
    QVERIFY(w.input()->hasFocus());
    QCOMPARE(w.waits(), QStringList{"four"});
    QTRY_COMPARE(w.rows(), QStringList{"four"});
    QVERIFY(w.press("Remove"));
    QVERIFY(!w.list().isVisible());
    w.window.run();
    QVERIFY(w.answered(2));
    QVERIFY(waitUntil([&] { return w.isPaused(); }));
    QCOMPARE(w.chat().rowCount(), 2);
  }

  void stopHoldsThem() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("one"));
    w.ask("two");
    w.ask("three");
    QVERIFY(!w.press("Send now"));
    QTest::keyClick(w.input(), Qt::Key_Escape);
    w.window.run();
    QVERIFY(waitUntil([&] { return !w.chat().isAnswering() && w.isPaused(); }));
    QCOMPARE(w.chat().rowCount(), 2);
    QCOMPARE(w.chat().at(1).status, AnswerStatus::kStopped);
    QCOMPARE(w.rows(), (QStringList{"two", "three"}));
    w.ask("meanwhile");  // it is sent at once
    QVERIFY(w.answered(4));
    QVERIFY(waitUntil([&] { return w.isPaused(); }));
    QCOMPARE(w.waits(), (QStringList{"two", "three"}));
    QVERIFY(w.press("Send now"));
    QVERIFY(w.answered(8));
    QCOMPARE(w.chat().at(4).text, QString("two"));
    QCOMPARE(w.chat().at(6).text, QString("three"));
  }

  void eachChatHasItsOwn() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("one"));
    w.ask("two");
    const ChatId first = w.desk().shown();
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!w.list().isVisible());
    QVERIFY(w.waits().isEmpty());
    QVERIFY(w.desk().open(first));
    QTRY_COMPARE(w.rows(), QStringList{"two"});
    w.window.chats().controller().startAnew();
    w.ask("Hello!");  // and the first chat is answered and asked out of sight
    QVERIFY(w.answered(2));
    const auto messages = [&] { return w.desk().history().chat(first)->messages; };
    QVERIFY(waitUntil(
        [&] { return messages().size() == 4 && messages().back().state == MessageState::kComplete; }));
    QCOMPARE(messages()[2].text, QString("two"));
    QVERIFY(w.waiting().of(first).empty());
    QCOMPARE(w.chat().rowCount(), 2);  // the chat in sight is the other one
    QVERIFY(w.desk().open(first));
    QCOMPARE(w.chat().rowCount(), 4);
    QVERIFY(!w.chat().at(3).text.isEmpty());
  }

  // They come back in their order, with their files, and wait for a person.
  void theNextRunOfTheProgramHasThem() {
    QTemporaryDir folder;
    const QString file = folder.filePath("chats.db");
    const QString withFile = questionText({{{"notes.txt", "A fox lives here."}}, "three"});
    ChatId first = 0, second = 0;
    {
      Window w(file);
      QVERIFY(w.openModel());
      QVERIFY(w.askAndHold("one"));
      first = w.desk().shown();
      w.ask("two");
      w.window.chats().controller().files().attach(
          first, std::vector<QuestionFile>{{"notes.txt", "A fox lives here."}});
      w.ask("three");
      w.ask("four");
      QVERIFY(w.press("Remove", 2));
      second = w.desk().history().createChat();
      w.waiting().putBack(second, "and then");
    }
    Window w(file);
    QVERIFY(w.openModel());
    w.window.run();
    QVERIFY(w.desk().open(first));
    QCOMPARE(w.waits(), (QStringList{"two", withFile}));
    QVERIFY(w.waiting().isHeld(first) && w.waiting().isHeld(second));
    QTRY_COMPARE(w.rows().size(), 2);
    QCOMPARE(w.chat().rowCount(), 2);
    QVERIFY(w.press("Send now"));
    QVERIFY(w.answered(6));
    QCOMPARE(w.chat().at(2).text, QString("two"));
    QCOMPARE(w.chat().at(4).text, withFile);
    QVERIFY(w.desk().history().waiting(first).isEmpty());
    QCOMPARE(w.desk().history().waiting(second), QStringList{"and then"});
    QVERIFY(w.desk().history().chat(second)->messages.empty());
  }

  // One that is on its way to the engine is kept until the engine has it.
  void oneThatIsSentIsKeptUntilItIsTaken() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("one"));
    const ChatId chat = w.desk().shown();
    w.ask("two");
    QStringList onTheWay;
    QObject::connect(&w.waiting(), &WaitingMessages::due, &w.window, [&](ChatId, const QString& text) {
      if (text != "two") return;
      w.waiting().add(chat, "three");  // what waits is written anew meanwhile
      onTheWay = w.desk().history().waiting(chat);
    });
    w.window.run();
    QVERIFY(w.answered(6));
    QCOMPARE(onTheWay, (QStringList{"two", "three"}));
    QVERIFY(w.desk().history().waiting(chat).isEmpty());
  }

  // Nothing is lost with the machine that would have answered.
  void anotherMachineHoldsThem() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("one"));
    w.ask("two");
    w.window.reset();
    QVERIFY(waitUntil([&] { return w.waiting().isHeld(w.desk().shown()) && w.isPaused(); }));
    QCOMPARE(w.waits(), QStringList{"two"});
    w.window.host().close();
    QVERIFY(waitForMode(w.window, MachineMode::kEmpty));
    QVERIFY(w.press("Send now"));
    QTRY_COMPARE_WITH_TIMEOUT(w.input()->toPlainText(), QString("two"), kPatience);
    QVERIFY(w.waits().isEmpty());
    QVERIFY(!w.chat().isAnswering());
    const ChatId chat = w.desk().shown();  // what failed left nothing but the text in the input
    QVERIFY(!w.window.chats().controller().answers().pending().has(chat));
    QVERIFY(w.desk().history().waiting(chat).isEmpty());
  }
};

QTEST_MAIN(TestWaitingMessages)
#include "tst_waiting_messages.moc"

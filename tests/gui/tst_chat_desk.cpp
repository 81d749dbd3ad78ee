// Chats that are kept, in the window, with real keys and clicks: they come back in the next window, a
// question is changed, another answer asked for, two chats are answered at once, and search finds an old one.
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "desk/chat_list_model.h"
#include "desk/chat_list_view.h"
#include "gui/chat/chat_importing.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "support/chat_window.h"
#include "vitrine/files.h"
#include "widgets/chat/chat_view.h"
#include "widgets/chat/context_meter.h"
#include "widgets/chat/find_bar.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/conversation/conversation_search.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file) : ChatWindow(24, file) {}
  QListView* list() { return window.chats().list().list(); }
  int chats() {
    int count = 0;
    for (int i = 0; i < list()->model()->rowCount(); ++i)
      count += list()->model()->index(i, 0).data(ChatListModel::kIsHeading).toBool() ? 0 : 1;
    return count;
  }
};

}  // namespace

class TestChatDesk : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;
  QString file(const char* name) { return m_folder.filePath(QLatin1String(name)); }

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void aChatComesBack() {
    QString answer;
    {
      Window w(file("kept.db"));
      QVERIFY(w.openModel());
      QVERIFY(w.list()->isVisible() || w.chats() == 0);
      w.ask("Hello!");
      QVERIFY(w.answered(2));
      answer = w.chat().at(1).text;
      QTRY_COMPARE(w.chats(), 1);
      QTest::keyClicks(w.input(), "half a thought");
      w.window.close();
    }
    Window w(file("kept.db"));
    QVERIFY(w.openModel());
    QCOMPARE(w.chat().rowCount(), 0);
    QTRY_COMPARE(w.chats(), 1);
    QTest::mouseClick(w.list()->viewport(), Qt::LeftButton, {},
                      w.list()->visualRect(w.list()->model()->index(1, 0)).center());
    QCOMPARE(w.chat().rowCount(), 2);
    QCOMPARE(w.chat().at(0).text, QString("Hello!"));
    QCOMPARE(w.chat().at(1).text, answer);
    QCOMPARE(w.chat().at(1).status, AnswerStatus::kDone);
    QCOMPARE(w.input()->toPlainText(), QString("half a thought"));
    w.input()->clear();
    w.ask("Go on.");
    QVERIFY(w.answered(4));
    QCOMPARE(w.chats(), 1);
  }

  void aQuestionIsChanged() {
    Window w(file("edit.db"));
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const QString first = w.chat().at(1).text;
    QVERIFY(w.press("Edit"));
    QCOMPARE(w.input()->toPlainText(), QString("Hello!"));
    QTest::keyClick(w.input(), Qt::Key_Escape);  // and back
    QCOMPARE(w.input()->toPlainText(), QString());
    QVERIFY(w.press("Edit"));
    w.input()->clear();
    w.ask("What is a token?");
    QVERIFY(w.answered(2));
    QCOMPARE(w.chat().at(0).text, QString("What is a token?"));
    QCOMPARE(w.chat().at(0).variants, 2);
    QVERIFY(w.chat().at(1).text != first);
    QVERIFY(w.press(QStringLiteral("‹")));
    QTRY_COMPARE(w.chat().at(0).text, QString("Hello!"));
    QCOMPARE(w.chat().at(1).text, first);
    QVERIFY(w.press(QStringLiteral("›")));
    QTRY_COMPARE(w.chat().at(0).text, QString("What is a token?"));
  }

  void anotherAnswer() {
    Window w(file("again.db"));
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const qint64 first = w.chat().at(1).message;
    const QString text = w.chat().at(1).text;
    QVERIFY(w.press("Again"));
    QVERIFY(waitUntil([&] { return w.chat().rowCount() == 2 && w.chat().at(1).variants == 2; }));
    QVERIFY(w.answered(2));
    QVERIFY(w.chat().at(1).message != first);
    QCOMPARE(w.chat().at(1).text, text);  // greedy
    QVERIFY(w.press(QStringLiteral("‹")));
    QTRY_COMPARE(w.chat().at(1).message, first);
  }

  void twoChatsAreAnsweredAtOnce() {
    Window w(file("two.db"));
    QVERIFY(w.openModel());
    w.window.bar().setStepsPerSecond(20);
    emit w.window.bar().speedChanged(20);
    w.ask("Tell me a story about a fox.");
    QVERIFY(waitUntil([&] { return w.chat().rowCount() == 2 && w.chat().at(1).message != 0; }));
    const ChatId first = w.window.chats().desk().shown();
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(w.chat().rowCount(), 0);
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QVERIFY(w.window.chats().desk().shown() != first);
    QVERIFY(waitUntil([&] { return w.isIdle(); }));
    QTRY_COMPARE(w.window.chats().desk().history().chat(first)->messages.back().state,
                 MessageState::kComplete);
    QVERIFY(w.window.chats().desk().open(first));
    QCOMPARE(w.chat().rowCount(), 2);
    QVERIFY(!w.chat().at(1).text.isEmpty());
    QCOMPARE(w.chats(), 2);
  }

  // The second chat's prompt is that of the first one.
  void anAnswerSaysWhatOfItsPromptWasCached() {
    const QString story = "Tell me a story about a fox, a lighthouse and a very long winter by the sea.";
    std::shared_ptr<const PromptReuse> first, second;
    {
      Window w(file("reuse.db"));
      QVERIFY(w.openModel());
      w.ask(story);
      QVERIFY(w.answered(2));
      first = w.chat().at(1).reuse;
      QVERIFY(first != nullptr && first->promptTokens > 16);
      const ChatId chat = w.window.chats().desk().shown();
      QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
      w.ask(story);
      QVERIFY(w.answered(2));
      second = w.chat().at(1).reuse;
      QVERIFY(second != nullptr);
      QCOMPARE(second->promptTokens, first->promptTokens);
      QVERIFY(second->cachedTokens > first->cachedTokens && second->blockSize > 0);
      QVERIFY(w.window.chats().desk().open(chat));
      QCOMPARE(w.chat().at(1).reuse, first);  // also when it is opened again
      QVERIFY(w.press(promptReuseTitle(*first)));
    }
    Window w(file("reuse.db"));  // later the counts are left, without the reason
    QVERIFY(w.openModel());
    QTRY_COMPARE(w.chats(), 2);
    QVERIFY(
        w.window.chats().desk().open(w.list()->model()->index(1, 0).data(ChatListModel::kChat).toLongLong()));
    QCOMPARE(w.chat().rowCount(), 2);
    QVERIFY(w.chat().at(1).reuse != nullptr);
    QCOMPARE(w.chat().at(1).reuse->promptTokens, first->promptTokens);
    QCOMPARE(w.chat().at(1).reuse->blockSize, 0);
  }

  // The tokens of what is typed are counted by the model's tokenizer, and are gone when it is sent.
  void whatIsTypedIsCounted() {
    Window w(file("typed.db"));
    QVERIFY(w.openModel());
    ContextMeter* const meter = w.window.panels().chat->contextMeter();
    QCOMPARE(meter->shares().draft, 0);
    QTest::keyClicks(w.input(), "Tell me");
    QTRY_VERIFY_WITH_TIMEOUT(meter->shares().draft > 0, kPatience);
    const int few = meter->shares().draft;
    QTest::keyClicks(w.input(), " a long story about a fox and a lighthouse.");
    QTRY_VERIFY_WITH_TIMEOUT(meter->shares().draft > few, kPatience);
    QVERIFY(meter->accessibleDescription().contains("Being typed"));
    QTest::keyClick(w.input(), Qt::Key_Return);
    QCOMPARE(meter->shares().draft, 0);
    QVERIFY(w.answered(2));
    QCOMPARE(meter->shares().draft, 0);
  }

  void searchOpensAnOldChat() {
    Window w(file("search.db"));
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    w.ask("What is a KV cache?");
    QVERIFY(w.answered(2));
    QTest::keyClick(&w.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QLineEdit* const search = w.window.chats().list().searchLine();
    QTRY_VERIFY(search->hasFocus());
    QTest::keyClicks(search, "hello");
    QTRY_VERIFY(w.list()->model()->rowCount() > 0 &&
                w.list()->model()->index(0, 0).data(ChatListModel::kChat).toLongLong() != 0);
    QTest::keyClick(search, Qt::Key_Return);
    QTest::keyClick(w.list(), Qt::Key_Down);  // the first hit is the chat's title, the next one a message
    QVERIFY(w.list()->currentIndex().data(ChatListModel::kMessage).toLongLong() != 0);
    QTest::keyClick(w.list(), Qt::Key_Return);
    QTRY_COMPARE(w.chat().rowCount() > 0 ? w.chat().at(0).text : QString(), QString("Hello!"));
    QVERIFY(w.input()->hasFocus());
    FindBar* const bar = w.window.panels().chat->findBar();  // what was found is lit
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->line()->text(), QString("hello"));
    QCOMPARE(w.window.panels().chat->findChild<ConversationSearch*>()->current(), FoundPlace{});
    QTest::keyClick(w.input(), Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
    QTest::keyClick(&w.window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(bar->isVisible() && bar->line()->hasFocus());
  }

  void chatsGoOutAndComeIn() {
    Window w(file("out.db"));
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    for (const char* name : {"chat.md", "chat.html", "chat.json"})
      w.window.chats().menu().exportChat(w.window.chats().desk().shown(), file(name));
    QVERIFY(readWholeFile(file("chat.md").toStdString(), 1 << 20).find("Hello!") != std::string::npos);
    QVERIFY(readWholeFile(file("chat.html").toStdString(), 1 << 20).find("<html") != std::string::npos);
    ChatImporting& importing = w.window.chats().importing();
    QSignalSpy imported(&importing, &ChatImporting::imported), noticed(&importing, &ChatImporting::noticed);
    importing.import({file("chat.json")});
    QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, kPatience);
    QTRY_COMPARE(w.chats(), 2);
    importing.import({file("out.db")});
    QTRY_COMPARE_WITH_TIMEOUT(noticed.size(), 2, kPatience);
    QCOMPARE(noticed[1][0].value<Notice>().kind, Notice::kProblem);
    QCOMPARE(w.chats(), 2);
  }
};

QTEST_MAIN(TestChatDesk)
#include "tst_chat_desk.moc"

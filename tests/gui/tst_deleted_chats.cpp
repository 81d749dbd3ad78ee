// Deleted chats and messages in the window: Ctrl+Z brings them back, one after another, and takes nothing
// from a text field; the dialog shows all that the file still has, also those of an earlier start; what is
// being answered is not computed on.
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "desk/chat_list_model.h"
#include "desk/chat_list_view.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/deleted_chats_dialog.h"
#include "gui/chat/deleted_messages_dialog.h"
#include "gui/turns/waiting_messages.h"
#include "support/chat_window.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  explicit Window(const QString& file = {}, int maxTokens = 8) : ChatWindow(maxTokens, file) {}
  QListView* list() { return window.chats().list().list(); }
  ChatHistory& history() { return desk().history(); }
  // A chat with a question and its answer, which is not shown.
  ChatId keep(const QString& title) {
    const ChatId chat = history().createChat();
    const MessageId question = history().addMessage(chat, 0, MessageRole::kUser, title);
    history().finish(history().beginAnswer(chat, question, {}), {});
    emit desk().listChanged();
    return chat;
  }
  QStringList titles() {
    QStringList found;
    for (const ChatSummary& chat : history().chats()) found << chat.title;
    found.sort();
    return found;
  }
  void deleteInList(ChatId chat) {
    QVERIFY(waitUntil([&] { return row(chat).isValid(); }));
    list()->setFocus();
    list()->setCurrentIndex(row(chat));
    QTest::keyClick(list(), Qt::Key_Delete);
  }
  QModelIndex row(ChatId chat) {
    const auto* model = static_cast<const ChatListModel*>(list()->model());
    return model->rowOf(chat) < 0 ? QModelIndex() : model->index(model->rowOf(chat), 0);
  }
  DeletedChatsDialog* openDeleted() {
    for (QAction* action : window.chats().menu().actions())
      if (action->text().remove('&').startsWith("Deleted chats")) action->trigger();
    return window.findChild<DeletedChatsDialog*>();
  }
  QAction* deletedMessages() {
    for (QAction* action : window.chats().menu().actions())
      if (action->text().remove('&').startsWith("Deleted messages")) return action;
    return nullptr;
  }
  QStringList texts() {
    QStringList all;
    for (int row = 0; row < chat().rowCount(); ++row) all << chat().at(row).text;
    return all;
  }
  MessageState stateOf(ChatId chat) { return history().chat(chat)->messages.back().state; }
};

void pressUndo(QWidget* widget) { QTest::keySequence(widget, QKeySequence(QKeySequence::Undo)); }

}  // namespace

class TestDeletedChats : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void ctrlZBringsThemBackOneAfterAnother() {
    Window w;
    QVERIFY(w.openModel());
    const ChatId one = w.keep("one"), two = w.keep("two");
    w.keep("three");
    w.deleteInList(one);
    w.deleteInList(two);
    QCOMPARE(w.titles(), QStringList("three"));
    pressUndo(w.list());
    QCOMPARE(w.titles(), QStringList({"three", "two"}));
    QCOMPARE(w.desk().shown(), two);
    pressUndo(w.list());
    QCOMPARE(w.titles(), QStringList({"one", "three", "two"}));
    pressUndo(w.list());  // nothing is left to undo
    QCOMPARE(w.titles().size(), 3);
  }

  // A text that was typed is taken back first.
  void ctrlZIsATextFieldsFirst() {
    Window w;
    QVERIFY(w.openModel());
    const ChatId one = w.keep("one");
    w.deleteInList(one);
    QLineEdit* const search = w.window.chats().list().searchLine();
    for (QWidget* const field : {static_cast<QWidget*>(w.input()), static_cast<QWidget*>(search)}) {
      const auto text = [&] { return field == search ? search->text() : w.input()->toPlainText(); };
      field->setFocus();
      QTest::keyClicks(field, "typed");
      QCOMPARE(text(), QString("typed"));
      pressUndo(field);
      QCOMPARE(text(), QString());
      QVERIFY(w.titles().isEmpty());
      for (int i = 0; i < 9 && w.titles().isEmpty(); ++i) pressUndo(field);  // some undo letter by letter
      QCOMPARE(w.titles(), QStringList("one"));
      if (field != search) w.deleteInList(one);
    }
  }

  void theDialogShowsThemAndBringsThemBack() {
    const QString file = m_folder.filePath("kept.db");
    ChatId one = 0, two = 0;
    {
      Window w(file);
      QVERIFY(w.openModel());
      one = w.keep("one");
      two = w.keep("two");
      w.keep("three");
      w.deleteInList(one);
      QTest::qWait(2);  // another millisecond: the order is that of time
      w.deleteInList(two);
    }
    Window w(file);  // another start, which has nothing to undo
    QVERIFY(w.openModel());
    QVERIFY(!w.desk().canUndoRemove());
    DeletedChatsDialog* const dialog = w.openDeleted();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QCOMPARE(dialog->list()->count(), 2);
    QCOMPARE(dialog->focusWidget(), dialog->list());
    QVERIFY2(dialog->list()->item(0)->text().startsWith("two\nDeleted "),
             qPrintable(dialog->list()->item(0)->text()));
    QCOMPARE(dialog->messages().at(0).text, QString("two"));
    QTest::keyClick(dialog->list(), Qt::Key_Down);
    QCOMPARE(dialog->messages().rowCount(), 2);
    QCOMPARE(dialog->messages().at(0).text, QString("one"));
    QVERIFY(dialog->messages().at(1).readOnly);
    QTest::keyClick(dialog->list(), Qt::Key_Return);  // the default button
    QTRY_COMPARE(w.titles(), QStringList({"one", "three"}));
    QCOMPARE(w.desk().shown(), one);
    QCOMPARE(dialog->list()->count(), 1);
    QTest::mouseClick(dialog->back(), Qt::LeftButton);
    QCOMPARE(w.titles().size(), 3);
    QVERIFY(!dialog->back()->isEnabled() && !dialog->list()->isVisible());
    bool said = false;
    for (auto* label : dialog->findChildren<QLabel*>())
      said = said || (label->isVisible() && label->text().contains("no deleted chat") &&
                      label->text().contains("7 days"));
    QVERIFY(said);
  }

  // With the keys and the mouse, over a real start: nothing of the first window is left but the file.
  void deletedMessagesComeBackAfterARestart() {
    const QString file = m_folder.filePath("messages.db");
    ChatId chat = 0;
    {
      Window w(file);
      QVERIFY(w.openModel());
      chat = w.history().createChat();
      MessageId above = 0;
      std::vector<MessageId> ids;
      for (const char* question : {"one", "two", "three"}) {
        ids.push_back(above = w.history().addMessage(chat, above, MessageRole::kUser, question));
        ids.push_back(above = w.history().beginAnswer(chat, above, {}));
        w.history().append(above, {.text = QStringLiteral("answer to ") + question});
        w.history().finish(above, {});
      }
      w.desk().open(chat);
      QVERIFY(!w.deletedMessages()->isEnabled());
      QVERIFY(w.desk().removeMessages(chat, {ids[4], ids[5]}));
      QVERIFY(w.deletedMessages()->isEnabled());
      QTest::qWait(2);
      QVERIFY(w.desk().removeMessages(chat, {ids[1]}));
      w.desk().begin();
      QVERIFY(!w.deletedMessages()->isEnabled());
    }
    Window w(file);
    QVERIFY(w.openModel());
    QVERIFY(!w.desk().canUndoRemove());
    w.keep("another");
    w.desk().open(chat);
    QCOMPARE(w.texts(), QStringList({"one", "two", "answer to two"}));
    QVERIFY(w.deletedMessages()->isEnabled());
    w.deletedMessages()->trigger();
    auto* const dialog = w.window.findChild<DeletedMessagesDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QCOMPARE(dialog->list()->count(), 2);
    QCOMPARE(dialog->focusWidget(), dialog->list());
    QVERIFY2(dialog->list()->item(0)->text().startsWith("answer to one\n1 message · Deleted "),
             qPrintable(dialog->list()->item(0)->text()));
    QVERIFY2(dialog->list()->item(1)->text().startsWith("three\n2 messages · Deleted "),
             qPrintable(dialog->list()->item(1)->text()));
    QCOMPARE(dialog->messages().rowCount(), 1);
    QTest::keyClick(dialog->list(), Qt::Key_Down);
    QCOMPARE(dialog->messages().rowCount(), 2);
    QVERIFY(dialog->messages().at(1).readOnly);
    if (const QString to = qEnvironmentVariable("VITRINE_PICTURES"); !to.isEmpty())
      QVERIFY(dialog->grab().save(to + "/deleted-messages.png"));
    QTest::keyClick(dialog->list(), Qt::Key_Return);  // the default button
    QTRY_COMPARE(w.texts(), QStringList({"one", "two", "answer to two", "three", "answer to three"}));
    QCOMPARE(dialog->list()->count(), 1);
    QTest::mouseClick(dialog->back(), Qt::LeftButton);
    QTRY_COMPARE(w.texts().size(), 6);
    QVERIFY(!dialog->back()->isEnabled() && !dialog->list()->isVisible());
    QVERIFY(!w.deletedMessages()->isEnabled());
    // What came back goes again, one step after another, and comes back together.
    QCOMPARE(w.desk().undoWords(), QString("Undo bringing back: 1 message"));
    pressUndo(w.input());
    QTRY_COMPARE(w.texts().size(), 5);
    QCOMPARE(w.desk().undoWords(), QString("Undo bringing back: 2 messages"));
    pressUndo(w.input());
    QTRY_COMPARE(w.texts(), QStringList({"one", "two", "answer to two"}));
    QVERIFY(!w.desk().canUndoRemove());
    QCOMPARE(dialog->list()->count(), 2);
    QTest::keyClick(dialog->list(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(dialog->messages().rowCount(), 3);
    QTest::keyClick(dialog->list(), Qt::Key_Return);
    QTRY_COMPARE(w.texts().size(), 6);
    // Another chat has none.
    w.desk().begin();
    QVERIFY(!dialog->list()->isVisible());
  }

  // As deleting does, undo waits for the end of an answer of the chat, and says so.
  void whatCameBackStaysWhileTheChatIsAnswered() {
    Window w({}, 60);
    QVERIFY(w.openModel());
    const ChatId chat = w.keep("one");
    w.desk().open(chat);
    const std::vector<MessageId> answer = {w.desk().branch().back().message.id};
    QVERIFY(w.desk().removeMessages(chat, answer));
    QCOMPARE(w.desk().undoWords(), QString("Undo delete: 1 message"));
    QVERIFY(w.desk().bringBackMessages(chat, {answer}));
    QCOMPARE(w.desk().undoWords(), QString("Undo bringing back: 1 message"));
    QVERIFY(w.askAndHold("Tell me a story about a fox."));
    QStringList said;
    connect(&w.window.chats(), &Chats::noticed, this, [&](const Notice& notice) { said << notice.message; });
    QVERIFY(!w.desk().undoRemove() && w.desk().canUndoRemove());
    QCOMPARE(said.size(), 1);
    QVERIFY(said.first().startsWith("Nothing was deleted"));
    QCOMPARE(w.history().chat(chat)->messages.size(), 4U);
    w.window.run();
    QVERIFY(w.answered(4));
    QVERIFY(w.desk().undoRemove());
    QCOMPARE(w.history().chat(chat)->messages.size(), 3U);
  }

  // What was written so far comes back, and what waited is not sent.
  void anAnswerOfADeletedChatIsStopped() {
    Window w({}, 400);
    QVERIFY(w.openModel());
    QVERIFY(w.askAndHold("Tell me a story about a fox."));
    for (int i = 0; i < 4; ++i) w.window.host().step();
    QTRY_VERIFY_WITH_TIMEOUT(!w.chat().at(1).text.isEmpty(), kPatience);
    w.ask("later");
    const ChatId chat = w.desk().shown();
    w.deleteInList(chat);
    w.window.run();
    QVERIFY(waitUntil([&] { return w.isIdle(); }));
    QTRY_COMPARE_WITH_TIMEOUT(w.stateOf(chat), MessageState::kStopped, kPatience);
    const MessageRecord answer = w.history().chat(chat, ChatHistory::Tokens::kRead)->messages.back();
    QVERIFY(!answer.tokens.empty() && answer.tokens.size() < 100);
    pressUndo(w.list());
    QCOMPARE(w.desk().shown(), chat);
    QCOMPARE(w.chat().rowCount(), 2);
    QCOMPARE(w.chat().at(1).text, answer.text);
    QCOMPARE(w.chat().at(1).status, AnswerStatus::kStopped);
    QVERIFY(w.window.chats().controller().waiting().isHeld(chat));
    QVERIFY(w.isIdle());
  }

  // Deleted between the question and the first word of the engine.
  void anAnswerThatHasNotBegunIsStopped() {
    Window w({}, 400);
    QVERIFY(w.openModel());
    w.ask("Tell me a story about a fox.");
    const ChatId chat = w.desk().shown();
    QVERIFY(w.window.chats().controller().answers().pending().has(chat));
    w.desk().remove({chat});
    QVERIFY(waitUntil([&] { return w.isIdle(); }));
    QTRY_COMPARE_WITH_TIMEOUT(w.stateOf(chat), MessageState::kStopped, kPatience);
    QVERIFY(w.history().chat(chat, ChatHistory::Tokens::kRead)->messages.back().tokens.size() < 300);
    QVERIFY(w.desk().undoRemove());
    QCOMPARE(w.chat().at(0).text, QString("Tell me a story about a fox."));
  }
};

QTEST_MAIN(TestDeletedChats)
#include "tst_deleted_chats.moc"

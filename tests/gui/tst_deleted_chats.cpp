// Deleted chats in the window: Ctrl+Z brings them back, one after another, and takes nothing from a text
// field; the dialog shows all that the file still has, also those of an earlier start; what is being answered
// is not computed on.
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

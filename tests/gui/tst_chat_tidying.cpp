// Chats are tidied in the window, with real keys and clicks: several at once, the one shown from the input,
// and from the menu what their rows offer; and messages of a chat, from their menus.
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "desk/chat_list_model.h"
#include "desk/chat_list_view.h"
#include "gui/chat/chat_branches.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "support/chat_window.h"
#include "widgets/chat/branch_map.h"
#include "widgets/chat/find_bar.h"
#include "widgets/message/message_widget.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(2) {}

  QListView* list() { return window.chats().list().list(); }
  // Chats with one question and answer each; the last one is shown.
  bool begin(const QStringList& questions) {
    if (!openModel()) return false;
    for (const QString& question : questions) {
      QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
      ask(question);
      if (!answered(2)) return false;
    }
    const bool listed = waitUntil([&] { return titles().size() == questions.size(); });
    QTest::qWait(50);  // the rows are read once more when an answer ends
    return listed;
  }
  int rowOf(const QString& title) {
    for (int row = 0; row < list()->model()->rowCount(); ++row)
      if (list()->model()->index(row, 0).data().toString() == title) return row;
    return -1;
  }
  QStringList titles(bool selectedOnly = false) {
    QStringList all;
    for (int row = 0; row < list()->model()->rowCount(); ++row)
      if (const QModelIndex index = list()->model()->index(row, 0);
          !index.data(ChatListModel::kIsHeading).toBool() &&
          (!selectedOnly || list()->selectionModel()->isSelected(index)))
        all << index.data().toString();
    all.sort();
    return all;
  }
  QPoint placeOf(const QString& title) {
    return list()->visualRect(list()->model()->index(rowOf(title), 0)).center();
  }
  void click(const QString& title, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, modifiers, placeOf(title));
  }
  QString shown() { return desk().title(); }
  // What a menu of the menu bar has, after it has been opened.
  QAction* inMenu(const QString& submenu, const QString& words) {
    ChatMenu& menu = window.chats().menu();
    emit menu.aboutToShow();
    for (QAction* action : menu.actions()) {
      if (action->menu() == nullptr || plain(action->text()) != submenu) continue;
      emit action->menu()->aboutToShow();
      for (QAction* inner : action->menu()->actions())
        if (plain(inner->text()) == words) return inner;
    }
    return nullptr;
  }
  // The rows of the conversation, by their texts.
  QStringList texts() {
    QStringList all;
    for (int row = 0; row < chat().rowCount(); ++row) all << chat().at(row).text;
    return all;
  }
  // As the model would read it now.
  QStringList prompt() {
    QStringList all;
    for (const ChatMessage& message : window.chats().controller().dialogueShown().messages)
      all << QString::fromStdString(message.text);
    return all;
  }
  // Opens the menu of a message with its button.
  QMenu* menuOf(int row) {
    for (MessageWidget* widget : view().findChildren<MessageWidget*>()) {
      if (widget->message() != chat().at(row).message) continue;
      for (QToolButton* button : widget->findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("⋯") && button->isVisible())
          QTest::mouseClick(button, Qt::LeftButton);
    }
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
  }
  static QStringList deletesIn(const QMenu* menu) {
    QStringList words;
    if (menu != nullptr)
      for (const QAction* action : menu->actions())
        if (plain(action->text()).startsWith("Delete")) words << plain(action->text());
    return words;
  }
  // And clicks an entry of it.
  static bool choose(QMenu* menu, const QString& words) {
    if (menu == nullptr) return false;
    for (QAction* action : menu->actions()) {
      if (plain(action->text()) != words || !action->isEnabled()) continue;
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      return true;
    }
    menu->close();
    return false;
  }
  // The button below the list of chats; null: it is not there.
  QPushButton* undo() {
    for (QPushButton* button : window.chats().list().findChildren<QPushButton*>())
      if (button->isVisible() && button->text().startsWith("Undo")) return button;
    return nullptr;
  }
  // Two questions with their answers.
  bool beginTwo() {
    if (!begin({"one"})) return false;
    ask("two");
    return answered(4);
  }
  static QString plain(QString text) { return text.remove(u'&'); }
};

const QStringList kQuestions = {"one", "three", "two"};

}  // namespace

class TestChatTidying : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void severalAreDeletedAndComeBack() {
    Window w;
    QVERIFY(w.begin(kQuestions));
    w.click("one");
    QCOMPARE(w.shown(), QString("one"));
    w.click("three", Qt::ControlModifier);
    QCOMPARE(w.titles(true), QStringList({"one", "three"}));
    QCOMPARE(w.shown(), QString("one"));  // none is opened
    w.list()->setFocus();
    QTest::keyClick(w.list(), Qt::Key_Delete);
    QTRY_COMPARE(w.titles(), QStringList({"two"}));
    QCOMPARE(w.desk().shown(), ChatId{0});
    QTest::keyClick(&w.window, Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(w.titles(), kQuestions);
    QVERIFY(!w.desk().canUndoRemove());
  }

  void severalStaySelectedWhileTheListChanges() {
    Window w;
    QVERIFY(w.begin(kQuestions));
    w.click("one");
    w.click("two", Qt::ControlModifier);
    QCOMPARE(w.titles(true), QStringList({"one", "two"}));
    w.desk().setPinned({w.desk().shown()}, true);
    QTRY_COMPARE(w.list()->model()->index(0, 0).data().toString(), QString("Pinned"));
    QCOMPARE(w.titles(true), QStringList({"one", "two"}));
    w.click("three");
    QCOMPARE(w.titles(true), QStringList({"three"}));
    QCOMPARE(w.shown(), QString("three"));
  }

  void aRightClickLeavesTheMark() {
    Window w;
    QVERIFY(w.begin(kQuestions));
    const QString before = w.shown();
    const QStringList marked = w.titles(true);
    QCOMPARE(marked, QStringList({before}));
    QString offered;
    QTimer::singleShot(0, [&] {
      if (auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
        for (const QAction* action : menu->actions()) offered += Window::plain(action->text()) + u'|';
        menu->close();
      }
    });
    QTest::mouseClick(w.list()->viewport(), Qt::RightButton, {}, w.placeOf("one"));
    QContextMenuEvent asked(QContextMenuEvent::Mouse, w.placeOf("one"),
                            w.list()->viewport()->mapToGlobal(w.placeOf("one")));
    QApplication::sendEvent(w.list()->viewport(), &asked);
    QVERIFY2(offered.contains("Rename|") && offered.contains("Delete|"), qPrintable(offered));
    QCOMPARE(w.titles(true), marked);
    QCOMPARE(w.shown(), before);
  }

  void theMenuOfSeveralIsForAllOfThem() {
    Window w;
    QVERIFY(w.begin(kQuestions));
    w.click("one");
    w.click("two", Qt::ControlModifier);
    QStringList offered;
    QTimer::singleShot(0, [&] {
      auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr) return;
      QAction* archive = nullptr;
      for (QAction* action : menu->actions()) {
        offered << Window::plain(action->text());
        if (offered.back() == "Put into the archive") archive = action;
      }
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(archive).center());
    });
    emit w.list()->customContextMenuRequested(w.placeOf("two"));
    QVERIFY2(offered.contains("Export 2 chats…") && offered.contains("Delete 2 chats") &&
                 !offered.contains("Rename"),
             qPrintable(offered.join(u'|')));
    QTRY_COMPARE(w.titles(), QStringList({"three"}));
  }

  void severalAreExportedIntoAFolder() {
    Window w;
    QVERIFY(w.begin({"one", "two"}));
    QTemporaryDir folder;
    QFile there(folder.filePath("one.md"));
    QVERIFY(there.open(QIODevice::WriteOnly) && there.write("mine") == 4);
    there.close();
    std::vector<ChatId> chats;
    for (const ChatSummary& chat : w.desk().history().chats()) chats.push_back(chat.id);
    QTimer::singleShot(0, [&] {
      auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      dialog->setDirectory(folder.path());
      dialog->findChild<QLineEdit*>()->setText(folder.path());
      static_cast<QDialog*>(dialog)->accept();
    });
    w.window.chats().menu().chooseExport(chats);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList({"one (2).md", "one.md", "two.md"}));
    QVERIFY(there.open(QIODevice::ReadOnly));
    QCOMPARE(there.readAll(), QByteArray("mine"));
  }

  void findClosesWithItsChat() {
    Window w;
    QVERIFY(w.begin({"one", "two"}));
    QTest::keyClick(&w.window, Qt::Key_F, Qt::ControlModifier);
    FindBar* const bar = w.view().findBar();
    QVERIFY(bar->isVisible());
    QTest::keyClicks(QApplication::focusWidget(), "two");
    QVERIFY(w.press("Again"));  // another version of an answer is of the same chat
    QVERIFY(w.answered(2));
    QVERIFY(bar->isVisible());
    w.click("one");
    QVERIFY(!bar->isVisible());
  }

  void anArchivedChatIsFoundAsSuch() {
    Window w;
    QVERIFY(w.begin({"one"}));
    const QString title = QString("word ").repeated(30) + "needle";
    w.desk().history().rename(w.desk().shown(), title);
    w.desk().setArchived({w.desk().shown()}, true);
    QTRY_VERIFY(w.titles().isEmpty());
    QTest::keyClick(&w.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(w.window.chats().list().searchLine(), "needle");
    QTRY_COMPARE(w.titles(), QStringList({title}));
    const QModelIndex hit = w.list()->model()->index(0, 0);
    QCOMPARE(hit.data(ChatListModel::kTime).toString(), QString("archived"));
    QVERIFY(hit.data(Qt::AccessibleTextRole).toString().contains("archived"));
    // Its lit word is painted, though the title is longer than the row.
    const QImage row = w.list()->viewport()->grab(w.list()->visualRect(hit)).toImage();
    int pixels = 0;
    for (int y = 0; y < row.height(); ++y)
      for (int x = 0; x < row.width(); ++x) pixels += row.pixelColor(x, y).saturation() > 20;
    QVERIFY2(pixels > 100, qPrintable(QString::number(pixels)));
  }

  void f2RenamesTheChatShown() {
    Window w;
    QVERIFY(w.begin({"one", "two"}));
    w.input()->setFocus();
    QTest::keyClick(w.input(), Qt::Key_F2);
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), "a better name");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(w.shown(), QString("a better name"));
    QTest::qWait(50);  // what the key has posted
    QTRY_VERIFY(w.input()->hasFocus());
  }

  void aNewNameOutlivesAChangeOfTheList() {
    Window w;
    QVERIFY(w.begin({"one", "two"}));
    QTest::keyClick(w.input(), Qt::Key_F2);
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), "half a");
    w.desk().setPinned({w.desk().history().chats().back().id}, true);  // as an answer that ends elsewhere
    QTest::qWait(20);
    QVERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), " name");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_VERIFY(w.titles().contains("half a name"));
    QCOMPARE(w.titles(), QStringList({"half a name", "one"}));
    QCOMPARE(w.list()->model()->index(0, 0).data().toString(), QString("Pinned"));
  }

  void deleteInAnEmptyInputDeletesTheChatShown() {
    Window w;
    QVERIFY(w.begin({"one", "two"}));
    w.input()->setFocus();
    QTest::keyClicks(w.input(), "x");
    QTest::keyClick(w.input(), Qt::Key_Left);
    QTest::keyClick(w.input(), Qt::Key_Delete);
    QVERIFY(w.input()->toPlainText().isEmpty());
    QKeyEvent held(QEvent::KeyPress, Qt::Key_Delete, Qt::NoModifier, {}, true);
    QApplication::sendEvent(w.input(), &held);
    QCOMPARE(w.titles(), QStringList({"one", "two"}));
    QTest::keyClick(w.input(), Qt::Key_Delete);
    QTRY_COMPARE(w.titles(), QStringList({"one"}));
    QTest::keyClick(w.input(), Qt::Key_Delete);  // a new chat is shown: there is nothing to delete
    QCOMPARE(w.titles(), QStringList({"one"}));
    QTest::keyClick(w.input(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(w.titles(), QStringList({"one", "two"}));
    QCOMPARE(w.shown(), QString("two"));
  }

  void theMenuTidiesTheChatShown() {
    Window w;
    QVERIFY(w.begin({"one", "two"}));
    const QString tidy = "Rename, archive, delete";
    QAction* action = w.inMenu(tidy, "Pin to the top");
    QVERIFY(action);
    action->trigger();
    QVERIFY(w.desk().history().summary(w.desk().shown())->pinned);
    QVERIFY(w.inMenu(tidy, "Unpin"));
    action = w.inMenu(tidy, "Duplicate");
    QVERIFY(action);
    action->trigger();
    QTRY_COMPARE(w.titles().size(), 3);
    action = w.inMenu(tidy, "Put into the archive");
    QVERIFY(action);
    action->trigger();
    QTRY_COMPARE(w.titles().size(), 2);
    action = w.inMenu(tidy, "Rename");
    QVERIFY(action);
    action->trigger();  // its row is in the archive
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    QTest::keyClicks(QApplication::focusWidget(), "put away");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(w.titles(), QStringList({"put away"}));
    action = w.inMenu(tidy, "Delete");
    QVERIFY(action);
    action->trigger();
    QCOMPARE(w.desk().shown(), ChatId{0});
  }

  // The next prompt is without it, and Ctrl+Z brings it back.
  void aMessageIsDeletedAndComesBack() {
    Window w;
    QVERIFY(w.beginTwo());
    const QStringList all = w.texts();
    QMenu* menu = w.menuOf(1);
    QCOMPARE(Window::deletesIn(menu),
             QStringList({"Delete only this message", "Delete from here on: 3 messages"}));
    QVERIFY(Window::choose(menu, "Delete only this message"));
    QCOMPARE(w.texts(), QStringList({all[0], all[2], all[3]}));
    QCOMPARE(w.prompt(), w.texts());
    QVERIFY(w.undo() && w.undo()->text() == "Undo delete: 1 message");
    // A question has a menu, too.
    menu = w.menuOf(1);
    QCOMPARE(Window::deletesIn(menu),
             QStringList({"Delete only this message", "Delete from here on: 2 messages"}));
    QVERIFY(Window::choose(menu, "Delete from here on: 2 messages"));
    QCOMPARE(w.texts(), QStringList(all[0]));
    QVERIFY(w.undo() && w.undo()->text() == "Undo delete: 2 messages");
    QTest::keyClick(w.input(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(w.texts(), QStringList({all[0], all[2], all[3]}));
    menu = w.menuOf(2);
    QVERIFY(menu);
    bool told = false, repeats = false;
    for (const QAction* action : menu->actions()) {
      told = told || action->text() == "It has read other messages than those above it";
      repeats = repeats || (Window::plain(action->text()) == "Run again exactly" && action->isEnabled());
    }
    QVERIFY(told && !repeats);
    menu->close();
    QTest::mouseClick(w.undo(), Qt::LeftButton);
    QTRY_COMPARE(w.texts(), all);
    QVERIFY(!w.undo());
    menu = w.menuOf(3);
    QCOMPARE(Window::deletesIn(menu), QStringList("Delete this message"));
    QVERIFY(Window::choose(menu, "Delete this message"));
    QCOMPARE(w.texts(), all.first(3));
  }

  // What is asked next reads the rest alone.
  void whatIsDeletedIsNotAskedWithTheNextQuestion() {
    Window w;
    QVERIFY(w.begin({"quagga"}));
    w.ask("walrus");
    QVERIFY(w.answered(4));
    const auto asked = [&w] { return QString::fromStdString(w.live().requests.rbegin()->second.prompt); };
    QVERIFY2(asked().contains("quagga") && asked().contains("walrus"), qPrintable(asked()));
    QVERIFY(Window::choose(w.menuOf(0), "Delete only this message"));
    QVERIFY(Window::choose(w.menuOf(0), "Delete only this message"));
    QCOMPARE(w.texts().first(), QString("walrus"));
    w.ask("ocelot");
    QVERIFY(w.answered(4));
    QVERIFY2(!asked().contains("quagga") && asked().contains("walrus") && asked().contains("ocelot"),
             qPrintable(asked()));
  }

  void aVersionIsDeletedAndItsNeighbourShown() {
    Window w;
    QVERIFY(w.begin({"one"}));
    const MessageId first = w.chat().at(1).message;
    QVERIFY(w.press("Again"));
    QVERIFY(waitUntil([&] { return w.chat().at(1).variants == 2; }) && w.answered(2));
    const MessageId second = w.chat().at(1).message;
    QMenu* const menu = w.menuOf(1);
    QCOMPARE(Window::deletesIn(menu), QStringList("Delete this version"));
    QVERIFY(Window::choose(menu, "Delete this version"));
    QCOMPARE(w.chat().at(1).message, first);
    QCOMPARE(w.chat().at(1).variants, 1);
    QTest::keyClick(w.input(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(w.chat().at(1).message, second);
    QCOMPARE(w.chat().at(1).variants, 2);
  }

  void aBranchIsDeletedInTheMap() {
    Window w;
    QVERIFY(w.begin({"one"}));
    const MessageId first = w.chat().at(1).message;
    QVERIFY(w.press("Again"));
    QVERIFY(waitUntil([&] { return w.chat().at(1).variants == 2; }) && w.answered(2));
    QTest::mouseClick(w.view().branchesButton(), Qt::LeftButton);
    BranchMap* const map = w.window.chats().tree().map();
    QTRY_COMPARE(map->model()->rowCount(), 3);
    const auto menuAt = [&](int row) {
      const QPoint place = map->visualRect(map->model()->index(row, 0)).center();
      QContextMenuEvent asked(QContextMenuEvent::Mouse, place, map->viewport()->mapToGlobal(place));
      QApplication::sendEvent(map->viewport(), &asked);
      return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    };
    QMenu* menu = menuAt(0);  // before the fork: that is the chat
    QVERIFY(menu && Window::deletesIn(menu).isEmpty());
    menu->close();
    menu = menuAt(1);
    QCOMPARE(Window::deletesIn(menu), QStringList("Delete this branch: 1 message"));
    QVERIFY(Window::choose(menu, "Delete this branch: 1 message"));
    QTRY_VERIFY(!map->isVisible());  // no branches are left
    QVERIFY(w.chat().at(1).message != first);
    QTest::keyClick(w.input(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(w.chat().at(1).message, first);
    QTRY_COMPARE(w.chat().at(1).variants, 2);
  }

  // The last message: the chat stays in the list, empty, with its name.
  void aChatThatIsEmptyStays() {
    Window w;
    QVERIFY(w.begin({"one"}));
    const ChatId chat = w.desk().shown();
    QVERIFY(Window::choose(w.menuOf(0), "Delete from here on: 2 messages"));
    QCOMPARE(w.chat().rowCount(), 0);
    QCOMPARE(w.desk().shown(), chat);
    QTRY_COMPARE(w.titles(), QStringList("one"));
    w.ask("another beginning");
    QVERIFY(w.answered(2));
    QCOMPARE(w.desk().shown(), chat);
    QCOMPARE(w.titles(), QStringList("one"));
    QTest::mouseClick(w.undo(), Qt::LeftButton);
    QTRY_COMPARE(w.chat().at(0).text, QString("one"));
    QCOMPARE(w.chat().at(0).variants, 2);
  }

  // Neither its question nor what is above.
  void aChatThatIsAnsweredKeepsItsMessages() {
    Window w;
    QVERIFY(w.begin({"one"}));
    w.setMaxTokens(100);
    QVERIFY(w.askAndHold("two"));
    for (const int row : {0, 1, 2}) {
      QMenu* const menu = w.menuOf(row);
      QVERIFY(!Window::deletesIn(menu).isEmpty());
      for (const QAction* action : menu->actions()) {
        if (!Window::plain(action->text()).startsWith("Delete")) continue;
        QVERIFY(!action->isEnabled());
        QCOMPARE(action->toolTip(), QString("Stop the answer first, or wait for its end"));
      }
      menu->close();
    }
    QVERIFY(!w.desk().removeMessages(w.desk().shown(), {w.chat().at(3).message}));
    // A menu that was opened before the answer began.
    w.window.run();
    QVERIFY(w.answered(4));
    QMenu* const menu = w.menuOf(0);
    QSignalSpy noticed(&w.window.chats(), &Chats::noticed);
    w.ask("three");
    QVERIFY(Window::choose(menu, "Delete only this message"));
    QCOMPARE(w.desk().branch().front().message.text, QString("one"));
    QCOMPARE(noticed.size(), 1);
  }

  void theMenuAsksAgainAndEdits() {
    Window w;
    QVERIFY(w.begin({"one"}));
    const QString last = "The last answer";
    QAction* action = w.inMenu(last, "Again");
    QVERIFY(action && action->isEnabled());
    action->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(w.desk().branch().size() == 2 && w.desk().branch()[1].variants == 2, kPatience);
    QVERIFY(w.answered(2));
    for (const char* words : {"Continue", "Run again exactly", "Copy as Markdown", "Edit the answer…"})
      QVERIFY2(w.inMenu(last, words), words);
    action = w.inMenu(last, "Edit the question");
    QVERIFY(action);
    action->trigger();
    QCOMPARE(w.input()->toPlainText(), QString("one"));
    QVERIFY(w.input()->hasFocus());
  }
};

QTEST_MAIN(TestChatTidying)
#include "tst_chat_tidying.moc"

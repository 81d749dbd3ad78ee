// Chats are tidied in the window, with real keys and clicks: several at once, the one shown from the input,
// and from the menu what their rows offer.
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>

#include "desk/chat_list_model.h"
#include "desk/chat_list_view.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "support/chat_window.h"
#include "widgets/chat/find_bar.h"

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
    return waitUntil([&] { return titles().size() == questions.size(); });
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

// Where the keyboard is after each popup, menu, dialog and window that a person opens from a chat and leaves:
// in the message. The keys are real ones; what is typed next must arrive, and no blank may press a button.
#include "gui/chat/chat_focus.h"

#include <QAbstractItemView>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

#include "desk/chat_list_view.h"
#include "gui/commands/command_palette.h"
#include "support/chat_window.h"
#include "widgets/message/token_popup.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ChatWindow {
 public:
  Window() : ChatWindow(12) {}
  bool begin() {
    if (!openModel()) return false;
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) return false;
    ask("Tell me a story about a fox.");
    if (!answered(2)) return false;
    m_chat = desk().shown();
    return true;
  }
  TokenPopup& popup() { return *window.findChild<TokenPopup*>(); }
  QListView* list() { return window.chats().list().findChild<QListView*>(); }
  // The last part of the page in the order of Tab, which Qt chooses when a popup goes.
  bool goToNewChat() {
    for (auto* button : view().findChildren<QPushButton*>())
      if (button->text() == "New chat") button->setFocus(Qt::TabFocusReason);
    return QApplication::focusWidget() != nullptr && QApplication::focusWidget() != input();
  }
  // The menu of the newest answer, with its command number `place`, from 1 on.
  bool openMessageMenu() {
    QToolButton* more = nullptr;
    for (auto* button : view().findChildren<QToolButton*>())
      if (button->text() == QString(QChar(0x22ef)) && button->isVisible()) more = button;
    if (more == nullptr) return false;
    more->setFocus(Qt::TabFocusReason);
    QTest::keyClick(more, Qt::Key_Space);
    return waitUntil([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; });
  }
  static void choose(const QString& words) {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    for (int i = 0; menu != nullptr && i < 40; ++i) {
      QTest::keyClick(menu, Qt::Key_Down);
      if (menu->activeAction() && menu->activeAction()->text().remove(u'&') == words)
        return QTest::keyClick(menu, Qt::Key_Return);
    }
  }
  bool openTokens() {
    if (!openMessageMenu()) return false;
    choose("Look at its tokens");
    if (!waitUntil([&] { return popup().hasTheFocus(); })) return false;
    window.activateWindow();  // the menu may have left it behind
    return waitUntil([&] { return popup().list()->hasFocus(); });
  }
  // A command by its words in the palette; what it opens is left with Escape, by a timer, since a dialog may
  // run a loop of its own.
  bool runAndLeave(const QString& words) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_K, Qt::ControlModifier);
    const QPointer<CommandPalette> palette = window.findChild<CommandPalette*>();
    if (!palette || !waitUntil([&] { return palette && palette->line()->hasFocus(); })) return false;
    QTest::keyClicks(palette->line(), words);
    const auto chosen = [&] { return palette->list()->currentIndex().data().toString(); };
    for (int i = 0; i < palette->list()->model()->rowCount() && !chosen().endsWith("› " + words); ++i)
      QTest::keyClick(palette->line(), Qt::Key_Down);
    if (!chosen().endsWith("› " + words)) return qWarning("the palette does not list it"), false;
    bool left = false;
    QTimer leaving;
    QObject::connect(&leaving, &QTimer::timeout, &window, [&] {
      QWidget* const open = QApplication::activeModalWidget() ? QApplication::activeModalWidget()
                                                              : QApplication::activeWindow();
      if (left || open == nullptr || open == &window || qobject_cast<CommandPalette*>(open)) return;
      left = true;
      QWidget* const inside = open->focusWidget();
      QTest::keyClick(inside != nullptr ? inside : open, Qt::Key_Escape);
      if (open->isVisible()) open->close();
    });
    leaving.start(10);
    QTest::keyClick(palette->line(), Qt::Key_Return);
    return waitUntil([&] { return left; });
  }
  // What is typed now arrives, with its blanks, in the same chat.
  QString complaint() {
    const auto isBack = [&] {
      if (!window.isActiveWindow()) window.activateWindow();
      return QApplication::focusWidget() == input();
    };
    if (!waitUntil(isBack)) {
      const QWidget* const focus = QApplication::focusWidget();
      return QString("the keyboard is at ") +
             (focus != nullptr ? focus->metaObject()->className() + (' ' + focus->accessibleName())
                               : QString("nothing"));
    }
    QTest::keyClicks(QApplication::focusWidget(), "so it is");
    if (desk().shown() != m_chat) return "another chat is shown";
    if (input()->toPlainText() != "so it is") return "the message is: " + input()->toPlainText();
    input()->clear();
    return {};
  }

 private:
  ChatId m_chat = 0;
};

#define VERIFY_BACK(w) \
  if (const QString wrong = (w).complaint(); !wrong.isEmpty()) QFAIL(qPrintable(wrong))

}  // namespace

class TestChatFocus : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void afterTheTokens() {
    Window w;
    QVERIFY(w.begin());
    QVERIFY(w.openTokens());
    QTest::keyClick(w.popup().list(), Qt::Key_Escape);
    VERIFY_BACK(w);
    QVERIFY(w.openTokens());
    QTest::keyClick(w.popup().list(), w.popup().list()->currentRow() == 0 ? Qt::Key_Down : Qt::Key_Up);
    QTest::keyClick(w.popup().list(), Qt::Key_Return);
    VERIFY_BACK(w);
    QVERIFY(waitUntil([&] { return w.chat().rowCount() == 2 && !w.chat().isAnswering(); }));
    VERIFY_BACK(w);
  }

  void afterTheMenuOfAMessage() {
    Window w;
    QVERIFY(w.begin());
    for (const char* command : {"Copy as Markdown", "Copy as plain text", "Edit the answer…"}) {
      QVERIFY(w.openMessageMenu());
      Window::choose(QString::fromUtf8(command));
      if (QByteArray(command).startsWith("Edit")) QTest::keyClick(w.input(), Qt::Key_Escape);
      VERIFY_BACK(w);
    }
    QVERIFY(w.openMessageMenu());
    Window::choose("Run again exactly");
    VERIFY_BACK(w);
  }

  // A menu that is left with Escape returns to its button, from which keys that walk from part to part go on.
  // Letters that are typed there are the message's.
  void aMenuThatIsLeftReturnsToItsButton() {
    Window w;
    QVERIFY(w.begin());
    QVERIFY(w.openMessageMenu());
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    QTest::qWait(0);
    const auto* const button = qobject_cast<QToolButton*>(w.window.focusWidget());
    QVERIFY(button && button->text() == QString(QChar(0x22ef)));
    const auto isBack = [&] {
      if (!w.window.isActiveWindow()) w.window.activateWindow();
      return button->hasFocus();
    };
    QVERIFY(waitUntil(isBack));
    for (const char letter : QByteArray("so it is")) QTest::keyClick(QApplication::focusWidget(), letter);
    QCOMPARE(w.input()->toPlainText(), QString("so it is"));
  }

  void afterTheMenuOfTheWindow() {
    Window w;
    QVERIFY(w.begin());
    QVERIFY(w.goToNewChat());
    QTest::keyClick(&w.window, Qt::Key_C, Qt::AltModifier);
    QVERIFY(waitUntil([] { return QApplication::activePopupWidget() != nullptr; }));
    Window::choose("Copy the chat as Markdown");
    VERIFY_BACK(w);
  }

  void afterFindingAndBranches() {
    Window w;
    QVERIFY(w.begin());
    QTest::keyClick(w.input(), Qt::Key_F, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr; }));
    QTest::keyClicks(QApplication::focusWidget(), "fox");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    VERIFY_BACK(w);
    QVERIFY(w.press("Again"));
    QVERIFY(waitUntil([&] { return w.chat().at(1).variants == 2 && !w.chat().isAnswering(); }));
    VERIFY_BACK(w);
    QVERIFY(waitUntil([&] { return w.view().branchesButton()->isVisible(); }));
    w.view().branchesButton()->setFocus(Qt::TabFocusReason);
    QTest::keyClick(w.view().branchesButton(), Qt::Key_Space);
    QVERIFY(waitUntil([&] { return QApplication::focusWidget() != w.view().branchesButton(); }));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    VERIFY_BACK(w);
  }

  void afterANewName() {
    Window w;
    QVERIFY(w.begin());
    for (const Qt::Key end : {Qt::Key_Return, Qt::Key_Escape}) {
      w.list()->setFocus(Qt::TabFocusReason);
      QTest::keyClick(w.list(), Qt::Key_F2);
      QVERIFY(waitUntil([&] { return qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr; }));
      QTest::keyClicks(QApplication::focusWidget(), "A fox");
      QTest::keyClick(QApplication::focusWidget(), end);
      VERIFY_BACK(w);
    }
    QCOMPARE(w.desk().title(), QString("A fox"));
  }

  void afterAWindow_data() {
    QTest::addColumn<QString>("words");
    for (const char* words :
         {"This chat", "Import chats", "Export this chat", "Attach a file", "Models on this computer",
          "Open a model folder", "Settings", "Keyboard shortcuts", "Glossary", "About Vitrine", "Welcome",
          "Machine options"})
      QTest::newRow(words) << QString::fromUtf8(words);
  }
  void afterAWindow() {
    QFETCH(QString, words);
    Window w;
    QVERIFY(w.begin());
    QVERIFY(w.goToNewChat());
    QVERIFY(w.runAndLeave(words));
    VERIFY_BACK(w);
  }

  void afterThePalette() {
    Window w;
    QVERIFY(w.begin());
    QVERIFY(w.goToNewChat());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_K, Qt::ControlModifier);
    const QPointer<CommandPalette> palette = w.window.findChild<CommandPalette*>();
    QVERIFY(palette && waitUntil([&] { return palette && palette->line()->hasFocus(); }));
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    VERIFY_BACK(w);
  }

  // A command that gives the keyboard to another part has its way.
  void whatACommandChoosesStays() {
    Window w;
    QVERIFY(w.begin());
    QTest::keyClick(&w.window, Qt::Key_C, Qt::AltModifier);
    QVERIFY(waitUntil([] { return QApplication::activePopupWidget() != nullptr; }));
    Window::choose("Search all chats");
    QVERIFY(waitUntil([] { return QApplication::activePopupWidget() == nullptr; }));
    QCoreApplication::processEvents();
    QVERIFY(w.window.chats().list().isAncestorOf(w.window.focusWidget()));
  }
};

QTEST_MAIN(TestChatFocus)
#include "tst_chat_focus.moc"

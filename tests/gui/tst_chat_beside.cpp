// Two conversations side by side, with real keys and clicks in the window: what opens and closes the second
// one, where the two part, and that it follows what becomes of its chat.
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QWindow>

#include "desk/chat_list_model.h"
#include "desk/chat_list_view.h"
#include "gui/chat/chat_beside.h"
#include "gui/chat/chat_branches.h"
#include "gui/chat/chat_page.h"
#include "gui/chat/side_by_side.h"
#include "gui/key_walk.h"
#include "gui/parts/appearance.h"
#include "support/chat_window.h"
#include "widgets/chat/branch_map.h"
#include "widgets/chat/transcript_view.h"
#include "widgets/message/fork_mark.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr int kShared = 20;  // messages of the two written chats

MessageRecord message(MessageId id, MessageId parent, const QString& text) {
  MessageRecord record;
  record.id = id;
  record.parent = parent;
  record.role = id % 2 == 0 ? MessageRole::kAssistant : MessageRole::kUser;
  record.text = text;
  return record;
}

// Questions and answers, the first of them the same in each; the last answer has two versions.
ChatRecord writtenChat(const QString& title, const QString& own, int shared) {
  ChatRecord chat;
  chat.summary.title = title;
  chat.summary.titleGiven = true;
  chat.summary.createdMs = chat.summary.changedMs = 1'700'000'000'000;
  for (int i = 1; i <= shared + 8; ++i)
    chat.messages.push_back(message(
        i, i - 1,
        i <= shared ? QStringLiteral("Message %1.").arg(i) : QStringLiteral("%1 says %2.").arg(own).arg(i)));
  chat.messages.push_back(message(shared + 10, shared + 7, own + QStringLiteral(" says it again.")));
  chat.shownLeaf = shared + 10;
  return chat;
}

class Window : public ChatWindow {
 public:
  explicit Window(int maxTokens = 12) : ChatWindow(maxTokens) {}

  ChatBeside* pane() { return window.chats().beside().pane(); }
  ChatListView& list() { return window.chats().list(); }
  // Two chats; the second one is open.
  std::pair<ChatId, ChatId> openTwo(int shared = kShared) {
    const auto ids =
        desk().history().insert({writtenChat("Left", "Adam", shared), writtenChat("Right", "Berta", shared)});
    emit desk().listChanged();
    desk().open(ids.at(1));
    activate();
    return {ids.at(0), ids.at(1)};
  }
  void activate() {
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
  }
  // In the offscreen platform a menu becomes the active window some time after it opens, and when that is
  // as late as its end, no window is active afterwards: keys and focus would go nowhere.
  void returnFromMenu() {
    QVERIFY(waitUntil([] { return QApplication::activePopupWidget() == nullptr; }));
    QCoreApplication::processEvents();
    QVERIFY(waitUntil([&] {
      if (!window.isActiveWindow()) window.activateWindow();
      return window.isActiveWindow();
    }));
  }
  // The right button over it, and in the menu that opens the key of a command.
  void chooseOver(QWidget* part, const QPoint& place, Qt::Key key) {
    bool chosen = false;
    QTimer looking;
    QObject::connect(&looking, &QTimer::timeout, &looking, [&] {
      auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr || chosen) return;
      chosen = true;
      QTest::keyClick(menu, key);
    });
    looking.start(5);
    QTest::mouseClick(window.windowHandle(), Qt::RightButton, {}, part->mapTo(&window, place));
    QVERIFY(waitUntil([&] { return chosen; }));
    returnFromMenu();
  }
  void chooseOver(ChatId chat, Qt::Key key) {
    QListView* const rows = list().list();
    const auto row = [&] { return static_cast<ChatListModel*>(rows->model())->rowOf(chat); };
    QVERIFY(waitUntil([&] { return row() >= 0; }));
    chooseOver(rows->viewport(), rows->visualRect(rows->model()->index(row(), 0)).center(), key);
  }
  void chooseInMenu(Qt::Key key) {
    QVERIFY(press(QStringLiteral("⋯")));
    QTest::keyClick(QApplication::activePopupWidget(), key);
    returnFromMenu();
  }
  void clickInPane(const QString& text) {
    for (QToolButton* button : pane()->findChildren<QToolButton*>())
      if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
    QFAIL("no such button");
  }
  bool isGone() { return pane() == nullptr && window.findChild<ChatBeside*>() == nullptr; }
};

// The mark over the first message that differs is in sight.
bool isMarkSeen(TranscriptView& view) {
  const auto marks = view.findChildren<ForkMark*>();
  return marks.size() == 1 && marks[0]->isVisible() &&
         marks[0]->height() >= marks[0]->heightForWidth(marks[0]->width()) &&
         view.viewport()->rect().contains(
             QRect(marks[0]->mapTo(view.viewport(), QPoint()), QSize(1, marks[0]->height())));
}

}  // namespace

class TestChatBeside : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    qRegisterMetaType<ColourScheme>();
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void anotherVersionOfAnAnswer() {
    Window w;
    QVERIFY(w.openModel());
    w.activate();
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QVERIFY(w.press(QStringLiteral("⋯")));
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_B);  // there is one version: nothing to show
    QVERIFY(w.pane() == nullptr);
    QApplication::activePopupWidget()->close();
    const qint64 first = w.chat().at(1).message;
    QVERIFY(w.press("Again"));
    QVERIFY(waitUntil([&] { return w.chat().at(1).message != first && w.chat().at(1).variants == 2; }));
    QVERIFY(w.answered(2));
    w.chooseInMenu(Qt::Key_B);
    QVERIFY(w.pane() && w.pane()->isVisible());
    ChatModel& beside = w.pane()->model();
    QCOMPARE(beside.rowCount(), 2);
    QCOMPARE(beside.at(1).message, first);
    // What the two answers share is the prompt, as the engine counted it.
    const int prompt = w.desk().branch().back().message.timings.promptTokens;
    QVERIFY(prompt > 0);
    QCOMPARE(w.pane()->words().parting,
             QString("The branches part after message 1. The shared beginning has %1 tokens.").arg(prompt));
    QVERIFY2(w.pane()->words().about.contains("Version 1 of 2"), qPrintable(w.pane()->words().about));
    QCOMPARE(w.view().transcript()->markedRow(), 1);
    QCOMPARE(w.pane()->transcript().markedRow(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(isMarkSeen(w.pane()->transcript()), kPatience);
    const auto* const toEnd = w.pane()->transcript().findChild<QPushButton*>({}, Qt::FindDirectChildrenOnly);
    QTRY_VERIFY_WITH_TIMEOUT(toEnd->isHidden(), kPatience);  // all of it is in sight
    const QStringList changing{"Again", "Edit", "⋯", "‹", "›"};
    for (const QToolButton* button : w.pane()->findChildren<QToolButton*>())  // it is there to be read
      QVERIFY2(!button->isVisible() || !changing.contains(button->text()), qPrintable(button->text()));
    // What is asked next is in one branch alone.
    w.ask("Go on.");
    QVERIFY(w.answered(4));
    QTRY_COMPARE_WITH_TIMEOUT(beside.rowCount(), 2, kPatience);
    QVERIFY(w.pane()->words().parting.startsWith("The branches part after message 1."));
    // They change places, and back.
    w.clickInPane("Swap");
    QCOMPARE(w.chat().rowCount(), 2);
    QCOMPARE(w.chat().at(1).message, first);
    QCOMPARE(beside.rowCount(), 4);
    QCOMPARE(w.window.focusWidget(), static_cast<QWidget*>(w.input()));
    w.chooseInMenu(Qt::Key_B);  // the same command closes it
    QVERIFY(waitUntil([&] { return w.isGone(); }));
    QCOMPARE(w.view().transcript()->markedRow(), -1);
    QVERIFY(w.view().transcript()->findChildren<ForkMark*>().isEmpty());
  }

  void aChatOfTheList() {
    Window w;
    const ChatId left = w.openTwo().first;
    QVERIFY(w.isGone());
    w.chooseOver(left, Qt::Key_B);
    QVERIFY(w.pane() && w.pane()->isVisible());
    QVERIFY(w.pane()->transcript().hasFocus());
    QCOMPARE(w.pane()->words().title, QString("Left"));
    QCOMPARE(w.pane()->words().parting, QString("The chats part after message %1.").arg(kShared));
    QTRY_VERIFY_WITH_TIMEOUT(isMarkSeen(w.pane()->transcript()), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(isMarkSeen(*w.view().transcript()), kPatience);
    QVERIFY(w.view().geometry().right() < w.pane()->geometry().left());
    QTest::keyClick(&w.pane()->transcript(), Qt::Key_Escape);
    QVERIFY(waitUntil([&] { return w.isGone(); }));
    QVERIFY(w.input()->hasFocus());
  }

  void aBranchOfTheMap() {
    Window w;
    w.openTwo();
    QTRY_VERIFY_WITH_TIMEOUT(w.view().branchesButton()->isVisible(), kPatience);
    QTest::mouseClick(w.view().branchesButton(), Qt::LeftButton);
    BranchMap* const map = w.window.chats().tree().map();
    QTRY_COMPARE_WITH_TIMEOUT(map->model()->rowCount(), 3, kPatience);
    QVERIFY(
        waitUntil([&] { return map->isVisible() && map->visualRect(map->model()->index(1, 0)).isValid(); }));
    w.chooseOver(map->viewport(), map->visualRect(map->model()->index(1, 0)).center(), Qt::Key_B);
    QVERIFY(w.pane() && w.pane()->isVisible());
    QCOMPARE(w.pane()->model().rowCount(), kShared + 8);
    QCOMPARE(w.pane()->model().at(kShared + 7).text, QString("Berta says %1.").arg(kShared + 8));
    QCOMPARE(w.pane()->transcript().markedRow(), kShared + 7);
    w.clickInPane("Close");
    QVERIFY(waitUntil([&] { return w.isGone(); }));
  }

  // Another chat is opened, and then none: what stands beside stays, and the words tell what is so now.
  void itStaysWhenAnotherChatIsOpened() {
    Window w;
    const auto [left, right] = w.openTwo();
    w.chooseOver(left, Qt::Key_B);
    w.desk().open(left);
    QTRY_COMPARE_WITH_TIMEOUT(w.pane()->words().parting, QString("Both are the same."), kPatience);
    QCOMPARE(w.view().transcript()->markedRow(), -1);
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(w.pane()->words().parting, QString("The other chat is still empty."),
                              kPatience);
    w.desk().open(right);
    QTRY_COMPARE_WITH_TIMEOUT(w.view().transcript()->markedRow(), kShared, kPatience);
    // The chat that is open goes, and then the other one.
    w.chooseOver(right, Qt::Key_D);
    QTRY_COMPARE_WITH_TIMEOUT(w.chat().rowCount(), 0, kPatience);
    QVERIFY(w.pane() && w.pane()->isVisible());
    w.chooseOver(left, Qt::Key_D);
    QTRY_VERIFY_WITH_TIMEOUT(w.isGone(), kPatience);
  }

  void itFollowsAnAnswer() {
    Window w(24);
    QVERIFY(w.openModel());
    const ChatId first = w.openTwo(12).first;
    w.desk().open(first);
    const int rows = w.chat().rowCount() + 2;
    QVERIFY(w.askAndHold("Tell me a story."));
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    w.chooseOver(first, Qt::Key_B);
    QVERIFY(w.pane() && w.pane()->isVisible());
    ChatModel& beside = w.pane()->model();
    QCOMPARE(beside.rowCount(), rows);
    QVERIFY(beside.isAnswering());
    const QScrollBar* const bar = w.pane()->transcript().verticalScrollBar();
    const auto isAtEnd = [bar] { return bar->maximum() > 0 && bar->value() == bar->maximum(); };
    QTRY_VERIFY_WITH_TIMEOUT(isAtEnd(), kPatience);
    w.window.host().run();
    const auto answer = [&]() -> const ChatEntry& { return beside.at(beside.rowCount() - 1); };
    QTRY_COMPARE_WITH_TIMEOUT(answer().status, AnswerStatus::kDone, kPatience);
    const auto kept = [&] { return w.desk().branchOf(first).back().message; };
    QTRY_COMPARE_WITH_TIMEOUT(kept().state, MessageState::kComplete, kPatience);
    QVERIFY(!answer().text.isEmpty());
    QCOMPARE(answer().text, kept().text);
    QVERIFY(answer().reuse != nullptr);
    QTRY_VERIFY_WITH_TIMEOUT(isAtEnd(), kPatience);
    // The other conversation is written meanwhile, and this one stays.
    w.ask("What is a token?");
    QVERIFY(w.answered(2));
    QCOMPARE(beside.rowCount(), rows);
    QTRY_COMPARE_WITH_TIMEOUT(w.pane()->words().parting, QString("They share no beginning."), kPatience);
    // A question in the chat beside, from another place: it comes there, at the end.
    const MessageId question =
        w.desk().history().addMessage(first, kept().id, MessageRole::kUser, "And then?");
    QVERIFY(question != 0);
    emit w.desk().listChanged();
    QTRY_COMPARE_WITH_TIMEOUT(beside.rowCount(), rows + 1, kPatience);
    QCOMPARE(answer().message, question);
    QTRY_VERIFY_WITH_TIMEOUT(isAtEnd(), kPatience);
  }

  void itFitsANarrowWindow_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent");
    QTest::newRow("1366x768") << QSize(1366, 768) << 100;
    QTest::newRow("1024x700") << QSize(1024, 700) << 100;
    QTest::newRow("1024x700, large letters") << QSize(1024, 700) << 150;
  }
  void itFitsANarrowWindow() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    const Appearance look(ColourScheme::kLight, percent);
    Window w;
    w.window.resize(size);
    const ChatId left = w.openTwo().first;
    w.window.chats().beside().open(left);
    QWidget* const page = w.pane()->parentWidget();
    const auto whole = [&] {
      const QRect above = w.view().geometry(), beside = w.pane()->geometry();
      const bool apart = above.right() < beside.left() || above.bottom() < beside.top();
      return apart && page->rect().contains(above) && page->rect().contains(beside) &&
             beside.width() >= w.pane()->minimumSizeHint().width() &&
             w.view().height() >= w.view().minimumSizeHint().height() &&
             beside.height() >= w.pane()->minimumSizeHint().height();
    };
    QTRY_VERIFY_WITH_TIMEOUT(whole(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(isMarkSeen(w.pane()->transcript()), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(isMarkSeen(*w.view().transcript()), kPatience);
    if (const QString to = qEnvironmentVariable("VITRINE_PICTURES"); !to.isEmpty()) {
      QTest::qWait(300);
      w.window.grab().save(QStringLiteral("%1/beside-%2.png").arg(to, QTest::currentDataTag()));
    }
    QCOMPARE(w.window.size(), size);
    const int letter = page->fontMetrics().averageCharWidth();
    QVERIFY(std::min(w.view().width(), w.pane()->width()) >= 40 * letter);  // lines that can be read
  }

  void theKeysReachIt_data() {
    QTest::addColumn<ColourScheme>("scheme");
    QTest::newRow("light") << ColourScheme::kLight;
    QTest::newRow("dark") << ColourScheme::kDark;
    QTest::newRow("high-contrast") << ColourScheme::kHighContrast;
  }
  void theKeysReachIt() {
    QFETCH(ColourScheme, scheme);
    const Appearance look(scheme, 100);
    Window w;
    const ChatId left = w.openTwo(2).first;
    w.window.chats().beside().open(left);
    QTRY_VERIFY_WITH_TIMEOUT(isMarkSeen(w.pane()->transcript()), kPatience);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();  // layouts follow one another
    const auto isBar = [](const QWidget& part) {  // of the window: its commands are in menus, too
      for (const QWidget* one = &part; one; one = one->parentWidget())
        if (one->inherits("QToolBar")) return true;
      return false;
    };
    KeyWalk walk(w.window, isBar);
    const QStringList complaints = walk.complaints(w.input());
    if (const QString to = qEnvironmentVariable("VITRINE_PICTURES"); !to.isEmpty())
      w.window.grab().save(QStringLiteral("%1/walk-%2.png").arg(to, QTest::currentDataTag()));
    QVERIFY2(complaints.isEmpty(), qPrintable(QChar(u'\n') + complaints.join(u'\n')));
    const QStringList names = walk.names();
    for (const char* name : {"Conversation", "Swap the two: go on writing in this one",
                             "Close the conversation beside (Esc)", "Conversation beside"})
      QVERIFY2(names.contains(QLatin1String(name)), name);
  }
};

QTEST_MAIN(TestChatBeside)
#include "tst_chat_beside.moc"

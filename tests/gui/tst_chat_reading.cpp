// A chat is read: its branches beside it, and copies of it, with real keys and clicks in the window.
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "gui/chat/chat_branches.h"
#include "gui/chat/chat_menu.h"
#include "gui/chat/chats.h"
#include "support/chat_window.h"
#include "widgets/chat/branch_map.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_copy.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/sampler/sampler_controls.h"

using namespace vitrine;
using namespace vitrine::test;

class TestChatReading : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void theMapShowsABranch() {
    ChatWindow w(24);
    QVERIFY(w.openModel());
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    QPushButton* const button = w.view().branchesButton();
    QVERIFY(!button->isVisible());
    QVERIFY(w.press("Edit"));
    w.view().input()->clear();
    w.ask("What is a token?");
    QVERIFY(w.answered(2));
    QTRY_VERIFY_WITH_TIMEOUT(button->isVisible(), kPatience);
    QCOMPARE(w.window.chats().tree().reads(), 0);  // nothing is read for a map that is not seen
    QTest::mouseClick(button, Qt::LeftButton);
    BranchMap* const map = w.window.chats().tree().map();
    QTRY_COMPARE_WITH_TIMEOUT(map->model()->rowCount(), 2, kPatience);
    QVERIFY(map->isVisible() && map->hasFocus());
    QCOMPARE(map->currentIndex().data().toString(), QString("You: What is a token?"));
    if (!qEnvironmentVariableIsEmpty("VITRINE_PICTURES"))
      w.window.grab().save(qEnvironmentVariable("VITRINE_PICTURES") + "/branches.png");
    QTest::keyClick(map, Qt::Key_Up);
    QTest::keyClick(map, Qt::Key_Return);
    QCOMPARE(w.chat().at(0).text, QString("Hello!"));
    QTRY_VERIFY_WITH_TIMEOUT(map->content().isShown(0), kPatience);
    const int reads = w.window.chats().tree().reads();
    QTest::mouseClick(map->viewport(), Qt::LeftButton, {},
                      map->visualRect(map->model()->index(1, 0)).center());
    QCOMPARE(w.chat().at(0).text, QString("What is a token?"));
    QTRY_COMPARE_WITH_TIMEOUT(w.window.chats().tree().reads(), reads + 1, kPatience);
    // What the history says that an answer took from the cache, the map says too.
    const AnswerTimings timings = w.desk().branch().back().message.timings;
    QVERIFY(timings.promptTokens > 0);
    const QString said = map->model()->index(1, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(said.contains(QString("%1 of %2").arg(timings.cachedTokens).arg(timings.promptTokens)),
             qPrintable(said));
    QTest::keyClick(map, Qt::Key_Escape);
    QVERIFY(!map->isVisible());
    QVERIFY(w.view().input()->hasFocus());
    QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!button->isVisible());
  }

  void anAnswerAndAChatAreCopied() {
    ChatWindow w(16);
    QVERIFY(w.openModel());
    const auto chatCommand = [&](const QString& part) {
      QMenu& menu = w.window.chats().menu();
      emit menu.aboutToShow();
      for (QAction* action : menu.actions())
        if (action->text().contains(part)) return action;
      return static_cast<QAction*>(nullptr);
    };
    QVERIFY(!chatCommand("chat as &Markdown")->isEnabled());  // nothing is there to copy
    w.ask("Hello!");
    QVERIFY(w.answered(2));
    const QString answer = w.chat().at(1).text;
    const auto copied = [] { return QGuiApplication::clipboard()->text(); };
    // The button's menu comes with the click and goes with the choice, so that it leaves no commands behind.
    const auto commands = [&] { return w.window.findChildren<QAction*>().size(); };
    const auto before = commands();
    for (const Qt::Key key : {Qt::Key_M, Qt::Key_P}) {
      QGuiApplication::clipboard()->clear();
      QVERIFY(w.press(QStringLiteral("⋯")));
      auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu != nullptr);
      QTest::keyClick(menu, key);
      QCOMPARE(copied(), key == Qt::Key_M ? answer : plainTextOf(answer));
      QCOMPARE(QGuiApplication::clipboard()->mimeData()->hasFormat("text/markdown"), key == Qt::Key_M);
      QTRY_COMPARE_WITH_TIMEOUT(commands(), before, kPatience);
    }
    chatCommand("chat as &Markdown")->trigger();
    QCOMPARE(copied(), QString("## You\n\nHello!\n\n## Model\n\n%1\n").arg(answer));
    chatCommand("chat as &plain")->trigger();
    QCOMPARE(copied(), QString("You: Hello!\n\nModel: %1\n").arg(plainTextOf(answer)));
  }
};

QTEST_MAIN(TestChatReading)
#include "tst_chat_reading.moc"

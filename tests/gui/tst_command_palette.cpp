// The palette of commands in the window, by its keys: what it lists, what Enter runs, what is said to a
// screen reader, and that it fits.
#include "gui/commands/command_palette.h"

#include <QAccessible>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPointer>

#include "gui/chat/chats.h"
#include "gui/scenario/scenario_line.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Opened by its key, which goes to the part that has the focus.
CommandPalette* opened(MainWindow& window) {
  window.activateWindow();
  if (!QTest::qWaitForWindowActive(&window)) return qWarning("the window does not become active"), nullptr;
  QWidget* const focus = QApplication::focusWidget();
  QTest::keyClick(focus ? focus : &window, Qt::Key_K, Qt::ControlModifier);
  const QPointer<CommandPalette> palette = window.findChild<CommandPalette*>();
  if (!palette) return qWarning("the key opens nothing"), nullptr;
  if (!waitUntil([&] { return !palette || palette->line()->hasFocus(); }) || !palette)
    return qWarning("the palette does not get the focus"), nullptr;
  return palette;
}

QString rowText(const CommandPalette& palette, int row) {
  return palette.list()->model()->index(row, 0).data().toString();
}
QString chosen(const CommandPalette& palette) { return palette.list()->currentIndex().data().toString(); }

bool isGone(MainWindow& window) {
  return waitUntil([&] { return window.findChild<CommandPalette*>() == nullptr; });
}

}  // namespace

class TestCommandPalette : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void everyCommandOfTheMenusIsListed() {
    ShownWindow w;
    QVERIFY(w.openModel());
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    QSet<QString> listed;
    for (int row = 0; row < palette->list()->model()->rowCount(); ++row)
      listed += rowText(*palette, row).section(QStringLiteral(" › "), -1);
    int seen = 0;
    for (const QAction* menu : w.window.menuBar()->actions())
      for (const QAction* action : menu->menu()->actions()) {
        if (action->isSeparator() || action->menu() || action->text().isEmpty()) continue;
        QVERIFY2(listed.contains(plainTitle(action->text())), qPrintable(action->text()));
        ++seen;
      }
    QVERIFY2(seen > 20, qPrintable(QString::number(seen)));
    bool disabled = false;
    for (int row = 0; row < palette->list()->model()->rowCount(); ++row) {
      const bool enabled = palette->list()->model()->index(row, 0).data(CommandList::kEnabled).toBool();
      QVERIFY2(!(disabled && enabled), qPrintable(rowText(*palette, row)));
      disabled = disabled || !enabled;
    }
    QVERIFY(disabled);
    QTest::keyClick(palette->line(), Qt::Key_Escape);
    QVERIFY(isGone(w.window));
  }

  void enterRunsWhatIsChosen() {
    ShownWindow w;
    QVERIFY(w.openModel());
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    QTest::keyClicks(palette->line(), "just chat");
    QCOMPARE(chosen(*palette), QStringLiteral("View › Just chat"));
    QCOMPARE(palette->list()->currentIndex().data(CommandList::kKeys).toString(),
             QKeySequence(Qt::CTRL | Qt::Key_1).toString(QKeySequence::NativeText));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.panels().chat->isVisible(), kPatience);
    QVERIFY(isGone(w.window));
  }

  void upAndDownGoRound() {
    ShownWindow w;
    QVERIFY(w.openModel());
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    const int rows = palette->list()->model()->rowCount();
    QCOMPARE(palette->list()->currentIndex().row(), 0);
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentIndex().row(), 1);
    QTest::keyClick(palette->line(), Qt::Key_Up);
    QTest::keyClick(palette->line(), Qt::Key_Up);
    QCOMPARE(palette->list()->currentIndex().row(), rows - 1);
    QTest::keyClick(palette->line(), Qt::Key_Return);  // the last one is not available now
    QVERIFY(palette->isVisible());
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QCOMPARE(palette->list()->currentIndex().row(), 0);
    QTest::keyClicks(palette->line(), "no such command at all");
    QCOMPARE(palette->list()->model()->rowCount(), 0);
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QVERIFY(palette->isVisible());
  }

  void aScenarioIsOpened() {
    ShownWindow w;
    QVERIFY(w.openModel());
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    const QString title = QString::fromStdString(readScenario("six-blocks").title);
    QTest::keyClicks(palette->line(), title);
    QVERIFY2(chosen(*palette).endsWith(title), qPrintable(chosen(*palette)));
    QVERIFY(chosen(*palette).startsWith(QLatin1String("Scenario")));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.scenario().isVisible(), kPatience);
  }

  // From the message that is being written, where Ctrl+K could mean something else.
  void aChatIsOpened() {
    ShownWindow w(Perspective::kChat);
    QVERIFY(w.openModel());
    Desk& desk = w.window.chats().desk();
    const ChatId chat = desk.history().createChat();
    desk.history().addMessage(chat, 0, MessageRole::kUser, QStringLiteral("Foxes in the snow"));
    desk.history().addMessage(desk.history().createChat(), 0, MessageRole::kUser, QStringLiteral("Another"));
    QPlainTextEdit* input = w.window.panels().chat->input();
    input->setPlainText(QStringLiteral("half a thought"));
    input->moveCursor(QTextCursor::Start);
    input->setFocus();
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    QCOMPARE(input->toPlainText(), QStringLiteral("half a thought"));
    QTest::keyClicks(palette->line(), "snow fox");
    QCOMPARE(chosen(*palette), QStringLiteral("Chats › Foxes in the snow"));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(desk.shown(), chat, kPatience);
    QCOMPARE(w.window.panels().chatModel->at(0).text, QStringLiteral("Foxes in the snow"));
  }

  void aClickRunsAndAClickElsewhereCloses() {
    ShownWindow w;
    QVERIFY(w.openModel());
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    QTest::keyClicks(palette->line(), "just chat");
    const QRect row = palette->list()->visualRect(palette->list()->model()->index(0, 0));
    QTest::mouseClick(palette->list()->viewport(), Qt::LeftButton, {}, row.center());
    QTRY_VERIFY_WITH_TIMEOUT(w.window.panels().chat->isVisible(), kPatience);
    QVERIFY(isGone(w.window));
    palette = opened(w.window);
    QVERIFY(palette);
    w.window.activateWindow();
    QVERIFY(isGone(w.window));
  }

  void aScreenReaderHearsTheChoice() {
    ShownWindow w;
    QVERIFY(w.openModel());
    CommandPalette* palette = opened(w.window);
    QVERIFY(palette);
    QTest::keyClicks(palette->line(), "reset");
    const QString keys = palette->list()->currentIndex().data(CommandList::kKeys).toString();
    const QString said =
        QAccessible::queryAccessibleInterface(palette->line())->text(QAccessible::Description);
    QVERIFY2(said.startsWith(chosen(*palette) + ", " + keys + ", 1 of "), qPrintable(said));
    palette->line()->clear();
    QTest::keyClick(palette->line(), Qt::Key_Down);
    QVERIFY(palette->line()->accessibleDescription().contains(QLatin1String(", 2 of ")));
  }

  void itFits_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent");
    QTest::newRow("a small laptop") << QSize(1366, 768) << 100;
    QTest::newRow("a projector, large letters") << QSize(1024, 700) << 200;
  }
  void itFits() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    const QFont before = QApplication::font();
    QFont larger = before;
    larger.setPointSizeF(before.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    {
      QWidget window;
      window.resize(size);
      window.show();
      QVERIFY(QTest::qWaitForWindowExposed(&window));
      std::vector<PaletteEntry> commands;
      for (int i = 0; i < 40; ++i) commands.push_back({QStringLiteral("Restore default layout"), "View"});
      CommandPalette palette(commands, &window);
      palette.show();
      QVERIFY(QTest::qWaitForWindowExposed(&palette));
      QVERIFY(window.frameGeometry().contains(palette.frameGeometry()));
      QVERIFY(palette.minimumSizeHint().width() <= palette.width());
      const QRect last = palette.list()->visualRect(palette.list()->model()->index(4, 0));
      QVERIFY(palette.list()->viewport()->rect().contains(last));
      const QFontMetrics metrics(palette.list()->font());
      QVERIFY(metrics.horizontalAdvance("View › Restore default layout") < last.width());
      const QString folder = qEnvironmentVariable("VITRINE_PICTURES");
      if (!folder.isEmpty())
        palette.grab().save(QStringLiteral("%1/palette-%2.png").arg(folder).arg(percent));
    }
    QApplication::setFont(before);
  }
};

QTEST_MAIN(TestCommandPalette)
#include "tst_command_palette.moc"

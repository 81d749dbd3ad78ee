// The window on small screens: as large as they allow and no larger, the strip at its foot whole, nothing of
// a panel below its least size, whatever is opened.
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTest>
#include <QToolBar>
#include <QWindow>

#include "gui/bars/status_strip.h"
#include "gui/panels/panel_dock.h"
#include "gui/parts/message_bar.h"
#include "gui/parts/screen_fit.h"
#include "gui/scenario/scenario_chooser.h"
#include "gui/scenario/scenario_editor.h"
#include "gui/scenario/scenario_line.h"
#include "gui/settings/engine_options_dialog.h"
#include "gui/window/main_window.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/support/tab_rows.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

QScreen* screenCalled(const QString& name) {
  for (QScreen* screen : QGuiApplication::screens())
    if (screen->name() == name) return screen;
  return nullptr;
}

// The offscreen platform's frame has no title bar; a desktop's takes about so much.
constexpr int kTitleBar = 36;

void putOn(QWidget& window, QScreen* screen) {
  window.setScreen(screen);
  window.move(screen->geometry().topLeft());
}

// For a message: what each part wants at least.
QString leastSizes(const MainWindow& window) {
  QString text = QStringLiteral(": the window is %1 high").arg(window.height());
  for (const QWidget* part : window.findChildren<QWidget*>()) {
    if (!part->isVisible() || part->minimumSizeHint().height() < 60) continue;
    const QSize least = part->minimumSizeHint();
    text += QStringLiteral("\n%1 %2: %3×%4")
                .arg(QLatin1String(part->metaObject()->className()), part->objectName())
                .arg(least.width())
                .arg(least.height());
  }
  return text;
}

// What is not as it should be; empty when all is.
QString complaint(MainWindow& window) {
  const QScreen& screen = *window.screen();
  const QRect available = window.isFullScreen() ? screen.geometry() : screen.availableGeometry();
  QStringList wrong;
  const auto text = [](const QRect& r) {
    return QStringLiteral("%1×%2 at %3,%4").arg(r.width()).arg(r.height()).arg(r.x()).arg(r.y());
  };
  if (!available.contains(window.frameGeometry()))
    wrong << "the frame is " + text(window.frameGeometry()) + " on " + text(available);
  for (QWidget* part : window.findChildren<QWidget*>()) {
    const bool counts = part == &window.status() || part == window.centralWidget() ||
                        qobject_cast<QDockWidget*>(part) || qobject_cast<QToolBar*>(part) ||
                        part->parentWidget() == window.centralWidget();
    // A dock behind another tab lies outside; nothing of it is in sight.
    if (const auto* dock = qobject_cast<PanelDock*>(part); dock && !dock->isInSight()) continue;
    if (!counts || !part->isVisible() || part->visibleRegion().isEmpty()) continue;
    const QString name = QLatin1String(part->metaObject()->className()) + ' ' + part->objectName();
    const QRect place(part->mapTo(&window, QPoint()), part->size());
    if (!window.rect().contains(place)) wrong << name + " lies at " + text(place);
    const QSize least = part->minimumSizeHint();
    if (part->width() < least.width() || part->height() < least.height())
      wrong << QStringLiteral("%1 is %2, and needs %3×%4")
                   .arg(name, text(place))
                   .arg(least.width())
                   .arg(least.height());
  }
  return wrong.join("\n");
}

}  // namespace

class TestWindowFits : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

  static void addScreens() {
    QTest::addColumn<QString>("screen");
    QTest::newRow("a small laptop") << "1366x768";
    QTest::newRow("a projector") << "1024x700";
  }
  static bool isReady(MainWindow& window) { return waitForMode(window, MachineMode::kPaused); }

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void nothingIsCutWhateverIsOpened_data() {
    QTest::addColumn<QString>("screen");
    QTest::addColumn<int>("percent");
    QTest::newRow("a small laptop") << "1366x768" << 100;
    QTest::newRow("a projector") << "1024x700" << 100;
    QTest::newRow("a projector, large letters") << "1024x700" << 150;
  }
  void nothingIsCutWhateverIsOpened() {
    QFETCH(QString, screen);
    QFETCH(int, percent);
    QSettings().setValue("window/textPercent", percent);
    MainWindow window;
    QVERIFY(screenCalled(screen));
    putOn(window, screenCalled(screen));
    window.show();
    window.showPerspective(Perspective::kStep);
    window.openModel({});
    QVERIFY(QTest::qWaitForWindowExposed(&window) && isReady(window));
    window.resize(window.width(), window.height() - kTitleBar);
    const QSize size = window.size();
    const std::vector<std::string> scenarios = shippedScenarioNames();
    QVERIFY(scenarios.size() >= 10);
    std::vector<QString> opened = {QString()};
    for (const std::string& name : scenarios) opened.push_back(QString::fromStdString(name));
    for (const QString& scenario : opened) {
      if (!scenario.isEmpty()) {
        window.openScenario(scenario);
        QVERIFY(isReady(window));
        QTRY_VERIFY_WITH_TIMEOUT(window.scenario().isVisible(), kPatience);
      }
      for (const Perspective perspective :
           {Perspective::kStep, Perspective::kPresent, Perspective::kChat, Perspective::kStep}) {
        window.showPerspective(perspective);
        QCoreApplication::processEvents();
        const QString what = QStringLiteral("%1 in %2: ").arg(scenario, Perspectives::keyOf(perspective));
        const QSize now = perspective == Perspective::kPresent ? window.screen()->size() : size;
        const bool keepsSize = QTest::qWaitFor([&] { return window.size() == now; }, 1000);
        QVERIFY2(keepsSize, qPrintable(what + "the window has another size"));
        const QSize least = window.minimumSizeHint();
        QVERIFY2(least.width() <= now.width() && least.height() <= now.height(),
                 qPrintable(what + leastSizes(window)));
        const bool fits = QTest::qWaitFor([&] { return complaint(window).isEmpty(); }, 1000);
        QVERIFY2(fits, qPrintable(what + complaint(window)));
      }
    }
  }

  // A pool of fewer than 256 blocks, its shelves and its legend are in sight without scrolling.
  void theMemoryIsWhole_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<Perspective>("perspective");
    QTest::newRow("a laptop") << QSize(1366, 768) << Perspective::kStep;
    QTest::newRow("a desktop") << QSize(1920, 1080) << Perspective::kStep;
    QTest::newRow("a laptop, presenting") << QSize(1366, 768) << Perspective::kPresent;
    QTest::newRow("a lecture hall") << QSize(1920, 1080) << Perspective::kPresent;
  }
  void theMemoryIsWhole() {
    QFETCH(QSize, size);
    QFETCH(Perspective, perspective);
    ShownWindow w(perspective, size);
    for (const char* scenario :
         {"preemption-swap", "shared-system-prompt", "six-blocks", "beam-search", "long-context-sinks"}) {
      w.window.openScenario(scenario);
      QVERIFY(isReady(w.window));
      QVERIFY(w.stepTimes(8));
      const BlockMapView& pool = *w.window.panels().blocks;
      const int blocks = static_cast<int>(w.window.session().state().blocks.size());
      QVERIFY2(blocks > 0 && blocks < 256, scenario);
      const auto wrong = [&] {
        const QRect port = pool.viewport()->rect();
        if (!pool.isVisible()) return QStringLiteral("the pool is out of sight");
        if (pool.verticalScrollBar()->maximum() > 0) return QStringLiteral("the pool is scrolled");
        if (pool.cellRect(0).height() < 16) return QStringLiteral("the cells are tiny");
        if (!port.contains(pool.cellRect(blocks - 1))) return QStringLiteral("the last block is cut");
        for (const SwapTier tier : {SwapTier::kHost, SwapTier::kDisk})
          if (const QRect slot = pool.slotRect(tier, 0); !slot.isEmpty() && !port.contains(slot))
            return QStringLiteral("a shelf is cut");
        if (pool.legend().words().isEmpty() || pool.legend().width() > port.width())
          return QStringLiteral("the legend is cut");
        return QString();
      };
      QVERIFY2(QTest::qWaitFor([&] { return wrong().isEmpty(); }, 2000),
               qPrintable(QLatin1String(scenario) + ": " + wrong() +
                          QStringLiteral(", %1 pixels").arg(pool.viewport()->height())));
    }
  }

  // In two rows where one is not enough; the second row takes clicks as the first does.
  void tabsAreWholeInLargeLetters_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("perspective");
    QTest::addColumn<bool>("twoRows");
    QTest::newRow("a projector") << QSize(1024, 664) << int(Perspective::kStep) << true;
    QTest::newRow("a small laptop") << QSize(1366, 732) << int(Perspective::kStep) << true;
    QTest::newRow("a small laptop, presenting") << QSize(1366, 732) << int(Perspective::kPresent) << true;
    QTest::newRow("a large screen") << QSize(1920, 1040) << int(Perspective::kStep) << false;
  }
  void tabsAreWholeInLargeLetters() {
    QFETCH(QSize, size);
    QFETCH(int, perspective);
    QFETCH(bool, twoRows);
    QSettings().setValue("window/textPercent", 150);
    ShownWindow w(static_cast<Perspective>(perspective), size);
    QVERIFY(w.openModel());
    QTest::qWait(50);
    int most = 1, tabs = 0;
    for (QTabBar* bar : w.window.findChildren<QTabBar*>()) {
      if (!bar->isVisible() || bar->count() < 2 || !w.window.rect().contains(bar->geometry().center()))
        continue;
      most = std::max(most, tabRows(*bar));
      const QFontMetrics bold(boldened(bar->font()));
      const std::vector<QRect> areas = tabAreas(*bar);
      for (int i = 0; i < bar->count(); ++i) {
        const QRect area = areas[static_cast<std::size_t>(i)];
        const QString what = QStringLiteral("“%1” has %2 of %3 pixels at %4, %5 in a bar of %6×%7")
                                 .arg(bar->tabText(i))
                                 .arg(area.width())
                                 .arg(bold.horizontalAdvance(bar->tabText(i)))
                                 .arg(area.x())
                                 .arg(area.y())
                                 .arg(bar->width())
                                 .arg(bar->height());
        QVERIFY2(bar->rect().contains(area), qPrintable(what));
        QVERIFY2(area.width() >= bold.size(Qt::TextShowMnemonic, bar->tabText(i)).width() + 6,
                 qPrintable(what));
        QVERIFY2(area.height() >= bold.height(), qPrintable(what));
        QTest::mouseClick(bar, Qt::LeftButton, {}, area.center());
        QCOMPARE(bar->currentIndex(), i);
        ++tabs;
      }
    }
    QVERIFY(tabs >= 7);
    QCOMPARE(most == 2, twoRows);
  }

  void panelsAndMessagesDoNotPushTheWindow_data() { addScreens(); }
  void panelsAndMessagesDoNotPushTheWindow() {
    QFETCH(QString, screen);
    MainWindow window;
    putOn(window, screenCalled(screen));
    window.show();
    window.showPerspective(Perspective::kStep);
    window.openScenario("six-blocks");
    QVERIFY(QTest::qWaitForWindowExposed(&window) && isReady(window));
    window.resize(window.width(), window.height() - kTitleBar);
    const QSize small = window.size();
    const auto size = [&] { return window.isFullScreen() ? window.screen()->size() : small; };
    window.showPerspective(Perspective::kPresent);
    window.messages().say(MessageCause::kChat, {Notice::kNote, QStringLiteral("It waits.")});
    window.messages().say(MessageCause::kOpening,
                          {Notice::kProblem,
                           QStringLiteral("The folder /home/someone/models/a-model-with-a-long-name holds no "
                                          "config.json, and no file that ends in .safetensors."),
                           QStringLiteral("Choose the folder that the model's files lie in."),
                           QStringLiteral("Try again"),
                           {}});
    // With the largest letters what stands at the sides, with plain ones what lies at the foot too.
    const auto open = [&](const char* panel) {
      QVERIFY(window.showPanel(panel));
      QTest::qWait(20);
      const bool keepsSize = QTest::qWaitFor([&] { return window.size() == size(); }, 1000);
      QVERIFY2(keepsSize, qPrintable(panel + leastSizes(window)));
      const bool whole = QTest::qWaitFor([&] { return complaint(window).isEmpty(); }, 1000);
      QVERIFY2(whole, qPrintable(panel + (": " + complaint(window))));
    };
    QVERIFY(window.scenario().isVisible() && window.messages().isVisible());
    for (const char* panel : {"chat", "sampler", "block_table"}) open(panel);
    window.showPerspective(Perspective::kStep);
    for (const char* panel : {"chat", "plot", "events", "metrics"}) open(panel);
    window.showPerspective(Perspective::kPresent);
    for (const char* panel : {"plot", "events", "metrics"}) window.showPanel(panel);
    QTest::qWait(20);
    QVERIFY(window.isFullScreen());
    QCOMPARE(window.size(), size());
    window.panels().chat->input()->setPlainText(QStringLiteral("a line\n").repeated(20));
    QTest::qWait(20);
    QVERIFY(window.size() == size());
  }

  void dialogsFitASmallScreen() {
    QSettings().setValue("window/textPercent", 150);
    MainWindow window;
    putOn(window, screenCalled("1024x700"));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto fits = [](QDialog& dialog) {
      dialog.setVisible(true);
      const QSize size = dialog.size(), least = dialog.minimumSizeHint();
      const QString sizes = QStringLiteral("%1: %2×%3, at least %4×%5")
                                .arg(dialog.windowTitle())
                                .arg(size.width())
                                .arg(size.height())
                                .arg(least.width())
                                .arg(least.height());
      QVERIFY(QTest::qWaitForWindowExposed(&dialog));
      QVERIFY2(QRect(0, 0, 1024, 700 - kTitleBar).contains(QRect(QPoint(), size.expandedTo(least))),
               qPrintable(sizes));
    };
    EngineOptionsDialog options(Settings::defaultEngineOptions(), &window);
    ScenarioEditor editor(readScenario("deadline-misses"), 17, &window);
    ScenarioChooser chooser({}, &window);
    for (QDialog* dialog : std::initializer_list<QDialog*>{&options, &editor, &chooser}) fits(*dialog);
  }

  // Whatever the strip says, the machine's mode is in it from the first letter to the last.
  void theStripIsWhole_data() { addScreens(); }
  void theStripIsWhole() {
    QFETCH(QString, screen);
    MainWindow window;
    putOn(window, screenCalled(screen));
    window.show();
    window.showPerspective(Perspective::kPresent);
    window.openModel({});
    QVERIFY(QTest::qWaitForWindowExposed(&window) && isReady(window));
    QTest::keyClick(&window, Qt::Key_F11);  // the strip is in sight beside other windows alone
    QVERIFY(!window.isFullScreen());
    window.stepPhase();
    QTRY_VERIFY(window.status().modeText().contains("PAUSED in step 1"));
    QLabel* mode = nullptr;
    for (QLabel* label : window.status().findChildren<QLabel*>())
      if (label->text() == window.status().modeText()) mode = label;
    QVERIFY(mode);
    QTest::qWait(20);
    const QRect place(mode->mapTo(&window, QPoint()), mode->size());
    QVERIFY(window.rect().contains(place));
    QVERIFY(place.width() >= mode->fontMetrics().horizontalAdvance(mode->text()));
    QVERIFY(place.height() >= mode->fontMetrics().height());
  }

  void aGeometryOfALargerScreenIsFitted() {
    {
      MainWindow large;
      putOn(large, screenCalled("roomy"));
      large.resize(1900, 1150);
      large.show();
      QVERIFY(QTest::qWaitForWindowExposed(&large));
      large.close();
    }
    MainWindow window;
    QVERIFY(window.width() > 1366);
    putOn(window, screenCalled("1366x768"));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QTRY_COMPARE(complaint(window), QString());
  }

  void itFitsWhenItComesBackFromFullScreen() {
    MainWindow window;
    putOn(window, screenCalled("1024x700"));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.showFullScreen();
    QTest::qWait(20);
    window.showNormal();
    QTRY_COMPARE(complaint(window), QString());
  }

  void fitted_data() {
    QTest::addColumn<QRect>("window");
    QTest::addColumn<QRect>("expected");
    QTest::newRow("fits") << QRect(10, 60, 800, 600) << QRect(10, 60, 800, 600);
    QTest::newRow("too large") << QRect(0, 0, 1366, 768) << QRect(2, 54, 1020, 640);
    QTest::newRow("too far right and down") << QRect(900, 500, 800, 600) << QRect(222, 94, 800, 600);
    QTest::newRow("title above the screen") << QRect(100, -10, 300, 200) << QRect(100, 54, 300, 200);
  }
  void fitted() {
    QFETCH(QRect, window);
    // A panel of 30 at the top and a title bar of 24.
    QTEST(ScreenFit::fitted(window, QMargins(2, 24, 2, 6), QRect(0, 30, 1024, 670)), "expected");
  }
};

QTEST_MAIN(TestWindowFits)
#include "tst_window_fits.moc"

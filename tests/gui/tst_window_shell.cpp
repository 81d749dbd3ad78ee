// The window around the views: cards and their summaries, phases, the scenario's next event, appearance, and
// what is open after a start.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPaintEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QStyleOptionButton>
#include <QStyleOptionSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "gui/bars/phase_strip.h"
#include "gui/bars/status_strip.h"
#include "gui/machine/run_state.h"
#include "gui/panels/arrangement.h"
#include "gui/panels/full_screen.h"
#include "gui/panels/panel_dock.h"
#include "gui/panels/stage.h"
#include "gui/parts/message_bar.h"
#include "gui/scenario/scenario_line.h"
#include "support/window_bench.h"
#include "widgets/chat/chat_view.h"
#include "widgets/explain/event_log_view.h"
#include "widgets/explain/step_comparison_view.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_view.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/predict/prediction_view.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/support/request_style.h"
#include "widgets/support/theme.h"
#include "widgets/support/window_words.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

PanelDock* panelOf(MainWindow& window, const char* name) { return window.findChild<PanelDock*>(name); }

}  // namespace

class TestWindowShell : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void theColumnsFoldWithTheRoom_data() {
    QTest::addColumn<QSize>("window");
    QTest::addColumn<int>("letter");
    QTest::addColumn<int>("columns");
    QTest::newRow("the design") << QSize(1366, 768) << 15 << int(Columns::kThree);
    QTest::newRow("a projector") << QSize(1024, 700) << 15 << int(Columns::kTwo);
    QTest::newRow("a projector, large letters") << QSize(1024, 700) << 22 << int(Columns::kStacked);
    QTest::newRow("a lecture hall") << QSize(1920, 1080) << 27 << int(Columns::kStacked);
    QTest::newRow("a desktop") << QSize(1920, 1080) << 15 << int(Columns::kThree);
  }
  void theColumnsFoldWithTheRoom() {
    QFETCH(QSize, window);
    QFETCH(int, letter);
    const Arrangement plan = arrangementFor(window, letter);
    QTEST(int(plan.columns), "columns");
    QVERIFY(plan.left + plan.right < window.width() * 2 / 3);
  }

  void thePoolComesBeforeTheLanes() {
    // With room for all: the largest cells that the lanes leave room for, at least comfortable ones.
    QCOMPARE(memoryHeight({.height = 700, .fewLanes = 200, .comfortable = 150, .largest = 300}), 300);
    QCOMPARE(memoryHeight({.height = 700, .fewLanes = 200, .comfortable = 150, .largest = 90}), 150);
    // Three lanes stay, unless the pool would get less than half.
    QCOMPARE(memoryHeight({.height = 500, .fewLanes = 200, .comfortable = 400, .largest = 90}), 300);
    QCOMPARE(memoryHeight({.height = 400, .fewLanes = 300, .comfortable = 350, .largest = 90}), 220);
  }

  void theWindowFoldsAndUnfolds() {
    ShownWindow w(Perspective::kStep, {1366, 768});
    QVERIFY(w.openModel());
    QTest::qWait(30);
    PanelDock* requests = panelOf(w.window, "requests");
    PanelDock* why = panelOf(w.window, "why");
    QVERIFY(!requests->isTabbed() && requests->x() < why->x());
    const int wide = requests->width();
    w.window.resize(1024, 700);
    QTRY_VERIFY(requests->isTabbed() && why->isTabbed());
    w.window.resize(1366, 768);
    QTRY_VERIFY(!requests->isTabbed() && requests->x() < why->x());
    QTRY_VERIFY(std::abs(requests->width() - wide) <= 8);
  }

  void theFirstLookIsThePlan() {
    ShownWindow w(Perspective::kStep, {1366, 768});
    QVERIFY(w.openModel());
    QTest::qWait(50);
    const auto area = [&](const char* name) { return panelOf(w.window, name)->geometry(); };
    const QRect stage(w.window.findChild<Stage*>()->mapTo(&w.window, QPoint()),
                      w.window.findChild<Stage*>()->size());
    QVERIFY(std::abs(area("requests").width() - 258) < 30);
    QVERIFY(std::abs(area("why").width() - 374) < 30);
    QVERIFY(area("blocks").top() > stage.bottom() && area("blocks").right() < area("why").left());
    QVERIFY(area("why").bottom() < area("sampler").top());
    QVERIFY(area("sampler").bottom() > area("blocks").bottom() - 12);  // the columns have the full height
    QVERIFY(stage.height() > 200 && area("blocks").height() > 140 && area("why").height() > 170);
    for (const char* closed : {"plot", "events", "metrics", "blockedBy", "comparison"})
      QVERIFY(!panelOf(w.window, closed)->isVisible());
  }

  // From a link of a sentence to the block, the request and the step.
  void linksOfWhyAreFollowed() {
    ShownWindow w;
    QVERIFY(w.openModel());
    for (int i = 0; i < 3; ++i) QVERIFY(w.stepTimes(1));
    const Panels& panels = w.window.panels();
    emit panels.why->list()->followed({.sequence = 2, .blocks = {3}});
    QCOMPARE(w.window.session().selectedSequence(), 2);
    QCOMPARE(panels.blocks->currentBlock(), 3);
    emit panels.why->list()->followed({.step = 1});
    QCOMPARE(w.window.session().step(), 1);
    QVERIFY(!w.window.session().isLive());
    emit panels.why->list()->followed({.request = 1});
    QCOMPARE(w.window.session().selectedSequence(), 1);
  }

  // Each panel that is asked for is in sight with room for its content, whatever was there before.
  void aPanelThatIsAskedForIsInSight_data() {
    QTest::addColumn<QSize>("window");
    QTest::newRow("projector") << QSize(1024, 700);
    QTest::newRow("laptop") << QSize(1366, 768);
    QTest::newRow("desktop") << QSize(1920, 1080);
  }
  void aPanelThatIsAskedForIsInSight() {
    QFETCH(QSize, window);
    ShownWindow w(Perspective::kStep, window);
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(1));
    const QSize size = w.window.size();
    for (PanelDock* dock : w.window.findChildren<PanelDock*>()) {
      w.window.restoreDefaultLayout();
      w.window.showPanel(dock->objectName());
      const bool inSight = waitUntil([&] {
        return dock->isInSight() && dock->height() >= 100 &&
               dock->findChild<QAbstractScrollArea*>()->isVisible();
      });
      QVERIFY2(inSight, dock->objectName().toUtf8() + " has " + QByteArray::number(dock->height()));
    }
    QCOMPARE(w.window.size(), size);
  }

  // A click with Shift on the time axis opens the list of what differs, and its row is followed.
  void twoStepsAreComparedFromTheAxis() {
    ShownWindow w;
    QVERIFY(w.openModel());
    for (int i = 0; i < 4; ++i) QVERIFY(w.stepTimes(1));
    const Panels& panels = w.window.panels();
    QVERIFY(!panels.comparison->isVisible());
    const QPoint tick(qRound(panels.timeline->xOf(1)), panels.timeline->height() / 2);
    QTest::mouseClick(panels.timeline->viewport(), Qt::LeftButton, Qt::ShiftModifier, tick);
    QTRY_VERIFY(panels.comparison->isVisible());
    StepComparisonModel* const model = panels.comparison->model();
    QCOMPARE(*model->other(), 1);
    QVERIFY(w.window.session().isLive() && model->rowCount() > 0);
    QVERIFY(panelOf(w.window, "comparison")->summary().startsWith("Step 1 → step 4: "));
    int row = 0;
    while (model->at(row).target.sequence != 2) QVERIFY(++row < model->rowCount());
    emit panels.comparison->table()->activated(model->index(row, 0));
    QCOMPARE(w.window.session().selectedSequence(), 2);
    PanelDock* const memory = panelOf(w.window, "blocks");
    QVERIFY(!memory->isInSight());  // it was covered, and comes back
    QTest::mouseClick(panels.comparison->endButton(), Qt::LeftButton);
    QTRY_VERIFY(memory->isInSight());
    QVERIFY(!panels.comparison->isVisible());
    QCOMPARE(model->rowCount(), 0);
  }

  // From a block to its events.
  void theEventsOfABlockAreShown() {
    ShownWindow w;
    QVERIFY(w.openModel());
    for (int i = 0; i < 2; ++i) QVERIFY(w.stepTimes(1));
    const Panels& panels = w.window.panels();
    emit panels.blocks->eventsRequested(0);
    QTRY_VERIFY(panels.events->isVisible());
    const QAbstractItemModel* const lines = panels.events->table()->model();
    QVERIFY(lines->rowCount() > 0);
    for (int row = 0; row < lines->rowCount(); ++row)
      QVERIFY(lines->index(row, EventLogModel::kText).data().toString().contains("0"));
  }

  // A row of it and its block of the map select each other.
  void theBlockTableIsATabOfTheMemory() {
    ShownWindow w(Perspective::kStep, {1366, 768});
    QVERIFY(w.openModel());
    QTest::qWait(50);
    QVERIFY(panelOf(w.window, "blocks")->isInSight() && !panelOf(w.window, "blockTable")->isInSight());
    QVERIFY(
        w.window.tabifiedDockWidgets(panelOf(w.window, "blocks")).contains(panelOf(w.window, "blockTable")));
    QVERIFY(w.stepTimes(1));
    w.window.panels().blocks->setCurrentBlock(0);
    QVERIFY(w.window.showPanel("block_table"));
    DataTableView* rows = w.window.panels().blockTable;
    BlockMapView* map = w.window.panels().blocks;
    QTRY_VERIFY(rows->isVisible() && rows->model()->rowCount() > 0);
    map->setFocus();
    const int block = rows->model()->index(0, 1).data().toInt();
    map->setCurrentBlock(block);
    QCOMPARE(rows->currentIndex().row(), 0);
    map->setCurrentBlock(block == 0 ? 40 : 0);
    rows->setFocus();
    rows->setCurrentIndex({});
    QTest::keyClick(rows, Qt::Key_Down);
    QCOMPARE(map->currentBlock(), rows->model()->index(rows->currentIndex().row(), 1).data().toInt());
  }

  void theDrawerOpensAndCloses() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QToolButton* drawer = nullptr;
    for (auto* button : w.window.findChildren<QToolButton*>())
      if (button->isCheckable() && button->text().startsWith("Plots")) drawer = button;
    QVERIFY(drawer && !drawer->isChecked());
    drawer->click();
    QTRY_VERIFY(w.window.panels().plot->isVisible());
    QTRY_VERIFY(drawer->isChecked());
    drawer->click();
    QTRY_VERIFY(!w.window.panels().plot->isVisible());
    QTRY_VERIFY(!drawer->isChecked());
    QTRY_VERIFY(w.window.panels().blocks->isVisible());
  }

  void aPanelBehindATabDoesNothing() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.window.showPanel("plot"));
    QTRY_VERIFY(w.window.panels().plot->isVisible() && !w.window.panels().blocks->isVisible());
    const int paints = w.window.panels().blocks->paintCount();
    QVERIFY(w.stepTimes(1));
    QTest::qWait(50);
    QCOMPARE(w.window.panels().blocks->paintCount(), paints);
    QVERIFY(w.window.showPanel("blocks"));
    QTRY_VERIFY(w.window.panels().blocks->isVisible() && w.window.panels().blocks->paintCount() > paints);
  }

  void headersSayWhatIsKnown() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QTRY_COMPARE(panelOf(w.window, "requests")->summary(), QString("3 wait"));
    QVERIFY(w.stepTimes(1));
    QTRY_VERIFY(panelOf(w.window, "blocks")->summary().contains("of 64 blocks in use"));
    QTRY_VERIFY(panelOf(w.window, "why")->summary().startsWith(QString("step 1")));
    QVERIFY(panelOf(w.window, "sampler")->summary().startsWith("T 0.7"));
    QVERIFY(panelOf(w.window, "sampler")->summary().contains("drawn: “"));
  }

  // The card's button guesses and steps the machine; looking back at the step asks something else about it.
  void aGuessStepsTheMachine() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QTRY_COMPARE(panelOf(w.window, "requests")->summary(), QString("3 wait"));
    QVERIFY(w.window.showPanel("predict"));
    auto* view = w.window.findChild<PredictionView*>();
    QVERIFY(view);
    QTRY_VERIFY(view->isVisible() && view->model()->question());
    while (view->model()->question()->kind != QuestionKind::kAdmitted)
      QTest::mouseClick(view->anotherButton(), Qt::LeftButton);
    for (int i = 0; i < 3; ++i) view->boxes()[std::size_t(i)]->click();
    QTest::mouseClick(view->guessButton(), Qt::LeftButton);
    QTRY_COMPARE(view->outcomeLabel()->text(), QString::fromUtf8("✓ Step 1: A, B and C. Points: 1.00."));
    QTRY_COMPARE(panelOf(w.window, "predict")->summary(), QString("1.0 of 1.0 points"));
    QTRY_COMPARE(view->model()->question()->step, 2);
    w.window.back();
    QTRY_COMPARE(view->model()->question()->step, 1);
    QVERIFY(view->model()->question()->kind != QuestionKind::kAdmitted);
  }

  void phasesAreTickedInPlainRunsAndInReplay() {
    ShownWindow w;
    QVERIFY(w.openModel());
    const PhaseStrip& phases = w.window.phases();
    QCOMPARE(phases.text(), QString("Admit ▸ Plan ▸ Allocate ▸ Forward ▸ Sample ▸ Commit"));
    const QString whole = "Admit ✓ ▸ Plan ✓ ▸ Allocate ✓ ▸ Forward ✓ ▸ Sample ✓ ▸ [Commit]";
    QVERIFY(w.stepTimes(1));
    QTRY_COMPARE(phases.text(), whole);
    QVERIFY(w.stepTimes(1));
    w.window.back();
    QCOMPARE(phases.text(), whole);
    w.window.step();
    w.window.stepPhase();
    QTRY_COMPARE(phases.text(), QString("Admit ✓ ▸ [Plan] ▸ Allocate ▸ Forward ▸ Sample ▸ Commit"));
    w.window.stepPhase();
    QTRY_COMPARE(phases.text(), QString("Admit ✓ ▸ Plan ✓ ▸ [Allocate] ▸ Forward ▸ Sample ▸ Commit"));
    w.window.back();
    QCOMPARE(phases.text(), whole);
  }

  void theNextSightIsRunTo() {
    ShownWindow w;
    w.window.bar().setStepsPerSecond(0);
    w.window.openScenario("six-blocks");
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.window.scenario().isVisible(), kPatience);
    ScenarioLine& line = w.window.scenario();
    QCOMPARE(line.nextText(), QString("Next: preemption"));
    int last = -1;
    while (line.next() >= 0) {
      const auto occurrence = static_cast<std::size_t>(line.next());
      QVERIFY(!line.expectations().occurrences()[occurrence].seen);
      line.goToNext();
      QTRY_VERIFY_WITH_TIMEOUT(line.expectations().occurrences()[occurrence].seen && w.isPaused(), kPatience);
      QVERIFY(w.window.session().isLive());
      last = line.expectations().occurrences()[occurrence].step;
      QCOMPARE(w.window.session().recording().lastFinishedStep(), last);
      const QString reason = QStringLiteral("Stopped at step %1: ").arg(last);
      QVERIFY2(w.window.status().reason().startsWith(reason), qPrintable(w.window.status().reason()));
    }
    QVERIFY(last > 1);
    QCOMPARE(line.nextText(), QString("All seen"));
    // In the past the line says in which step it comes, and goes there without the machine.
    w.window.session().goToStep(last - 1);
    QVERIFY2(line.nextText().endsWith(QString(", step %1").arg(last)), qPrintable(line.nextText()));
    line.goToNext();
    QCOMPARE(w.window.session().step(), last);
    QCOMPARE(w.window.session().recording().lastFinishedStep(), last);
  }

  void themesAndTextSizesHoldEverywhereAndStay() {
    {
      ShownWindow w;
      QVERIFY(w.openModel());
      const QColor base = w.window.panels().blocks->palette().color(QPalette::Base);
      const double size = w.window.panels().blocks->font().pointSizeF();
      for (QAction* action : w.window.findChildren<QAction*>())
        if (action->text() == "&Dark" || action->text() == "150 %") action->trigger();
      QTest::qWait(50);
      for (QWidget* part : w.window.findChildren<QWidget*>()) {
        if (!part->isVisible()) continue;
        const QColor now = part->palette().color(QPalette::Base);
        QVERIFY2(now.lightness() < 128, part->metaObject()->className());
        QVERIFY2(part->font().pointSizeF() >= 1.4 * size, qPrintable(part->metaObject()->className()));
      }
      QVERIFY(base.lightness() > 128);
      w.window.close();
    }
    QVERIFY(QApplication::palette().color(QPalette::Base).lightness() > 128);
    ShownWindow again;
    QVERIFY(QApplication::palette().color(QPalette::Base).lightness() < 128);
    QVERIFY(again.window.font().pointSizeF() >= 16);
    for (QAction* action : again.window.findChildren<QAction*>())
      if (action->text() == "&Follow the desktop" || action->text() == "100 %") action->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Base).lightness() > 128);
  }

  // Present enlarges all letters, and coming back makes all of them small again.
  void presentLeavesNothingLarge() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QMap<const QWidget*, double> before;
    for (const QWidget* part : w.window.findChildren<QWidget*>()) before[part] = part->font().pointSizeF();
    w.window.showPerspective(Perspective::kPresent);
    QVERIFY(w.stepTimes(1));
    w.window.showPerspective(Perspective::kStep);
    QTest::qWait(30);
    for (const QWidget* part : w.window.findChildren<QWidget*>())
      if (before.contains(part))
        QVERIFY2(part->font().pointSizeF() == before[part], part->metaObject()->className());
  }

  void aStartInChatStagesTheRequestsForStep() {
    ShownWindow w(Perspective::kChat);
    QVERIFY(w.openModel());
    QTRY_VERIFY(w.window.panels().chat->input()->placeholderText().startsWith("Write"));
    QCOMPARE(int(w.live().requests.size()), 0);
    w.window.showPerspective(Perspective::kStep);
    QTRY_COMPARE(int(w.live().waiting.size()), 3);
    w.window.showPerspective(Perspective::kChat);
    w.window.showPerspective(Perspective::kStep);
    QTest::qWait(50);
    QCOMPARE(int(w.live().waiting.size()), 3);  // once
    QVERIFY(w.stepTimes(1));
    w.window.reset();
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().step == 0 && w.live().waiting.size() == 3, kPatience);
  }

  // "The model is loading…" stayed, and "Write a message" was painted over it.
  void theInputsHintIsPaintedAnew() {
    struct Watch : QObject {
      QRect painted;
      bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) painted |= static_cast<QPaintEvent*>(event)->rect();
        return false;
      }
    } watch;
    ShownWindow w(Perspective::kChat);
    QVERIFY(w.openModel());
    QWidget* area = w.window.panels().chat->input()->viewport();
    QTest::qWait(100);
    area->installEventFilter(&watch);
    w.window.panels().chat->setReady(false, "The model is loading…");
    QTRY_VERIFY(watch.painted.contains(area->rect()));
    watch.painted = {};
    w.window.panels().chat->setReady(true);
    QTRY_VERIFY(watch.painted.contains(area->rect()));
  }

  void aModelThatVanishedGivesWayToTheBuiltIn() {
    QTemporaryDir gone;
    QSettings().setValue("model/last", gone.path() + "/model");
    ShownWindow w;
    w.window.openModel(Settings().lastModel());
    QTRY_VERIFY_WITH_TIMEOUT(w.isPaused() && w.live().waiting.size() == 3, kPatience);
    QTRY_VERIFY(w.window.messages().isVisible());
    QVERIFY2(w.window.messages().text().contains("built-in model"), qPrintable(w.window.messages().text()));
    QVERIFY2(w.window.messages().text().contains(gone.path()), qPrintable(w.window.messages().text()));
  }

  void thePlotsHaveAMenu() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(1));
    QVERIFY(w.window.showPanel("plot"));
    QTest::qWait(50);
    QWidget* plot = nullptr;
    for (auto* part : w.window.panels().plot->findChildren<QWidget*>())
      if (part->inherits("QCustomPlot")) plot = part;
    QVERIFY(plot && plot->isVisible());
    bool opened = false;
    QTimer::singleShot(100, plot, [&] {
      opened = QApplication::activePopupWidget() != nullptr;
      if (opened) QApplication::activePopupWidget()->close();
    });
    QContextMenuEvent asked(QContextMenuEvent::Mouse, plot->rect().center(),
                            plot->mapToGlobal(plot->rect().center()));
    QApplication::sendEvent(plot, &asked);
    QTRY_VERIFY(opened);
  }

  void errorsCallOptionsByTheirLabels() {
    QCOMPARE(inWindowWords("give the pool 9 blocks with --num-blocks"),
             QString("give the pool 9 blocks with “KV blocks”"));
    QCOMPARE(inWindowWords("--preemption swap has nothing to swap under --no-kv-cache"),
             QString("“Preempted sequences: Are swapped out and in again” has nothing to swap under “KV "
                     "cache” switched off"));
    QCOMPARE(inWindowWords("point --model at a folder"), QString("point “model” at a folder"));
    QCOMPARE(inWindowWords("nothing of the kind"), QString("nothing of the kind"));
    MessageBar bar;
    bar.say(MessageCause::kMachine,
            noticeOf(ErrorCode::kInvalidArgument, "too long", "raise --max-sequences"));
    QVERIFY2(!bar.text().contains("--"), qPrintable(bar.text()));
  }

  void fullScreenKeepsTheMaximisedState() {
    ShownWindow w;
    w.window.showMaximized();
    QTRY_VERIFY(w.window.isMaximized());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::keyClick(&w.window, Qt::Key_F11);
    QTRY_VERIFY(w.window.isFullScreen());
    QTest::keyClick(&w.window, Qt::Key_F11);
    QTRY_VERIFY(!w.window.isFullScreen() && w.window.isMaximized());
  }

  // The slider is at least 3 : 1 on the bar (WCAG 1.4.11), whatever the colours.
  void scrollBarsAreSeen() {
    ShownWindow w;
    QWidget part;
    QScrollBar bar(Qt::Vertical, &part);
    bar.setRange(0, 100);
    bar.setPageStep(40);
    bar.resize(bar.sizeHint().width(), 200);
    for (const ColourScheme scheme : Appearance::kSchemes) {
      w.window.appearance().setScheme(scheme);
      QStyleOptionSlider option;
      option.initFrom(&bar);
      option.maximum = 100, option.pageStep = 40, option.orientation = Qt::Vertical;
      const auto areaOf = [&](QStyle::SubControl control) {
        return bar.style()->subControlRect(QStyle::CC_ScrollBar, &option, control, &bar);
      };
      const QImage image = bar.grab().toImage();
      const auto colourIn = [&](QStyle::SubControl control) {
        return image.pixelColor(areaOf(control).center() * image.devicePixelRatio());
      };
      const double ratio =
          contrastRatio(colourIn(QStyle::SC_ScrollBarSlider), colourIn(QStyle::SC_ScrollBarAddPage));
      QVERIFY2(ratio >= 3, qPrintable(QStringLiteral("%1 in %2").arg(ratio).arg(Appearance::keyOf(scheme))));
    }
    w.window.appearance().setScheme(ColourScheme::kDesktop);
  }

  // Its bars give their room to the machine, and the keys of the menus still count.
  void presentFillsTheScreen() {
    ShownWindow w;
    w.window.showPerspective(Perspective::kPresent);
    const auto isBare = [&] {
      return w.window.isFullScreen() && w.window.menuBar()->height() == 0 && !w.window.status().isVisible();
    };
    const auto isDressed = [&] {
      return !w.window.isFullScreen() && w.window.menuBar()->height() > 0 && w.window.status().isVisible();
    };
    const auto press = [&](Qt::Key key) { QTest::keyClick(&w.window, key); };
    QVERIFY(w.openModel());
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTRY_VERIFY(isBare());
    QTest::keyClick(&w.window, Qt::Key_3, Qt::AltModifier);
    QCOMPARE(w.window.findChild<Stage*>()->shown(), "batch");
    press(Qt::Key_Escape);
    QTRY_VERIFY(isDressed());
    QCOMPARE(w.window.findChild<FullScreen*>()->leave->isVisible(), false);
    QTest::keyClick(&w.window, Qt::Key_4, Qt::ControlModifier);
    QTRY_VERIFY(isBare());
    auto* const leave = w.window.findChild<FullScreen*>()->leave;
    QVERIFY(leave->isVisible());
    QTest::mouseClick(w.window.bar().widgetForAction(leave), Qt::LeftButton);
    QTRY_VERIFY(isDressed());
    // Out of the full screen Present is a window like others, the next time, too.
    w.window.showPerspective(Perspective::kPresent);
    QTRY_VERIFY(isBare());
    press(Qt::Key_F11);
    QTRY_VERIFY(isDressed());
    const QFont large = w.window.font();
    press(Qt::Key_Escape);
    QTRY_VERIFY(w.window.font().pointSizeF() < large.pointSizeF());  // in Step again
    w.window.showPerspective(Perspective::kPresent);
    QTRY_VERIFY(isDressed());
    press(Qt::Key_F11);
    QTRY_VERIFY(isBare());
    // A window that fills the screen before does so after.
    press(Qt::Key_Escape);
    QTRY_VERIFY(isDressed());
    press(Qt::Key_F11);
    w.window.showPerspective(Perspective::kPresent);
    QTRY_VERIFY(isBare());
    press(Qt::Key_Escape);
    QTRY_VERIFY(w.window.isFullScreen() && w.window.menuBar()->height() > 0);
  }

  // The two pixels at the left edge of a field, a check box and a card.
  void inHighContrastFramesAreTwoPixelsWide() {
    ShownWindow w;
    QVERIFY(w.openModel());
    w.window.appearance().setScheme(ColourScheme::kHighContrast);
    QTest::qWait(10);  // the window hears of it by an event
    const QColor ground = w.window.palette().color(QPalette::Base);
    const auto check = [&](QWidget& part, const QPoint& edge) {
      const QImage image = part.grab().toImage();
      for (const int x : {0, 1}) {
        const QColor colour = image.pixelColor(edge + QPoint(x, 0));
        QVERIFY2(contrastRatio(colour, ground) >= 4.5,
                 qPrintable(QStringLiteral("%1: %2 at %3")
                                .arg(QLatin1String(part.metaObject()->className()), colour.name())
                                .arg(edge.x() + x)));
      }
    };
    QWidget form;
    QLineEdit line(&form);
    QPlainTextEdit text(&form);
    QSpinBox number(&form);
    QComboBox choice(&form);
    for (QWidget* field : std::initializer_list<QWidget*>{&line, &text, &number, &choice}) {
      field->resize(120, 40);
      check(*field, {0, 20});
    }
    QCheckBox box(QStringLiteral("on"), &form);
    box.resize(120, 40);
    QStyleOptionButton option;
    option.initFrom(&box);
    const QRect indicator = box.style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, &box);
    check(box, {indicator.left(), indicator.center().y()});
    PanelDock* const card = panelOf(w.window, "blocks");
    check(*card, {card->contentsMargins().left(), card->height() / 2});
    w.window.appearance().setScheme(ColourScheme::kLight);
    QTest::qWait(10);
    const QImage plain = line.grab().toImage();
    QVERIFY(plain.pixelColor(1, 20) == plain.pixelColor(8, 20));  // one pixel, as the desktop has it
  }

  // The cells after the step shown are as strong as those before it.
  void inHighContrastTheFutureOfLanesIsRead() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(6));
    w.window.appearance().setScheme(ColourScheme::kHighContrast);
    auto* const lanes = w.window.findChild<LanesView*>();
    for (int i = 0; i < 3; ++i) w.window.back();
    QTest::qWait(30);
    QCOMPARE(w.window.session().step(), 3);
    const Theme theme = Theme::of(lanes);
    for (int i = 0; i < kRequestColours; ++i)
      QVERIFY2(contrastRatio(theme.request(i), theme.base()) >= 4.5, qPrintable(QString::number(i)));
    const QRect future = lanes->cellRect(0, 5).translated(-lanes->horizontalScrollBar()->value(), 0);
    QVERIFY(lanes->viewport()->rect().contains(future));
    const QImage image = lanes->viewport()->grab().toImage();
    bool hasColour = false;
    for (int y = future.top(); y < future.bottom(); ++y)
      for (int x = future.left(); x < future.right(); ++x)
        hasColour = hasColour || image.pixelColor(x, y) == theme.request(requestStyle(1).colourIndex);
    QVERIFY(hasColour);
  }
};

QTEST_MAIN(TestWindowShell)
#include "tst_window_shell.moc"

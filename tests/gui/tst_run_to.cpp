// Run to, breakpoints and bookmarks in the window: from every state of the machine, first within the
// recording, then with the engine.
#include "gui/runs/run_to.h"

#include <QApplication>
#include <QDialog>
#include <QListView>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "gui/bars/phase_strip.h"
#include "gui/bars/status_strip.h"
#include "gui/runs/run_archive.h"
#include "gui/runs/run_to_menu.h"
#include "support/window_bench.h"
#include "widgets/explain/why_list.h"
#include "widgets/explain/why_view.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/time_axis_model.h"
#include "widgets/time/time_axis_view.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

class Window : public ShownWindow {
 public:
  using ShownWindow::ShownWindow;

  bool openSixBlocks() {
    window.openScenario(QStringLiteral("six-blocks"));
    if (!QTest::qWaitForWindowExposed(&window)) return false;
    if (!QTest::qWaitFor([this] { return !window.session().recording().live().waiting.empty(); }, kPatience))
      return false;
    window.bar().setStepsPerSecond(0);
    return QTest::qWaitFor([this] { return mode() == MachineMode::kPaused; }, kPatience);
  }
  MachineMode mode() { return window.host().mode(); }
  int steps() { return window.session().recording().lastFinishedStep(); }
  bool waitForStop(QSignalSpy& stops, int count) {
    return QTest::qWaitFor([&] { return stops.count() >= count && mode() != MachineMode::kRunning; },
                           kPatience);
  }
  // The steps of the recording in which a sequence was preempted.
  std::vector<int> preemptions() {
    std::vector<int> found;
    window.session().recording().forEach([&](const Event& event) {
      if (isA<SequencePreempted>(event)) found.push_back(event.step);
    });
    return found;
  }
  QAction* action(const QString& text) {
    for (QAction* one : window.runToMenu().actions())
      if (one->text() == text) return one;
    return nullptr;
  }
};

}  // namespace

class TestRunTo : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void theMenuRunsToAPreemption() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    QSignalSpy stops(&w.window.runTo(), &RunTo::stopped);
    QAction* action = w.action("preemption");
    QVERIFY(action && !action->toolTip().isEmpty());
    action->trigger();
    QVERIFY(w.waitForStop(stops, 1));
    const std::vector<int> preempted = w.preemptions();
    QVERIFY(!preempted.empty());
    QCOMPARE(w.steps(), preempted.front());
    QVERIFY2(w.window.status().reason().contains("was preempted"), qPrintable(w.window.status().reason()));
    QVERIFY(w.window.panels().timelineModel->stopAt(w.steps()).contains("was preempted"));
    QVERIFY(!w.window.runTo().list().once());  // it counted once
    // Its sentence is in sight, though the step went on behind it.
    const WhyList* why = w.window.panels().why->list();
    QTRY_VERIFY(why->currentIndex().data().toString().contains("is preempted"));
    QVERIFY(why->viewport()->rect().contains(why->visualRect(why->currentIndex()).topLeft()));
    QVERIFY(w.stepTimes(1));
    QTRY_VERIFY(w.window.status().reason().isEmpty());
  }

  void inThePastTheRecordingComesFirst() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    QSignalSpy stops(&w.window.runTo(), &RunTo::stopped);
    w.window.runTo().run(breakpointFromText("preemption"));
    QVERIFY(w.waitForStop(stops, 1));
    const int step = w.steps();
    w.window.session().goToStep(2);
    w.window.runTo().run(breakpointFromText("preemption"));
    QCOMPARE(w.window.session().step(), step);  // at once, and the engine stands
    const WhyList* why = w.window.panels().why->list();
    QVERIFY(why->currentIndex().data().toString().contains("is preempted"));
    QVERIFY(why->viewport()->rect().contains(why->visualRect(why->currentIndex()).topLeft()));
    QCOMPARE(stops.count(), 2);
    QCOMPARE(stops.last().at(1).toInt(), step);
    QCOMPARE(w.steps(), step);
    QCOMPARE(w.mode(), MachineMode::kPaused);

    w.window.session().goToStep(2);
    w.window.runTo().list().toggleStep(5);  // a breakpoint of the list comes first
    w.window.runTo().run(breakpointFromText("preemption"));
    QCOMPARE(w.window.session().step(), 5);

    w.window.runTo().run(breakpointFromText("step=" + std::to_string(step + 3)));
    QVERIFY(w.waitForStop(stops, 4));
    QVERIFY(w.window.session().isLive());
    QCOMPARE(w.steps(), step + 3);
    QCOMPARE(stops.last().at(0).toString(), QStringLiteral("Reached step %1.").arg(step + 3));
    w.window.session().goToStep(2);
    w.window.runTo().list().toggleStep(5);
    w.window.runTo().run(breakpointFromText("step=4"));
    QCOMPARE(stops.last().at(0).toString(), QStringLiteral("Reached step 4."));
    w.window.runTo().list().toggleStep(5);
    w.window.runTo().run(breakpointFromText("step=7"));
    QCOMPARE(stops.last().at(0).toString(),
             QStringLiteral("Stopped at step 5: a breakpoint names this step."));
  }

  // Without a machine, Run and "Run to" move the cursor through the recording.
  void aRecordingPlays() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    w.window.run();
    QVERIFY(waitUntil([&] { return w.isIdle() && w.isPaused() && w.steps() > 0; }));
    const int last = w.steps(), preempted = w.preemptions().front();
    QVERIFY(preempted > 3 && preempted < last);
    w.window.openModel({});
    QVERIFY(waitUntil([&] { return w.isPaused() && !w.window.archive().runs().runs().empty(); }));
    w.window.archive().show(0);
    QVERIFY(waitUntil([&] { return w.mode() == MachineMode::kEmpty && !w.window.archive().isUnderWay(); }));
    Session& session = w.window.session();
    const RecordingPlayer& player = w.window.runTo().player();
    QCOMPARE(session.step(), 0);
    QAction* const runPause = w.window.bar().runPause;
    QSignalSpy stops(&w.window.runTo(), &RunTo::stopped);

    // It takes one step after another, and pauses by the same key.
    w.window.bar().setStepsPerSecond(60);
    std::vector<int> seen;
    const auto heard = connect(&session, &Session::cursorChanged, this, [&](int step) {
      seen.push_back(step);
      if (step == 3) QMetaObject::invokeMethod(runPause, &QAction::trigger, Qt::QueuedConnection);
    });
    runPause->trigger();
    QVERIFY(player.isPlaying());
    QCOMPARE(runPause->text(), QStringLiteral("Pause"));
    QVERIFY(waitUntil([&] { return !player.isPlaying(); }));
    disconnect(heard);
    QCOMPARE(runPause->text(), QStringLiteral("Run"));
    QVERIFY(seen.size() >= 3 && seen.front() == 1);
    for (std::size_t i = 1; i < seen.size(); ++i) QCOMPARE(seen[i], seen[i - 1] + 1);
    QCOMPARE(stops.count(), 0);

    // A step by hand ends it.
    session.goToStep(0);
    w.window.run();
    w.window.step();
    QVERIFY(!player.isPlaying());
    QCOMPARE(session.step(), 2);

    // It stops at a moment, and at a breakpoint of the list before it.
    w.window.bar().setStepsPerSecond(0);
    w.window.runTo().run(breakpointFromText("preemption"));
    QVERIFY(w.window.runTo().list().once());
    QVERIFY(waitUntil([&] { return !player.isPlaying(); }));
    QCOMPARE(session.step(), preempted);
    QVERIFY(!w.window.runTo().list().once());
    QVERIFY(w.window.status().reason().contains("was preempted"));
    session.goToStep(0);
    w.window.runTo().list().toggleStep(2);
    w.window.runTo().run(breakpointFromText("step=3"));
    QVERIFY(waitUntil([&] { return !player.isPlaying(); }));
    QCOMPARE(session.step(), 2);
    w.window.runTo().run(breakpointFromText("step=3"));
    QVERIFY(waitUntil([&] { return !player.isPlaying(); }));
    QCOMPARE(w.window.status().reason(), QStringLiteral("Reached step 3."));

    // The end says so; there, Run is off.
    runPause->trigger();
    QVERIFY(waitUntil([&] { return !player.isPlaying(); }));
    QCOMPARE(session.step(), last);
    QCOMPARE(w.window.status().reason(), QStringLiteral("The recording ends at step %1.").arg(last));
    QVERIFY(!runPause->isEnabled() && !w.window.bar().step->isEnabled() && w.window.bar().back->isEnabled());
    session.goToStep(last - 1);
    w.window.runTo().run(breakpointFromText("token=\"no such token\""));
    QVERIFY(waitUntil([&] { return !player.isPlaying(); }));
    QVERIFY(w.window.status().reason().startsWith(
        QStringLiteral("The recording ends at step %1 without: ").arg(last)));

    // A new run ends it.
    session.goToStep(0);
    w.window.bar().setStepsPerSecond(1);
    w.window.run();
    QVERIFY(player.isPlaying());
    w.window.openModel({});
    QVERIFY(waitUntil([&] { return w.isPaused(); }));
    QVERIFY(!player.isPlaying());
    QVERIFY(session.isLive());
  }

  // As a machine does: the phases of a step one after another, then the next step.
  void aRecordingGoesOnByPhases() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    w.window.run();
    QVERIFY(waitUntil([&] { return w.isIdle() && w.isPaused() && w.steps() > 0; }));
    const int last = w.steps();
    w.window.openModel({});
    QVERIFY(waitUntil([&] { return w.isPaused() && !w.window.archive().runs().runs().empty(); }));
    w.window.archive().show(0);
    QVERIFY(waitUntil([&] { return w.mode() == MachineMode::kEmpty && !w.window.archive().isUnderWay(); }));
    Session& session = w.window.session();
    QAction* const phase = w.window.bar().phase;
    const auto line = [&] { return w.window.status().modeText(); };
    QVERIFY(phase->isEnabled());
    phase->trigger();
    QCOMPARE(line(), QStringLiteral("REPLAY 1 of %1, before Plan").arg(last));
    QVERIFY2(w.window.phases().text().contains("[Plan]"), qPrintable(w.window.phases().text()));
    QVERIFY(w.window.phases().text().contains(QStringLiteral("Admit ✓")));
    QVERIFY(session.isInsideStep() && session.state().running.size() > 0);
    for (int i = 0; i < 4; ++i) phase->trigger();
    QVERIFY(w.window.phases().text().contains("[Commit]"));
    phase->trigger();
    QCOMPARE(line(), QStringLiteral("REPLAY 1 of %1").arg(last));
    phase->trigger();
    QCOMPARE(line(), QStringLiteral("REPLAY 2 of %1, before Plan").arg(last));

    // The other commands go on from there.
    w.window.bar().back->trigger();
    QCOMPARE(line(), QStringLiteral("REPLAY 1 of %1").arg(last));
    phase->trigger();
    w.window.bar().step->trigger();
    QCOMPARE(line(), QStringLiteral("REPLAY 2 of %1").arg(last));
    phase->trigger();
    w.window.runTo().run(breakpointFromText("step=4"));  // through the step that has begun
    QVERIFY(waitUntil([&] { return !w.window.runTo().player().isPlaying(); }));
    QCOMPARE(line(), QStringLiteral("REPLAY 4 of %1").arg(last));
    phase->trigger();
    QSignalSpy moves(&session, &Session::cursorChanged);
    w.window.bar().setStepsPerSecond(60);
    w.window.run();
    QVERIFY(waitUntil([&] { return !w.window.runTo().player().isPlaying(); }));
    QCOMPARE(moves.at(0).at(0).toInt(), 5);
    QCOMPARE(moves.at(1).at(0).toInt(), 6);

    // The last step is gone through as well, and behind it there is nothing.
    w.window.bar().back->trigger();
    int holds = 0;
    while (phase->isEnabled() && holds < kPhaseCount) {
      phase->trigger();
      holds += session.isInsideStep() ? 1 : 0;
    }
    QVERIFY(holds > 0);
    QVERIFY(session.isLive() && !phase->isEnabled());
    QCOMPARE(line(), QStringLiteral("REPLAY %1 of %1").arg(last));
  }

  void aRunThatNothingStopsSaysSo() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    QSignalSpy stops(&w.window.runTo(), &RunTo::stopped);
    w.window.runTo().run(breakpointFromText("token=\"no such token\""));
    QVERIFY(w.waitForStop(stops, 1));
    QVERIFY(stops.first().at(0).toString().contains("no␣such␣token"));
    QVERIFY(!w.window.runTo().list().once());
  }

  void pausingForgetsTheMoment() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    w.window.bar().setStepsPerSecond(4);
    w.window.runTo().run(breakpointFromText("finished"));
    QTRY_COMPARE(w.mode(), MachineMode::kRunning);
    QVERIFY(w.window.runTo().list().once());
    w.window.host().pause();
    QTRY_COMPARE_WITH_TIMEOUT(w.mode(), MachineMode::kPaused, kPatience);
    QTRY_VERIFY(!w.window.runTo().list().once());
  }

  void keysSetAndRemove() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    QSignalSpy stops(&w.window.runTo(), &RunTo::stopped);
    w.window.runTo().run(breakpointFromText("step=6"));
    QVERIFY(w.waitForStop(stops, 1));
    w.window.session().goToStep(3);
    QTest::keyClick(&w.window, Qt::Key_F9);
    QCOMPARE(w.window.runTo().list().toTexts(), QStringList{"step=3"});
    QTest::keyClick(&w.window, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(w.window.panels().bookmarks->steps(), std::set<int>{3});
    QTest::keyClick(&w.window, Qt::Key_F9);
    QTest::keyClick(&w.window, Qt::Key_D, Qt::ControlModifier);
    QVERIFY(w.window.runTo().list().toTexts().isEmpty());
    QVERIFY(w.window.panels().bookmarks->steps().empty());
  }

  void breakpointsAreRemembered() {
    {
      Window w(Perspective::kStep);
      w.window.runTo().list().add(breakpointFromText("preemption"));
    }
    Window again(Perspective::kStep);
    QCOMPARE(again.window.runTo().list().toTexts(), QStringList{"preemption"});
  }

  void theDialogAddsAndRemoves() {
    Window w(Perspective::kStep);
    QVERIFY(w.openSixBlocks());
    w.window.runToMenu().showBreakpoints();
    auto* dialog = w.window.findChild<QDialog*>();
    QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
    const auto button = [&](const QString& text) -> QPushButton* {
      for (auto* one : dialog->findChildren<QPushButton*>())
        if (one->text() == text) return one;
      return nullptr;
    };
    QTest::mouseClick(button("&Add"), Qt::LeftButton);  // preemption, of any request
    QCOMPARE(w.window.runTo().list().toTexts(), QStringList{"preemption"});
    dialog->findChild<QListView*>()->setCurrentIndex(w.window.runTo().list().index(0, 0));
    QTest::mouseClick(button("&Remove"), Qt::LeftButton);
    QVERIFY(w.window.runTo().list().toTexts().isEmpty());
  }

  // Every state of the machine: the moment comes or the run ends, nothing hangs, and the window closes.
  void fromEveryState_data() {
    QTest::addColumn<QString>("state");
    for (const char* state : {"no model", "loading", "paused", "held", "running", "replay", "finished"})
      QTest::newRow(state) << QString(state);
  }
  void fromEveryState() {
    QFETCH(QString, state);
    Window w(Perspective::kStep);
    QSignalSpy stops(&w.window.runTo(), &RunTo::stopped);
    RunTo& runTo = w.window.runTo();
    const Breakpoint preemption = breakpointFromText("preemption");
    if (state == "no model") {
      runTo.run(preemption);
      QCOMPARE(w.mode(), MachineMode::kEmpty);
      return;
    }
    if (state == "loading") {
      w.window.openScenario("six-blocks");
      runTo.run(preemption);
      QTRY_COMPARE_WITH_TIMEOUT(w.mode(), MachineMode::kPaused, kPatience);
      QCOMPARE(stops.count(), 0);
      return;
    }
    QVERIFY(w.openSixBlocks());
    if (state == "held") {
      w.window.stepPhase();
      QTRY_COMPARE_WITH_TIMEOUT(w.mode(), MachineMode::kHeld, kPatience);
    }
    if (state == "running") {
      w.window.bar().setStepsPerSecond(30);
      w.window.run();
      QTRY_COMPARE_WITH_TIMEOUT(w.mode(), MachineMode::kRunning, kPatience);
    }
    if (state == "replay" || state == "finished") {
      runTo.run(breakpointFromText(state == "replay" ? "step=4" : "token=\"no such token\""));
      QVERIFY(w.waitForStop(stops, 1));
      stops.clear();
      if (state == "replay") w.window.session().goToStep(2);
    }
    runTo.run(preemption);
    if (state == "finished") {
      QCOMPARE(w.mode(), MachineMode::kPaused);
      QCOMPARE(stops.count(), 1);
      QVERIFY(stops.first().at(0).toString().contains("has ended"));
      return;
    }
    QVERIFY(w.waitForStop(stops, 1));
    QCOMPARE(w.mode(), MachineMode::kPaused);
    QVERIFY(!w.preemptions().empty());
    QCOMPARE(w.preemptions().front(), w.steps());
  }
};

QTEST_MAIN(TestRunTo)
#include "tst_run_to.moc"

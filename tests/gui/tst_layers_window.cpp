// The Layers page of the real window: the engine answers what is open, while the machine is paused, runs and
// shows the past; the comparison with libtorch; a recorded run without its model.
#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "gui/bars/device_menu.h"
#include "gui/questions/roof_measurer.h"
#include "gui/runs/run_archive.h"
#include "support/on_pretended_gpu.h"
#include "support/window_bench.h"
#include "vitrine/trace.h"
#include "widgets/layers/attention_model.h"
#include "widgets/layers/exits_model.h"
#include "widgets/layers/exits_view.h"
#include "widgets/layers/launches_model.h"
#include "widgets/layers/launches_view.h"
#include "widgets/layers/layers_panel.h"
#include "widgets/layers/operations_model.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

struct Window : ShownWindow {
  LayersPanel& layers() { return *window.panels().layers; }
  ExitsModel& exits() { return *window.panels().exitsModel; }
  AttentionModel& attention() { return *window.panels().attentionModel; }
  Session& session() { return window.session(); }
  bool waitForAnswer(InsideModel& model) {
    return waitUntil([&] { return model.report() != nullptr && !model.question(); });
  }
  bool openLayers() {
    window.showPanel(QStringLiteral("layers"));
    return waitUntil([&] { return layers().isVisible(); });
  }
};

}  // namespace

class TestLayersWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }

  void theStepIsOpened() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(3));
    QVERIFY(w.exits().report() == nullptr);  // hidden views ask for nothing
    QVERIFY(w.openLayers());
    QVERIFY(w.waitForAnswer(w.exits()));
    const int layers = w.session().engine()->model.layers;
    QCOMPARE(w.exits().rowCount(), layers + 1);
    QCOMPARE(w.exits().reported().step, 3);
    QCOMPARE(w.exits().reported().sequence, w.session().selectedSequence());
    // The last exit is the model: what the step sampled is among its best.
    const int last = w.exits().tokens() - 1;
    QVERIFY(w.exits().describe(0, last).contains(w.exits().sampledAt(last)));
    QVERIFY(w.stepTimes(1));
    QVERIFY(waitUntil([&] { return w.exits().reported().step == 4; }));
    w.session().goToStep(2);
    QVERIFY(waitUntil([&] { return w.exits().reported().step == 2; }));
    w.layers().showPage(LayersPanel::Page::kAttention);
    QVERIFY(w.waitForAnswer(w.attention()));
    QCOMPARE(w.attention().reported().step, 2);
    w.attention().choose(layers - 1, 0);
    QVERIFY(w.waitForAnswer(w.attention()));
  }

  // Answers come while the machine runs, and the run's tokens are those of a run without an open view.
  void aRunningMachineIsOpenedToo() {
    std::vector<std::string> texts[2];
    for (const bool open : {false, true}) {
      Window w;
      QVERIFY(w.openModel());
      if (open) QVERIFY(w.openLayers());
      w.window.host().setStepsPerSecond(0);
      w.window.host().run();
      QVERIFY(waitUntil([&] { return w.isIdle() && w.isPaused(); }));
      if (open) QVERIFY(waitUntil([&] { return w.exits().report() != nullptr; }));
      QCOMPARE(w.exits().report() != nullptr, open);
      for (const auto& [id, sequence] : w.live().sequences) texts[open ? 1 : 0].push_back(sequence.text);
    }
    QVERIFY(!texts[0].empty());
    QCOMPARE(texts[1], texts[0]);
  }

  void comparedWithLibtorch() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(2));
    QVERIFY(w.openLayers());
    QVERIFY(w.waitForAnswer(w.exits()));
    QSignalSpy failed(&w.window.host(), &EngineHost::noticed);
    emit w.layers().comparisonRequested();
    QVERIFY(waitUntil([&] { return !w.exits().differences().empty() || failed.count() > 0; }));
    if (failed.count() > 0) {  // a program without libtorch says so
      QCOMPARE(failed.front().front().value<Notice>().code, QStringLiteral("unavailable"));
      return;
    }
    QCOMPARE(static_cast<int>(w.exits().differences().size()), w.exits().rowCount());
    for (const double difference : w.exits().differences()) QVERIFY(difference < 1e-2);
    QVERIFY(w.exits().differences().back() > 0);
    QVERIFY(w.stepTimes(1));
    QVERIFY(waitUntil([&] { return w.exits().differences().empty(); }));  // of other tokens
  }

  // The costs are the step's own, also of a past one; the machine is measured once.
  void theTimeOfAForwardStandsUnderTheRoof() {
    Window w;
    OperationsModel& operations = *w.window.panels().operationsModel;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(3));
    QVERIFY(w.openLayers());
    QSignalSpy measured(w.window.findChild<RoofMeasurer*>(), &RoofMeasurer::known);
    w.layers().showPage(LayersPanel::Page::kTime);
    QVERIFY(waitUntil([&] { return operations.roof() != nullptr && measured.count() == 1; }));
    QVERIFY(operations.rowCount() > 8);
    double shares = 0;
    for (const OperationRow& row : operations.rows()) {
      shares += row.share;
      QVERIFY(row.place.limit > 0 || row.cost.bytes == 0 || row.cost.operation == Operation::kOther);
    }
    QVERIFY(shares > 0.9 && shares < 1.1);
    QVERIFY(operations.summary().startsWith(QLatin1String("forward ")));
    const ForwardMeasured third = operations.forward();
    w.session().goToStep(2);
    QVERIFY(operations.forward().ns > 0 && operations.forward().ns != third.ns);
    w.session().goLive();
    QCOMPARE(operations.forward().ns, third.ns);
    QVERIFY(w.stepTimes(1));
    QCOMPARE(measured.count(), 1);
  }

  // A processor has none; on a GPU a step that decodes has them, beside the limit of that GPU.
  void theLaunchesOfAGpuAreCompared() {
    const OnPretendedGpu pretended;
    Window w;
    LaunchesModel& launches = *w.window.panels().launchesModel;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(1));
    QVERIFY(w.openLayers());
    w.layers().showPage(LayersPanel::Page::kLaunches);
    QVERIFY(launches.emptyText().startsWith(QLatin1String("A processor needs no launches.")));
    QSignalSpy loaded(&w.window.host(), &EngineHost::loaded);
    auto* const gpu =
        w.window.findChild<DeviceMenu*>()->findChild<QAction*>(QLatin1String(nameOf(Device::kCuda)));
    QVERIFY(gpu != nullptr);
    gpu->trigger();
    QVERIFY(waitUntil([&] { return loaded.count() == 1 && w.isPaused(); }));
    for (int step = 0; step < 20 && launches.rowCount() == 0; ++step) QVERIFY(w.stepTimes(1));
    QCOMPARE(launches.rowCount(), 3);
    QVERIFY(launches.headWords().startsWith(QStringLiteral("Pretended GPU · batch ")));
    QVERIFY(waitUntil([&] { return launches.limitNs() > 0; }));
    QVERIFY(w.layers().summary().startsWith(QLatin1String("graph: 1 launch")));
    QVERIFY(w.layers().launches()->limitLine() > 0);
  }

  // Closing the window does not wait for a look that is under way.
  void theWindowClosesWhileAForwardIsOpened() {
    QElapsedTimer clock;
    {
      Window w;
      QVERIFY(w.openModel());
      QVERIFY(w.stepTimes(1));
      w.window.showPanel(QStringLiteral("layers"));
      clock.start();
    }
    QVERIFY(clock.elapsed() < 10'000);
  }

  // The machine comes first: a look that would take seconds ends when a step is ordered, and the view asks
  // again after it.
  void anOrderInterruptsALook() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(1));
    const std::vector<TokenId> tokens(static_cast<std::size_t>(w.session().engine()->model.contextLength), 7);
    bool known = false;
    const Question look = w.window.host().ask(
        [&](const AskedMachine& asked) {
          return asked.engine.lookInside(tokens, {.exitTop = 5}, asked.goesOn);
        },
        &w.window, [&](const std::optional<InsideReport>& report) { known = report.has_value(); },
        Manner::kYields);
    w.window.host().step();
    QVERIFY(look.isInterrupted());
    QVERIFY(waitUntil([&] { return !look.isOpen() && w.session().lastStep() == 2; }));
    QVERIFY(!known && look.fraction() < 1);
    QVERIFY(w.openLayers());
    QVERIFY(w.stepTimes(1));
    QVERIFY(w.waitForAnswer(w.exits()));
    QCOMPARE(w.exits().reported().step, 3);
  }

  // What takes long says how far it is.
  void progressIsShown() {
    Window w;
    QVERIFY(w.openModel());
    QVERIFY(w.stepTimes(1));
    QVERIFY(w.openLayers());
    QVERIFY(w.waitForAnswer(w.exits()));
    w.exits().setProgress(0.42F);
    QVERIFY2(w.layers().summary().endsWith(QLatin1String("the next one: 42.0 %")),
             qPrintable(w.layers().summary()));
    w.exits().setProgress({});
    QVERIFY(w.layers().summary().endsWith(QLatin1String("computed again")));
  }

  // A recorded run without its model: the page says what is missing, and how to get it.
  void aTraceIsNotRecordedInside() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("run.vitrine"));
    {
      Window w;
      QVERIFY(w.openModel());
      QVERIFY(w.stepTimes(2));
      TraceWriter writer(file.toStdString());
      w.session().recording().forEach([&](const Event& event) { writer.publish(event); });
      writer.finish();
    }
    Window w;
    w.window.open(file);
    QVERIFY(waitUntil([&] { return w.session().lastStep() == 2 && !w.window.archive().isUnderWay(); }));
    w.session().goToStep(1);
    QVERIFY(w.openLayers());
    QVERIFY(waitUntil([&] { return w.exits().emptyText().startsWith(QLatin1String("Not recorded.")); }));
    QVERIFY(w.exits().emptyText().contains(QLatin1String("Resume from step 1")));
    QVERIFY(w.exits().report() == nullptr);
  }

 private:
  WindowSurroundings m_surroundings;
};

QTEST_MAIN(TestLayersWindow)
#include "tst_layers_window.moc"

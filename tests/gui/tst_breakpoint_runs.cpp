// Breakpoints under the window's engine: a run ends in the very step that meets one, at any speed, and the
// events are those of a run without.
#include <QSignalSpy>
#include <QTest>
#include <random>

#include "gui/machine/engine_host.h"
#include "vitrine/trace.h"
#include "widgets/session/session.h"

using namespace vitrine;

namespace {

// A cache of a few blocks, so that requests wait and are preempted.
LoadOrder randomLoad(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  LoadOrder order;
  order.model = builtinModelDirectory();
  order.options.blockSize = 8;
  order.options.numBlocks = draw(9, 14);
  order.options.tokenBudget = draw(8, 40);
  const int requests = draw(2, 4);
  for (int i = 0; i < requests; ++i) {
    ChatOrder& chat = order.staged.emplace_back();
    chat.dialogue.messages = {
        {ChatRole::kUser, i % 2 == 0 ? "Hello! Who are you?" : "Hello! What is a token?"}};
    chat.request.name = "r" + std::to_string(i + 1);
    chat.request.maxTokens = draw(4, 20);
    chat.request.ignoreEos = true;
  }
  return order;
}

struct Bench {
  Session session;
  EngineHost host;
  QSignalSpy stops{&host, &EngineHost::stoppedAt};

  explicit Bench(const LoadOrder& order) {
    host.deliverTo([this](std::vector<Event> events) { session.append(std::move(events)); });
    host.setStepsPerSecond(0);
    host.setDetail(Detail{0, {}, true});
    host.load(order);
  }
  bool waitFor(MachineMode mode) {
    return QTest::qWaitFor([&] { return host.mode() == mode; }, 20000);
  }
  bool hasWork() const {
    const MachineState& live = session.recording().live();
    return !live.waiting.empty() || !live.running.empty();
  }
  // Runs until the machine stands still, and returns whether there is work left.
  bool runOn() {
    QSignalSpy modes(&host, &EngineHost::modeChanged);
    host.run();
    const auto ended = [&] { return modes.count() >= 2 && host.mode() == MachineMode::kPaused; };
    if (!QTest::qWaitFor(ended, 20000)) qFatal("the run does not end");
    return hasWork();
  }
  BreakStop lastStop() const { return stops.last().at(0).value<BreakStop>(); }
  int steps() const { return session.recording().lastFinishedStep(); }

  // All events, without what a clock measured.
  std::vector<std::string> events() const {
    std::vector<std::string> lines;
    session.recording().forEach([&](Event event) {
      event.timeNs = 0;
      event.run = 0;
      if (auto* finished = std::get_if<StepFinished>(&event.body)) finished->phaseNs = {};
      if (auto* finished = std::get_if<RequestFinished>(&event.body))
        finished->queueNs = finished->ttftNs = finished->totalNs = finished->lateNs = 0;
      if (!isA<EngineLoaded>(event)) lines.push_back(eventToJson(event));
    });
    return lines;
  }
};

std::vector<Breakpoint> parsed(const std::vector<std::string>& texts) {
  std::vector<Breakpoint> list;
  for (const std::string& text : texts) list.push_back(breakpointFromText(text));
  return list;
}

}  // namespace

class TestBreakpointRuns : public QObject {
  Q_OBJECT

 private slots:
  void aRunEndsAtItsStep_data() {
    QTest::addColumn<double>("stepsPerSecond");
    QTest::newRow("as fast as it goes") << 0.0;
    QTest::newRow("60 steps/s") << 60.0;
  }
  void aRunEndsAtItsStep() {
    QFETCH(double, stepsPerSecond);
    Bench bench(randomLoad(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.setStepsPerSecond(stepsPerSecond);
    bench.host.setBreakpoints(parsed({"step=4", "step=7"}));
    QVERIFY(bench.runOn());
    QTRY_COMPARE(bench.stops.count(), 1);
    QCOMPARE(bench.steps(), 4);
    QCOMPARE(bench.lastStop().breakpoint.step, 4);
    QVERIFY(bench.runOn());
    QTRY_COMPARE(bench.stops.count(), 2);
    QCOMPARE(bench.steps(), 7);
    bench.host.setBreakpoints({});
    QVERIFY(!bench.runOn());
    QCOMPARE(bench.stops.count(), 2);
  }

  void inASingleStepItIsSaidToo() {
    Bench bench(randomLoad(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.setBreakpoints(parsed({"admission"}));
    bench.host.step();
    QTRY_COMPARE(bench.stops.count(), 1);
    QCOMPARE(bench.lastStop().hit.step, 1);
    QVERIFY(bench.waitFor(MachineMode::kPaused));
  }

  // An arrival before the run is no reason to stop it later.
  void whatHappenedBeforeTheRunDoesNotStopIt() {
    Bench bench(randomLoad(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    ChatOrder late;
    late.dialogue.messages = {{ChatRole::kUser, "Hello!"}};
    late.request.name = "late";
    late.request.maxTokens = 3;
    bench.host.setBreakpoints(parsed({"request=late", "step=1"}));
    bench.host.submitChat(late);
    QTRY_VERIFY(bench.session.recording().live().waiting.size() > 2);
    bench.host.step();
    QTRY_COMPARE(bench.stops.count(), 1);
    QCOMPARE(bench.lastStop().hit.step, 1);
    QCOMPARE(bench.lastStop().breakpoint.kind, BreakKind::kStep);
  }

  void insideAStepItHoldsAtTheNextPhase() {
    Bench bench(randomLoad(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.setStopsInside(true);
    bench.host.setBreakpoints(parsed({"step=3"}));
    bench.host.run();
    QVERIFY(bench.waitFor(MachineMode::kHeld));
    QTRY_COMPARE(bench.stops.count(), 1);
    QCOMPARE(bench.host.nextPhase(), Phase::kPlan);
    QCOMPARE(bench.steps(), 2);
    bench.host.stepPhase();
    QTRY_COMPARE(bench.host.nextPhase(), Phase::kAllocate);
    bench.host.run();  // goes on as the run that it was
    QTRY_VERIFY_WITH_TIMEOUT(!bench.hasWork(), 20000);
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QCOMPARE(bench.stops.count(), 1);
  }

  // The engine's thread handles no calls while it is held, so the list reaches it another way; entropy is
  // measured from then on.
  void oneThatComesWhileAStepIsHeldHoldsAtOnce() {
    Bench bench(randomLoad(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.setDetail({});
    bench.host.stepPhase();
    QVERIFY(bench.waitFor(MachineMode::kHeld));
    bench.host.setBreakpoints(parsed({"entropy=0"}));
    bench.host.run();
    QTRY_COMPARE(bench.stops.count(), 1);
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    QCOMPARE(bench.steps(), bench.lastStop().hit.step);
    QVERIFY(bench.lastStop().hit.bits > 0);
  }

  void closingWithABreakpointMetInsideEnds() {
    Bench bench(randomLoad(1));
    QVERIFY(bench.waitFor(MachineMode::kPaused));
    bench.host.setStopsInside(true);
    bench.host.setBreakpoints(parsed({"step=2"}));
    bench.host.run();
    QVERIFY(bench.waitFor(MachineMode::kHeld));
  }

  void stoppingChangesNoEvent() {
    const std::vector<std::string> conditions = {
        "admission", "first_prefill", "block_full", "prefix_hit", "copy_on_write", "preemption",
        "finished",  "entropy=2",     "request=r1", "step=5",     "finished@r2",   "token= the"};
    int stops = 0;
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
      Bench plain(randomLoad(seed));
      QVERIFY(plain.waitFor(MachineMode::kPaused));
      QVERIFY(!plain.runOn());

      Bench watched(randomLoad(seed));
      QVERIFY(watched.waitFor(MachineMode::kPaused));
      std::vector<std::string> some;
      for (std::size_t i = 0; i < 3; ++i) some.push_back(conditions[(seed * 5 + i * 7) % conditions.size()]);
      watched.host.setBreakpoints(parsed(some));
      while (watched.runOn()) QCOMPARE(watched.lastStop().hit.step, watched.steps());
      stops += int(watched.stops.count());
      QVERIFY2(watched.events() == plain.events(), QByteArray::number(seed));
    }
    QVERIFY2(stops > 50, QByteArray::number(stops));
  }
};

QTEST_MAIN(TestBreakpointRuns)
#include "tst_breakpoint_runs.moc"

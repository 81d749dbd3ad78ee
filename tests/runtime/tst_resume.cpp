// Resuming: a run that goes on from any of its steps has the same tokens, plans and blocks as the run itself,
// whatever mechanisms were at work; and options may change there.
#include "support/event_log.h"
#include "support/machine_check.h"
#include "support/random_workload.h"
#include "vitrine/trace.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <optional>

using namespace vitrine;

namespace {

const TinyModel& otherModel() {
  static const TinyModel other(tinyConfig(40), 6);
  return other;
}

// A clock that no two readings find alike.
ClockSource restless() {
  return [now = std::int64_t{0}]() mutable { return now += 3'141; };
}

// A run of a workload, with all of its events. Besides what the workload asks, requests come in gates, and
// sampling changes.
struct Original {
  Original(const TinyModel& model, std::uint32_t seed, int slidingWindow, const Detail& detail = {})
      : workload(seed, slidingWindow), random(seed) {
    engine = model.engine(workload.options, sink, workload.draftsLikeTheModel ? &model : &otherModel(),
                          restless());
    engine->setDetail(detail);
    int step = 0;
    engine->setGate([&](Phase next) {
      for (Life& life : workload.lives) {
        const bool comes = life.atGate && life.arrival == step && life.id == 0;
        if (comes && static_cast<int>(next) == life.arrival % kPhaseCount) submit(life);
        if (next == Phase::kForward && life.atGate && life.cancelAt == step && life.id != 0)
          engine->cancel(life.id);
      }
    });
    for (; step < 20 || engine->hasWork(); ++step) {
      for (Life& life : workload.lives) {
        const bool idle = !engine->hasWork();  // then there is no gate
        if (life.arrival == step && life.id == 0 && (!life.atGate || idle)) submit(life);
        if (life.arrival < step && life.id == 0) submit(life);
        if (!life.atGate && life.cancelAt == step && life.id != 0) engine->cancel(life.id);
      }
      engine->step();
      if (!workload.lives.empty() && random() % 8 == 0)
        warm(workload.lives[random() % workload.lives.size()]);
    }
    engine->setGate({});
    for (const Event& event : sink.events) script->add(event);
  }

  void submit(Life& life) { life.id = engine->submit(life.request); }
  void warm(const Life& life) {
    if (life.id == 0 || life.request.beamWidth > 1) return;
    SamplingOptions sampling;
    sampling.temperature = 0.8;
    sampling.seed = random();
    engine->setSampling(life.id, sampling);
    ++changes;
  }

  Workload workload;
  std::mt19937 random;
  EventLog sink;
  std::unique_ptr<Engine> engine;
  std::shared_ptr<RunScript> script = std::make_shared<RunScript>();
  int changes = 0;
};

// Follows the events as a window does, and keeps them.
class Watcher final : public EventSink {
 public:
  void publish(const Event& event) override {
    log.publish(event);
    if (!isA<Snapshot>(event)) return replay.publish(event);
    replay.state.apply(event);
    joined = true;
  }
  EventLog log;
  ReplayingSink replay;
  bool joined = false;
};

// Writes a branch whose snapshot the recording's own events replace, as hosts do.
class Joiner final : public EventSink {
 public:
  Joiner(const std::vector<Event>& past, EventSink& sink) : m_past(past), m_sink(sink) {}
  void publish(const Event& event) override {
    if (isA<Snapshot>(event)) return join(event);
    log.publish(event);
    m_sink.publish(event);
  }
  EventLog log;
  bool agrees = false;  // the recording's events give the machine's state

 private:
  void join(const Event& snapshot) {
    MachineState state;
    for (const Event& event : log.events) state.apply(event);
    for (Event event : m_past) {
      if (event.number > snapshot.number || isA<EngineLoaded>(event)) continue;
      event.run = snapshot.run;
      state.apply(event);
      publish(event);
    }
    agrees = state == *bodyOf<Snapshot>(snapshot)->state;
  }
  const std::vector<Event>& m_past;
  EventSink& m_sink;
};

// The first event of the two runs that differs, times and detail aside; empty when none does.
std::string firstDifference(const std::vector<Event>& original, const std::vector<Event>& resumed) {
  const auto said = [](const std::vector<Event>& events) {
    std::vector<std::string> lines;
    for (Event event : events) {
      const bool time = isA<EngineLoaded>(event) || isA<StepFinished>(event) || isA<RequestFinished>(event) ||
                        isA<StepSwapped>(event) || isA<StepSpeculated>(event) ||
                        isA<ForwardMeasured>(event) || isA<EventsDropped>(event);
      if (time) continue;
      event.run = 0;
      event.timeNs = 0;
      lines.push_back(eventToJson(event));
    }
    return lines;
  };
  const auto a = said(original), b = said(resumed);
  const auto [at, other] = std::ranges::mismatch(a, b);
  if (at == a.end() && other == b.end()) return "";
  return (at == a.end() ? "nothing" : *at) + " became " + (other == b.end() ? "nothing" : *other);
}

// "code: message"; "nothing" when it was resumed.
std::string refusal(std::shared_ptr<const RunScript> script, int step, const Engine& by) {
  EventLog log;
  try {
    by.resume(std::move(script), step, log);
    return "nothing";
  } catch (const EngineError& error) {
    return std::string(errorCodeName(error.code())) + ": " + error.what();
  }
}

}  // namespace

class TestResume : public QObject {
  Q_OBJECT

 private slots:
  void aResumedRunIsTheRun_data() {
    QTest::addColumn<int>("slidingWindow");
    QTest::addColumn<int>("firstSeed");
    QTest::addColumn<int>("workloads");
    QTest::newRow("full attention") << 0 << 1 << 260;
    QTest::newRow("sliding window") << 6 << 20001 << 60;
  }
  void aResumedRunIsTheRun() {
    QFETCH(int, slidingWindow);
    QFETCH(int, firstSeed);
    QFETCH(int, workloads);
    const TinyModel model(tinyConfig(96, slidingWindow));
    m_seen.clear();
    for (int i = 0; i < workloads; ++i) {
      const auto seed = static_cast<std::uint32_t>(firstSeed + i);
      Original original(model, seed, slidingWindow);
      std::mt19937 random(seed);
      const int last = original.script->lastStep();
      int step = i % 16 == 0 ? last : static_cast<int>(random() % static_cast<unsigned>(last + 1));
      if (i % 16 != 0) step = stepOfSwap(original, random).value_or(step);
      resumeAndCompare(original, step);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1, step %2").arg(seed).arg(step)));
    }
    // The runs were resumed in the midst of all that can be going on.
    QVERIFY(slidingWindow > 0 || m_seen["computed again"] >= workloads / 20);
    for (const char* kind : {"swapped", "cached and free", "hits computed", "beams", "shared", "half prompt",
                             "waiting again", "drafts follow", "sampling changed"})
      QVERIFY2(m_seen[kind] >= workloads / 30, qPrintable(QString("%1: %2").arg(kind).arg(m_seen[kind])));
  }

  // A late joiner gets the state instead of all events before.
  void theHistoryMayBeLeftOut() {
    Original original(tinyModel(), 11, 0);
    const int step = original.script->lastStep() / 2;
    Watcher watcher;
    ResumeOptions options;
    options.publishHistory = false;
    const auto engine = original.engine->resume(original.script, step, watcher, options);
    QCOMPARE(watcher.log.events.size(), std::size_t{2});
    QVERIFY(watcher.joined);
    QVERIFY(engine->snapshot() == watcher.replay.state);
    while (engine->hasWork()) engine->step();
    QCOMPARE(engine->rerun()->differsAt, 0);
    QVERIFY(engine->snapshot() == watcher.replay.state);
  }

  // A host shows the steps before the branch as they were: with their candidates, entropies and times.
  void theRecordingStandsInThePlaceOfTheHistory() {
    QTemporaryDir folder;
    Detail detail;
    detail.candidates = 3;
    detail.entropy = true;
    detail.layers = {0};
    detail.operations = true;
    int candidates = 0;
    for (std::uint32_t seed = 401; seed < 461; ++seed) {
      Original original(tinyModel(), seed, 0, detail);
      const int last = original.script->lastStep();
      const int step = static_cast<int>(original.random() % static_cast<unsigned>(last + 1));
      const std::string file = folder.filePath(QString::number(seed)).toStdString();
      TraceWriter writer(file);
      Joiner joiner(original.sink.events, writer);
      ResumeOptions options;
      options.publishHistory = false;
      const auto engine = original.engine->resume(original.script, step, joiner, options);
      const QByteArray where = "workload " + QByteArray::number(seed) + ", step " + QByteArray::number(step);
      QVERIFY2(joiner.agrees, where);
      candidates += static_cast<int>(joiner.log.of<TokenCandidates>().size());
      engine->setDetail(detail);
      while (engine->hasWork()) engine->step();
      writer.finish();
      QCOMPARE(engine->rerun()->differsAt, 0);
      QCOMPARE(firstDifference(original.sink.events, joiner.log.events), std::string());
      QCOMPARE(verifyTrace(file).lastStep, last);  // numbers without gaps, and times that never run backwards
    }
    QVERIFY(candidates > 0);
  }

  // The branch is a run of its own: it can be resumed in its turn.
  void aBranchCanBeResumed() {
    for (std::uint32_t seed : {21u, 22u, 23u, 24u}) {
      Original original(tinyModel(), seed, 0);
      const int last = original.script->lastStep();
      Watcher first, second;
      const auto engine = original.engine->resume(original.script, last / 2, first);
      while (engine->hasWork()) engine->step();
      const auto script = std::make_shared<RunScript>();
      for (const Event& event : first.log.events) script->add(event);
      QCOMPARE(script->loaded().branchStep, last / 2);
      QCOMPARE(script->loaded().branchOfRun, original.script->run());
      const auto again = engine->resume(script, last * 2 / 3, second);
      while (again->hasWork()) again->step();
      QCOMPARE(again->rerun()->differsAt, 0);
      QCOMPARE(firstDifference(first.log.events, second.log.events), std::string());
    }
  }

  // Other options from a step on: the books balance, and greedy answers are those of a request alone.
  void optionsMayChangeThere() {
    int changed = 0;
    for (std::uint32_t seed = 301; seed < 381; ++seed) {
      Original original(tinyModel(), seed, 0);
      std::mt19937 random(seed);
      const int last = original.script->lastStep();
      Watcher watcher;
      const auto engine = original.engine->resume(
          original.script, static_cast<int>(random() % static_cast<unsigned>(last + 1)), watcher);
      EngineOptions options = engine->options();
      const bool plain = options.kvCache && options.eviction == Eviction::kNone;
      options.tokenBudget = 1 + static_cast<int>(random() % 20);
      options.policy = static_cast<Policy>(random() % Names<Policy>::list.size());
      options.agingSteps = static_cast<int>(random() % 8);
      options.prefixCache = !options.prefixCache;
      if (plain) {
        options.preemption = random() % 2 == 0 ? Preemption::kRecompute : Preemption::kSwap;
        constexpr DraftMethod kMethods[] = {DraftMethod::kNone, DraftMethod::kEarlyExit, DraftMethod::kNgram};
        options.speculation.drafter = kMethods[random() % 3];
        options.speculation.exitLayer = 1;
        if (options.preemption == Preemption::kSwap && options.diskSwapBytes == 0)
          options.hostSwapBytes = std::max<std::int64_t>(options.hostSwapBytes, 1 << 20);
      }
      engine->setOptions(options);
      QVERIFY(engine->rerun()->changed);
      QCOMPARE(watcher.log.of<OptionsChanged>().size(), std::size_t{1});
      for (int steps = 0; engine->hasWork(); ++steps) {
        QVERIFY2(steps < 3000, "no end");
        engine->step();
        const std::string complaint = complaintAbout(*engine, watcher.replay);
        QVERIFY2(complaint.empty(), (std::to_string(seed) + ": " + complaint).c_str());
      }
      changed += compareWithAlone(*engine, original);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(seed)));
    }
    QVERIFY(changed > 80);
  }

  void changesBranchTheAnswer() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const RequestId id = engine->submit(tinyRequest({1, 2, 3}, 12));
    engine->run();
    const auto script = std::make_shared<RunScript>();
    for (const Event& event : log.events) script->add(event);
    EventLog branch;
    const auto resumed = engine->resume(script, 6, branch);
    SamplingOptions hot;
    hot.temperature = 5;
    resumed->setSampling(id, hot);
    resumed->run();
    const std::vector<TokenId> before = engine->takeResult(id).sequences[0].tokenIds,
                               after = resumed->takeResult(id).sequences[0].tokenIds;
    QVERIFY(std::ranges::equal(std::span(before).first(6), std::span(after).first(6)));
    QVERIFY(before != after);
    QVERIFY(resumed->rerun()->differsAt > 6);
  }

  void whatCannotBeResumedIsRefused() {
    Original original(tinyModel(), 5, 0);
    const int last = original.script->lastStep();
    QCOMPARE(refusal(original.script, last + 1, *original.engine),
             "invalid_argument: the recording has no step " + std::to_string(last + 1) +
                 ": it ends after step " + std::to_string(last));
    QCOMPARE(refusal(original.script, -1, *original.engine).substr(0, 16), std::string("invalid_argument"));
    ModelConfig wide = tinyConfig();
    wide.intermediateSize = 64;
    const TinyModel stranger(wide);
    EventLog log;
    const auto engine = stranger.engine(original.workload.options, log, &otherModel());
    const std::string said = refusal(original.script, 1, *engine);
    QVERIFY2(
        said.starts_with("unsupported: the run was recorded with another model: its number of parameters"),
        said.c_str());
  }

  // Whatever is chosen where the trace is read: a trace names the arithmetic of its products.
  void productsStayThoseOfTheRecording() {
    EngineOptions options = tinyOptions();
    options.quantization = Quantization::kInt8;
    for (const Compute asked : {Compute::kAuto, Compute::kF32}) {
      options.compute = asked;
      const Compute chosen = asked == Compute::kAuto ? Compute::kInt8 : Compute::kF32;
      const QTemporaryDir folder;
      const std::string file = folder.filePath("t.vitrine").toStdString();
      TraceWriter writer(file);
      const auto original = tinyModel().engine(options, writer);
      original->submit(tinyRequest({1, 2, 3}, 12));
      original->run();
      writer.finish();
      const auto script = std::make_shared<RunScript>();
      readTrace(file, [&](const Event& event) { script->add(event); });
      QVERIFY(script->options().compute == chosen);
      QVERIFY(verifyTrace(file).whole);

      EventLog log, branch;
      const auto same = tinyModel().engine(script->options(), log);
      const auto resumed = same->resume(script, script->lastStep() / 2, branch);
      QVERIFY(resumed->description().options.compute == chosen);
      resumed->run();
      QCOMPARE(resumed->rerun()->differsAt, 0);
      QVERIFY(resumed->rerun()->comparedSteps > 0);

      EngineOptions others = script->options();
      others.compute = chosen == Compute::kInt8 ? Compute::kF32 : Compute::kInt8;
      const std::string said = refusal(script, 1, *tinyModel().engine(others, log));
      QVERIFY2(said.find("its arithmetic of products is " + std::string(nameOf(chosen))) != std::string::npos,
               said.c_str());
    }
  }

  void whatWasNotRecordedWholeIsRefused() {
    Original original(tinyModel(), 5, 0);
    std::vector<Event> events = original.sink.events;
    EngineLoaded old = *bodyOf<EngineLoaded>(events.front());
    old.inputsRecorded = false;
    RunScript script;
    Event event = events.front();
    event.body = Boxed<EngineLoaded>(old);
    QVERIFY_EXCEPTION_THROWN(script.add(event), EngineError);
    RunScript headless;
    QVERIFY_EXCEPTION_THROWN(headless.add(events[1]), EngineError);
    RunScript late;
    late.add(events.front());
    event = events[20];
    event.step = 3;
    event.body = Snapshot{std::make_shared<const MachineState>()};
    QVERIFY_EXCEPTION_THROWN(late.add(event), EngineError);
  }

  // A step that the program decides otherwise is found, named, and nothing is lost.
  void anotherDecisionIsFound() {
    Original original(tinyModel(), 5, 0);
    RunScript script;
    int at = 0;
    for (Event event : original.sink.events) {
      if (const auto* scheduled = bodyOf<SequenceScheduled>(event);
          scheduled != nullptr && at == 0 && event.step > 3) {
        SequenceScheduled other = *scheduled;
        ++other.totalTokens;
        event.body = other;
        at = event.step;
      }
      script.add(event);
    }
    QVERIFY(at > 0);
    EventLog log;
    const MachineState before = original.engine->snapshot();
    try {
      original.engine->resume(std::make_shared<RunScript>(script), at + 1, log);
      QFAIL("it was believed");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kFileCorrupt);
      QVERIFY2(std::string(error.what()).find("step " + std::to_string(at) + " ") != std::string::npos,
               error.what());
    }
    QVERIFY(original.engine->snapshot() == before);
    original.engine->resume(std::make_shared<RunScript>(script), at - 1, log);
  }

  void resumingCanBeCancelled() {
    EventLog log, branch;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    engine->submit(tinyRequest({1, 2, 3}, 12));
    engine->run();
    const auto script = std::make_shared<RunScript>();
    for (const Event& event : log.events) script->add(event);
    const auto never = [](double, const char*) { return false; };
    try {
      engine->resume(script, 6, branch, {}, never);
      QFAIL("it went on");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kCancelled);
    }
  }

 private:
  // One in which a sequence was swapped out; without any, nothing.
  static std::optional<int> stepOfSwap(const Original& original, std::mt19937& random) {
    std::vector<int> steps;
    for (const Event& event : original.sink.events)
      if (isA<BlockSwappedOut>(event)) steps.push_back(event.step);
    if (steps.empty()) return std::nullopt;
    return steps[random() % steps.size()];
  }

  void resumeAndCompare(Original& original, int step) {
    note(original, step);
    Watcher watcher;
    const auto engine = original.engine->resume(original.script, step, watcher);
    QCOMPARE(engine->snapshot().step, step);
    QCOMPARE(complaintAbout(*engine, watcher.replay), std::string());
    m_seen["computed again"] += engine->rerun()->computedSteps > 0 ? 1 : 0;
    QVERIFY(engine->rerun()->following || step == original.script->lastStep());
    const std::int64_t rebuilt = engine->rerun()->rebuiltTokens;
    while (engine->hasWork()) {
      engine->step();
      QCOMPARE(complaintAbout(*engine, watcher.replay), std::string());
    }
    m_seen["hits computed"] += engine->rerun()->rebuiltTokens > rebuilt ? 1 : 0;
    QCOMPARE(firstDifference(original.sink.events, watcher.log.events), std::string());
    QCOMPARE(engine->rerun()->differsAt, 0);
    QCOMPARE(engine->rerun()->comparedSteps, original.script->lastStep() - step);
    QVERIFY(!engine->rerun()->changed);
  }

  // What was going on when the step had ended.
  void note(const Original& original, int step) {
    MachineState state;
    bool drafts = false;
    for (const Event& event : original.sink.events) {
      const bool later = event.step > step || (state.step == step && isA<StepFinished>(event));
      if (event.step <= step) state.apply(event);
      drafts = drafts || (event.step > step && isA<DraftProposed>(event));
      if (later && event.step > step && drafts) break;
    }
    const auto count = [&](const char* what, bool holds) { m_seen[what] += holds ? 1 : 0; };
    bool swapped = false, beams = false, half = false, again = false;
    for (const auto& [id, sequence] : state.sequences) {
      swapped = swapped || !sequence.swapped.empty();
      again = again || sequence.status == SequenceStatus::kPreempted;
      half = half || (sequence.status == SequenceStatus::kRunning && sequence.computedTokens > 0 &&
                      sequence.computedTokens < sequence.promptTokens);
    }
    for (const auto& [id, request] : state.requests) beams = beams || !request.beams.empty();
    bool cached = false, shared = false;
    for (const BlockState& block : state.blocks) {
      cached = cached || (block.cached && block.refCount == 0);
      shared = shared || block.refCount > 1;
    }
    count("swapped", swapped), count("waiting again", again), count("half prompt", half);
    count("beams", beams), count("cached and free", cached), count("shared", shared);
    count("drafts follow", drafts), count("sampling changed", original.changes > 0);
  }

  // How many answers were compared.
  static int compareWithAlone(Engine& engine, const Original& original) {
    int compared = 0;
    const MachineState state = engine.snapshot();
    for (const Life& life : original.workload.lives) {
      const bool greedy = life.request.sampling.temperature <= 0;
      if (!greedy || state.requests.at(life.id).cancelled || wasWarmed(original, life.id)) continue;
      const RequestResult together = engine.takeResult(life.id);
      const RequestResult expected = alone(tinyModel(), life.request, original.workload.options);
      for (std::size_t i = 0; i < expected.sequences.size(); ++i) {
        if (together.sequences.at(i).tokenIds != expected.sequences[i].tokenIds) {
          QTest::qFail("another answer", __FILE__, __LINE__);
          return compared;
        }
        ++compared;
      }
    }
    return compared;
  }
  static bool wasWarmed(const Original& original, RequestId id) {
    return std::ranges::any_of(original.sink.of<SamplingChanged>(),
                               [id](const SamplingChanged& change) { return change.request == id; });
  }

  std::map<std::string, int> m_seen;
};

QTEST_APPLESS_MAIN(TestResume)
#include "tst_resume.moc"

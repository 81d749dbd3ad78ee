// Steps that overlap: the next forward begins before this step's tokens are drawn, on a backend that digests
// logits where they lie, as a GPU does. Tokens, steps and events are those of an engine without.
#include "events/event_fields.h"
#include "events/json_line.h"
#include "events/state_json.h"
#include "support/digesting_backend.h"
#include "support/failing_backend.h"
#include "support/late_copies.h"
#include "support/random_workload.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

std::unique_ptr<Engine> digestingEngine(const TinyModel& model, EngineOptions options, EventSink& sink,
                                        ClockSource clock = steadyNowNs) {
  auto late = std::make_unique<test::LateCopies>(tinyBackend(options), std::make_shared<std::size_t>(0));
  EngineParts parts = model.parts(std::make_unique<test::DigestingBackend>(std::move(late)),
                                  storageFor(options, DType::kF32));
  parts.clock = std::move(clock);
  return assembleEngine(std::move(parts), options, sink);
}

Request greedy(int maxTokens = 12, TokenId first = 10) {
  return tinyRequest(tinyPrompt(9, first), maxTokens);
}

// Everything but what says how a forward was computed, and what one event tells of loading.
std::vector<std::string> linesOf(const EventLog& log) {
  std::vector<std::string> lines;
  for (const Event& event : log.events) {
    if (isA<ForwardAhead>(event) || isA<EngineLoaded>(event)) continue;
    std::string& line =
        lines.emplace_back(std::to_string(event.step) + " " + std::to_string(static_cast<int>(event.phase)) +
                           " " + std::to_string(event.timeNs) + " " + eventName(event) + " ");
    std::visit([&](const auto& body) { appendJson(line, unboxed(body)); }, event.body);
  }
  return lines;
}

// Most requests are greedy and ask for nothing that needs a row.
Workload greedyWorkload(std::uint32_t seed) {
  Workload workload(seed, 0);
  EngineOptions& options = workload.options;
  options.eviction = Eviction::kNone;
  options.speculation.drafter = DraftMethod::kNone;
  options.kvCache = true;
  options.attention.clear();
  options.tokenBudget = std::max(options.tokenBudget, 7);
  for (Life& life : workload.lives) {
    if (seed % 4 == 0 && &life == &workload.lives.front()) continue;
    life.request.sampling = {};
    life.request.logprobs = 0;
    life.request.bestOf = 0;
    life.request.sequences = life.request.beamWidth = 1;
  }
  return workload;
}

struct Lived {
  Watched watched;
  std::vector<RequestResult> results;
};

void live(const TinyModel& model, std::uint32_t seed, Overlap overlap, Lived& lived) {
  Workload workload = greedyWorkload(seed);
  workload.options.overlap = overlap;
  std::int64_t now = 0;  // a step takes a millisecond
  const auto engine = digestingEngine(model, workload.options, lived.watched.both, [&] { return now; });
  for (int step = 0; step < 24 || engine->hasWork(); ++step) {
    QVERIFY2(step < 3000, "no end");
    workload.begin(*engine, step);
    now += 1'000'000;
    Detail detail;
    if (seed % 5 == 0 && step % 7 == 3) detail.entropy = true;
    if (seed % 5 == 1 && step % 7 == 3) detail.layers = {1};
    engine->setDetail(detail);
    if (seed % 5 == 2 && step % 5 == 0) engine->examine(std::vector<TokenId>{3, 4, 5}, true);
    engine->step();
    QCOMPARE(lived.watched.replay.error, std::string());
    QVERIFY(engine->snapshot() == lived.watched.replay.state);
  }
  for (const Life& life : workload.lives)
    if (engine->isFinished(life.id)) lived.results.push_back(engine->takeResult(life.id));
}

template <typename Body>
std::int64_t count(const Lived& lived) {
  return static_cast<std::int64_t>(lived.watched.log.of<Body>().size());
}

}  // namespace

class TestOverlap : public QObject {
  Q_OBJECT

 private slots:
  void stepsAreThoseOfAnEngineWithout() {
    constexpr int kWorkloads = 500;
    const TinyModel model(tinyConfig(96));
    std::int64_t taken = 0, partly = 0, dropped = 0, preempted = 0, swapped = 0, hits = 0, stopped = 0;
    for (std::uint32_t seed = 1; seed <= kWorkloads; ++seed) {
      Lived on, off;
      live(model, seed, Overlap::kOn, on);
      live(model, seed, Overlap::kOff, off);
      if (QTest::currentTestFailed()) return;
      const std::vector<std::string> ours = linesOf(on.watched.log), theirs = linesOf(off.watched.log);
      for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i)
        QVERIFY2(ours[i] == theirs[i], ("workload " + std::to_string(seed) + ": " + ours[i]).c_str());
      QCOMPARE(ours.size(), theirs.size());
      QCOMPARE(on.results.size(), off.results.size());
      for (std::size_t i = 0; i < on.results.size(); ++i) {
        QVERIFY(isSameResult(on.results[i], off.results[i]));
        for (const SequenceResult& one : on.results[i].sequences)
          stopped += one.reason == FinishReason::kStop ? 1 : 0;
      }
      QCOMPARE(count<ForwardAhead>(off), 0);
      for (const ForwardAhead& ahead : on.watched.log.of<ForwardAhead>())
        ++(ahead.wasted == 0 ? taken : ahead.wasted < ahead.rows ? partly : dropped);
      preempted += count<SequencePreempted>(on);
      swapped += count<BlockSwappedIn>(on);
      hits += count<BlockHit>(on);
    }
    QVERIFY2(taken > 2000 && partly > 5 && dropped > 50 && preempted > 100 && swapped > 50 && hits > 200 &&
                 stopped > 50,
             qPrintable(QString("%1 taken, %2 in part, %3 dropped, %4 preempted, %5 swapped in, %6 hits, %7 "
                                "stopped")
                            .arg(taken)
                            .arg(partly)
                            .arg(dropped)
                            .arg(preempted)
                            .arg(swapped)
                            .arg(hits)
                            .arg(stopped)));
  }

  // Two prompts, then eleven steps that both go on by a token: each of those but none else began early.
  void everyForeseenStepBeginsEarly() {
    EventLog log;
    const auto engine = digestingEngine(tinyModel(), tinyOptions(), log);
    engine->submit(greedy(12, 10));
    engine->submit(greedy(12, 20));
    engine->run();
    const auto aheads = log.of<ForwardAhead>();
    QCOMPARE(aheads.size(), std::size_t{11});
    for (const ForwardAhead& ahead : aheads) QVERIFY(ahead.rows == 2 && ahead.wasted == 0);
    for (const Event& event : log.events)
      if (isA<ForwardAhead>(event)) QVERIFY(event.phase == Phase::kForward && event.step > 1);
  }

  void anEndTokenWastesTheRowBehindIt() {
    TokenId first = 9;
    std::vector<TokenId> tokens;
    std::size_t end = 0;  // of the last token that the answer did not have before
    while (end < 2 || end + 1 >= tokens.size()) {
      QVERIFY(++first < 60);
      EventLog log;
      const auto scout = digestingEngine(tinyModel(), tinyOptions(), log);
      const RequestId id = scout->submit(greedy(12, first));
      scout->run();
      tokens = scout->takeResult(id).sequences.at(0).tokenIds;
      end = 0;
      for (std::size_t i = 1; i < tokens.size(); ++i)
        if (std::ranges::find(tokens, tokens[i]) == tokens.begin() + static_cast<std::ptrdiff_t>(i)) end = i;
    }
    ModelConfig config = tinyConfig();
    config.eosTokens = {tokens[end]};
    const TinyModel model(config);
    for (const bool alone : {true, false}) {
      EventLog log;
      const auto engine = digestingEngine(model, tinyOptions(), log);
      Request ends = greedy(12, first);
      ends.ignoreEos = false;
      const RequestId id = engine->submit(ends);
      // One that takes no block behind that token: which one it gets depends on those that become free.
      const int length = (9 + static_cast<int>(end) + 1) % 4 == 0 ? 10 : 9;
      if (!alone) engine->submit(tinyRequest(tinyPrompt(length, 20), 16));
      engine->run();
      QVERIFY(engine->takeResult(id).sequences.at(0).reason == FinishReason::kStop);
      std::vector<ForwardAhead> wasted;
      for (const ForwardAhead& ahead : log.of<ForwardAhead>())
        if (ahead.wasted > 0) wasted.push_back(ahead);
      QCOMPARE(wasted.size(), std::size_t{1});
      QCOMPARE(wasted[0].wasted, 1);
      QCOMPARE(wasted[0].rows, alone ? 1 : 2);
    }
  }

  void someStepsBeginWithTheirPhase_data() {
    QTest::addColumn<int>("what");
    int what = 0;
    for (const char* name : {"off", "gate", "temperature", "penalty", "log-probabilities", "candidates",
                             "layers", "operations", "entropy", "drafts", "no KV cache", "eviction", "beams"})
      QTest::newRow(name) << what++;
  }
  void someStepsBeginWithTheirPhase() {
    QFETCH(int, what);
    EngineOptions options = tinyOptions();
    Detail detail;
    Request request = greedy();
    if (what == 0) options.overlap = Overlap::kOff;
    if (what == 2) request.sampling.temperature = 1;
    if (what == 3) request.sampling.presencePenalty = 1;
    if (what == 4) request.logprobs = 1;
    if (what == 5) detail.candidates = 1;
    if (what == 6) detail.layers = {0};
    if (what == 7) detail.operations = true;
    if (what == 8) detail.entropy = true;
    if (what == 9) options.speculation.drafter = DraftMethod::kNgram;
    if (what == 10) options.kvCache = options.prefixCache = false;
    if (what == 11) {
      options.eviction = Eviction::kSinks;
      options.sinkTokens = options.windowTokens = 4;
    }
    if (what == 12) request.beamWidth = 2;
    EventLog log;
    const auto engine = digestingEngine(tinyModel(), options, log);
    if (what == 1) engine->setGate([](Phase) {});
    engine->setDetail(detail);
    engine->submit(request);
    engine->run();
    QVERIFY(log.of<ForwardAhead>().empty());
  }

  // A watcher's wish, another temperature and a gate come when a forward is under way: its rows are wasted.
  void whatComesInBetweenDropsTheForward_data() {
    QTest::addColumn<int>("what");
    QTest::newRow("entropy") << 0;
    QTest::newRow("temperature") << 1;
    QTest::newRow("gate") << 2;
    QTest::newRow("another request") << 3;
    QTest::newRow("cancelled") << 4;
  }
  void whatComesInBetweenDropsTheForward() {
    QFETCH(int, what);
    const auto run = [&](Overlap overlap, EventLog& log) {
      EngineOptions options = tinyOptions();
      options.overlap = overlap;
      const auto engine = digestingEngine(tinyModel(), options, log);
      std::vector<RequestId> ids = {engine->submit(greedy())};
      for (int i = 0; i < 4; ++i) engine->step();
      log.clear();
      Detail detail;
      detail.entropy = what == 0;
      engine->setDetail(detail);
      SamplingOptions drawn;
      drawn.temperature = 2;
      if (what == 1) engine->setSampling(ids[0], drawn);
      if (what == 2) engine->setGate([](Phase) {});
      if (what == 3) ids.push_back(engine->submit(greedy(12, 30)));
      if (what == 4) engine->cancel(ids[0]);
      engine->run();
      std::vector<std::vector<TokenId>> tokens;
      for (const RequestId id : ids) tokens.push_back(engine->takeResult(id).sequences.at(0).tokenIds);
      return tokens;
    };
    EventLog on, off;
    const auto ours = run(Overlap::kOn, on), theirs = run(Overlap::kOff, off);
    QCOMPARE(ours, theirs);
    if (what == 4) return;  // no step is left
    const auto aheads = on.of<ForwardAhead>();
    QVERIFY(!aheads.empty() && aheads.front().rows == 1 && aheads.front().wasted == 1);
  }

  // A wrong forward costs a step, so a new one begins when thirty-two in a row would have been right.
  void foresightIsTrustedWhenItWasRight() {
    EventLog log;
    const auto engine = digestingEngine(tinyModel(), tinyOptions(64), log);
    engine->submit(greedy(80, 10));
    for (int i = 0; i < 4; ++i) engine->step();
    log.clear();
    engine->submit(greedy(80, 30));
    for (int i = 0; i < 33; ++i) engine->step();
    QCOMPARE(log.of<ForwardAhead>().size(), std::size_t{1});
    QCOMPARE(log.of<ForwardAhead>().front().wasted, 1);
    for (int i = 0; i < 3; ++i) engine->step();
    QCOMPARE(log.of<ForwardAhead>().size(), std::size_t{4});
    QCOMPARE(log.of<ForwardAhead>().back().wasted, 0);
  }

  // A branch of the run shares the decoder, and its steps come in between.
  void anotherEngineMayShareTheDecoder() {
    EventLog log;
    const auto engine = digestingEngine(tinyModel(), tinyOptions(), log);
    const RequestId first = engine->submit(greedy(20));
    engine->run();
    const std::vector<TokenId> whole = engine->takeResult(first).sequences.at(0).tokenIds;
    const auto script = std::make_shared<RunScript>();
    for (const Event& event : log.events) script->add(event);
    EventLog other;
    const auto branch = engine->resume(script, 4, other);
    log.clear();
    const RequestId again = engine->submit(greedy(20));
    while (engine->hasWork() || branch->hasWork()) {
      if (engine->hasWork()) engine->step();
      if (branch->hasWork()) branch->step();
    }
    QCOMPARE(engine->takeResult(again).sequences.at(0).tokenIds, whole);
    QCOMPARE(branch->takeResult(1).sequences.at(0).tokenIds, whole);
    QVERIFY(log.of<ForwardAhead>().size() > 10);
  }

  // The forward that begins early fails the step in which it begins, and nothing of it is left.
  void aFailedForwardIsForgotten() {
    const auto stepsLeft = std::make_shared<int>(-1);
    EngineParts parts = tinyModel().parts(std::make_unique<test::DigestingBackend>(
        std::make_unique<FailingBackend>(makeCpuBackend(1), stepsLeft)));
    EventLog log;
    const auto engine = assembleEngine(std::move(parts), tinyOptions(), log);
    const RequestId lost = engine->submit(greedy());
    engine->step();
    engine->step();
    *stepsLeft = 0;
    engine->run();
    QVERIFY(engine->takeResult(lost).sequences.at(0).reason == FinishReason::kFailed);
    const RequestId next = engine->submit(greedy());
    engine->run();
    QVERIFY(isSameResult(engine->takeResult(next), alone(tinyModel(), greedy(), tinyOptions())));
  }
};

QTEST_APPLESS_MAIN(TestOverlap)
#include "tst_overlap.moc"

// What the engine adds to the scheduler's policies: deadlines in events, batching windows, slots chosen.
#include "support/event_log.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

const TinyModel& model() {
  static const TinyModel tiny(tinyConfig(32));
  return tiny;
}

constexpr std::int64_t kMs = 1'000'000;

// A clock that stands still unless the test moves it.
struct Timed {
  explicit Timed(const EngineOptions& options) {
    EngineParts parts = model().parts();
    parts.clock = [this] { return now; };
    engine = assembleEngine(std::move(parts), options, log);
  }
  void run(std::int64_t stepNs = kMs) {
    for (; engine->hasWork(); engine->step()) now += stepNs;
  }
  std::int64_t now = 0;
  EventLog log;
  std::unique_ptr<Engine> engine;
};

EngineOptions window(double ms) {
  EngineOptions options = tinyOptions();
  options.batching = Batching::kWindow;
  options.windowMs = ms;
  options.maxSequences = 3;
  return options;
}

Request due(double deadlineMs, int maxTokens = 4) {
  Request request = tinyRequest({10, 11, 12}, maxTokens);
  request.deadlineMs = deadlineMs;
  return request;
}

}  // namespace

class TestPolicies : public QObject {
  Q_OBJECT

 private slots:
  void aMissedDeadlineHasItsNumbers() {
    for (const Policy policy : {Policy::kFcfs, Policy::kDeadline}) {
      EngineOptions options = tinyOptions();
      options.policy = policy;
      Timed timed(options);
      const RequestId late = timed.engine->submit(due(2.5)), kept = timed.engine->submit(due(1000));
      timed.engine->submit(due(0));
      timed.run();
      const auto events = timed.log.of<RequestFinished>();
      QVERIFY(events[0].missedDeadline && !events[1].missedDeadline && !events[2].missedDeadline);
      QCOMPARE(events[0].lateNs, 4 * kMs - 5 * kMs / 2);  // four steps of a millisecond
      QCOMPARE(events[1].lateNs, 4 * kMs - 1000 * kMs);
      QCOMPARE(events[2].lateNs, 0);
      QCOMPARE(timed.engine->takeResult(late).lateNs, events[0].lateNs);
      QCOMPARE(timed.engine->takeResult(kept).deadlineMs, 1000.0);
    }
  }

  void aCancelledRequestMissesNothing() {
    Timed timed(tinyOptions());
    const RequestId id = timed.engine->submit(due(1, 20));
    for (int i = 0; i < 3; ++i) timed.now += kMs, timed.engine->step();
    timed.engine->cancel(id);
    const RequestFinished event = timed.log.of<RequestFinished>().at(0);
    QVERIFY(event.lateNs > 0 && !event.missedDeadline);
  }

  void submissionPublishesPriorityDeadlineAndRank() {
    EngineOptions options = tinyOptions();
    options.policy = Policy::kPriority;
    options.agingSteps = 7;
    Timed timed(options);
    Request request = due(5);
    request.priority = 3;
    timed.engine->submit(request);
    const RequestSubmitted event = timed.log.of<RequestSubmitted>().at(0);
    QCOMPARE(event.asked.priority, 3);
    QCOMPARE(event.asked.deadlineMs, 5.0);
    QCOMPARE(event.rank, -21);
    QCOMPARE(timed.engine->snapshot().requests.at(1).priority, 3);
    QVERIFY(timed.engine->description().options.policy == Policy::kPriority);
  }

  void anOpenWindowComputesNothingAndSaysForHowLong() {
    Timed timed(window(8));
    QCOMPARE(timed.engine->idleNs(), 0);
    timed.engine->submit(tinyRequest({10, 11, 12}, 4));
    QCOMPARE(timed.engine->idleNs(), 8 * kMs);
    timed.now += 3 * kMs;
    timed.engine->step();
    QCOMPARE(timed.engine->idleNs(), 5 * kMs);
    QCOMPARE(timed.log.of<PhaseStarted>().size(), std::size_t{2});  // admit and plan
    QCOMPARE(timed.log.of<StepFinished>().at(0).tokens, 0);
    QCOMPARE(timed.log.of<SequenceWaiting>().at(0).available, 3);
    timed.now += 5 * kMs;
    QCOMPARE(timed.engine->idleNs(), 0);
    timed.engine->step();
    QCOMPARE(timed.log.of<TokenSampled>().size(), std::size_t{1});
    timed.engine->submit(tinyRequest({20}, 2));
    QCOMPARE(timed.engine->idleNs(), 0);  // a batch is in flight
    timed.run();
    QCOMPARE(timed.log.of<RequestFinished>().size(), std::size_t{2});
  }

  void cancellingInTheWindowClosesIt() {
    Timed timed(window(8));
    const RequestId id = timed.engine->submit(tinyRequest({10, 11, 12}, 4));
    timed.engine->step();
    timed.engine->cancel(id);
    QVERIFY(!timed.engine->hasWork());
    QCOMPARE(timed.engine->idleNs(), 0);
    QVERIFY(timed.engine->takeResult(id).sequences[0].reason == FinishReason::kCancelled);
  }

  // With the real clock: run() sleeps the window out instead of stepping through it.
  void runDoesNotSpin() {
    EventLog log;
    const auto engine = model().engine(window(30), log);
    const RequestId id = engine->submit(tinyRequest({10, 11, 12}, 4));
    engine->run();
    QVERIFY(log.of<StepFinished>().size() <= 6);
    const RequestResult result = engine->takeResult(id);
    QVERIFY(result.queueNs >= 30 * kMs);
    EventLog plain;
    const auto alone = model().engine(tinyOptions(), plain);
    const RequestId same = alone->submit(tinyRequest({10, 11, 12}, 4));
    alone->run();
    QCOMPARE(result.sequences[0].tokenIds, alone->takeResult(same).sequences[0].tokenIds);
  }

  // The context is 32 tokens: 8 blocks of 4.
  void slotsAreComputedFromThePool_data() {
    QTest::addColumn<int>("numBlocks");
    QTest::addColumn<int>("tokenBudget");
    QTest::addColumn<int>("fitting");
    QTest::addColumn<int>("slots");
    QTest::newRow("three contexts") << 31 << 64 << 3 << 3;
    QTest::newRow("not one context") << 5 << 64 << 0 << 1;
    QTest::newRow("a small budget") << 32 << 2 << 4 << 2;
    QTest::newRow("all by itself") << 0 << 512 << 16 << 16;
  }
  void slotsAreComputedFromThePool() {
    QFETCH(int, numBlocks);
    QFETCH(int, tokenBudget);
    EngineOptions options = tinyOptions(numBlocks, 4, tokenBudget);
    options.maxSequences = 0;
    Timed timed(options);
    const EngineLoaded loaded = timed.log.of<EngineLoaded>().at(0);
    QTEST(loaded.fittingSequences, "fitting");
    QTEST(loaded.options.maxSequences, "slots");
    for (int i = 0; i < 5; ++i) timed.engine->submit(tinyRequest({10, 11, 12}, 12));
    for (; timed.engine->hasWork(); timed.engine->step())
      QVERIFY(static_cast<int>(timed.engine->snapshot().running.size()) <= loaded.options.maxSequences);
    if (loaded.fittingSequences > 0) QVERIFY(timed.log.of<SequencePreempted>().empty());
    options.maxSequences = 5;
    Timed given(options);
    QCOMPARE(given.engine->description().options.maxSequences, 5);
  }

  // All its beams are preempted at once, for one slot. They are computed again, and the answers are those of
  // a search that runs alone.
  void aSearchIsPreemptedWholeForAMoreImportantRequest_data() {
    QTest::addColumn<int>("policy");
    QTest::addColumn<bool>("swaps");
    QTest::newRow("priority") << static_cast<int>(Policy::kPriority) << false;
    QTest::newRow("deadline") << static_cast<int>(Policy::kDeadline) << false;
    QTest::newRow("shortest") << static_cast<int>(Policy::kShortest) << false;
    QTest::newRow("with swapping on") << static_cast<int>(Policy::kPriority) << true;
  }
  void aSearchIsPreemptedWholeForAMoreImportantRequest() {
    QFETCH(int, policy);
    QFETCH(bool, swaps);
    EngineOptions options = tinyOptions();
    Request search = tinyRequest({10, 11, 12, 13, 14}, 12);
    search.beamWidth = search.sequences = 3;
    Timed quiet(options);
    const RequestId alone = quiet.engine->submit(search);
    quiet.run();
    const RequestResult expected = quiet.engine->takeResult(alone);

    options.policy = static_cast<Policy>(policy);
    options.maxSequences = 3;
    if (swaps) options.preemption = Preemption::kSwap;
    Timed timed(options);
    const RequestId id = timed.engine->submit(search);
    for (int i = 0; i < 4; ++i) timed.engine->step();
    Request urgent = due(5);
    urgent.priority = 3;
    timed.engine->submit(urgent);
    timed.run();
    std::vector<SequenceId> preemptedIds;
    for (const SequencePreempted& event : timed.log.of<SequencePreempted>()) {
      preemptedIds.push_back(event.sequence);
      QVERIFY(event.reason == PreemptReason::kImportance && event.forSequence == 4 && event.lostTokens > 0);
      QVERIFY(event.cause == (swaps ? PreemptionCause::kBeams : PreemptionCause::kOption));
    }
    QCOMPARE(preemptedIds, (std::vector<SequenceId>{3, 2, 1}));
    const RequestResult result = timed.engine->takeResult(id);
    for (std::size_t i = 0; i < 3; ++i) {
      QCOMPARE(result.sequences[i].tokenIds, expected.sequences[i].tokenIds);
      QVERIFY(result.sequences[i].score == expected.sequences[i].score);
    }
  }
};

QTEST_APPLESS_MAIN(TestPolicies)
#include "tst_policies.moc"

// Faults that other engines shipped, each with a test that finds it. engine/README.md lists them ("The law,
// and how it is tested").
#include "support/event_log.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>
#include <set>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

SequenceResult alone(Request request) {
  EventLog log;
  EngineOptions options = tinyOptions(64, 16, 512);
  options.prefixCache = false;
  const auto engine = tinyModel().engine(options, log);
  const RequestId id = engine->submit(std::move(request));
  engine->run();
  return engine->takeResult(id).sequences.at(0);
}

Tokens tokensOf(Engine& engine, RequestId id) { return engine.takeResult(id).sequences.at(0).tokenIds; }

// A clock that stands still unless the test moves it, and a phase that begins: a step takes 600.
struct TimedEngine final : EventSink {
  explicit TimedEngine(const EngineOptions& options) {
    EngineParts parts = tinyModel().parts();
    parts.clock = [this] { return now; };
    engine = assembleEngine(std::move(parts), options, *this);
  }
  void publish(const Event& event) override {
    log.publish(event);
    now += isA<PhaseStarted>(event) ? 100 : 0;
  }
  std::int64_t now = 0;
  EventLog log;
  std::unique_ptr<Engine> engine;
};

}  // namespace

class TestFaults : public QObject {
  Q_OBJECT

 private slots:
  // 1. A preempted sequence comes back and finds its own blocks in the prefix index: tokens are counted after
  // the hit, never before.
  void fault01_preemptedThenPrefixHit() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(8, 4), log);
    const RequestId first = engine->submit(tinyRequest(tinyPrompt(8), 12));
    const RequestId second = engine->submit(tinyRequest(tinyPrompt(9, 40), 10));
    engine->run();
    bool cameBackWithHits = false;
    for (const auto& admitted : log.of<SequenceAdmitted>()) {
      if (admitted.resumed) cameBackWithHits |= admitted.cachedTokens > 0;
    }
    QVERIFY(cameBackWithHits);
    QCOMPARE(tokensOf(*engine, first), alone(tinyRequest(tinyPrompt(8), 12)).tokenIds);
    QCOMPARE(tokensOf(*engine, second), alone(tinyRequest(tinyPrompt(9, 40), 10)).tokenIds);
  }

  // 2. A prompt wholly in the cache, to the block: the last block is computed again, so that there is a
  // query.
  void fault02_wholePromptCached_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("cached");
    QTest::newRow("one block") << 4 << 0;
    QTest::newRow("two blocks") << 8 << 4;
    QTest::newRow("three blocks and one token") << 13 << 12;
    QTest::newRow("four blocks") << 16 << 12;
  }
  void fault02_wholePromptCached() {
    QFETCH(int, length);
    QFETCH(int, cached);
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const Tokens expected = alone(tinyRequest(tinyPrompt(length))).tokenIds;
    for (int round = 0; round < 3; ++round) {
      const RequestId id = engine->submit(tinyRequest(tinyPrompt(length)));
      engine->run();
      const RequestResult result = engine->takeResult(id);
      QCOMPARE(result.cachedTokens, round == 0 ? 0 : cached);
      QCOMPARE(result.sequences[0].tokenIds, expected);
    }
  }

  // 3. Several queries over past keys: each sees exactly what is before it, whatever the chunk it came in.
  void fault03_chunkedPrefillBounds() {
    for (int length : {1, 2, 5, 8, 13, 21}) {
      Request request = tinyRequest(tinyPrompt(length), 4);
      request.logprobs = 61;
      const SequenceResult whole = alone(request);
      for (int budget : {1, 2, 3, 5, 8, 20}) {
        EventLog log;
        const auto engine = tinyModel().engine(tinyOptions(16, 4, budget), log);
        const RequestId id = engine->submit(request);
        engine->run();
        const SequenceResult chunked = engine->takeResult(id).sequences[0];
        QCOMPARE(chunked.tokenIds, whole.tokenIds);
        for (std::size_t i = 0; i < whole.logprobs.size(); ++i) {
          QVERIFY(chunked.logprobs[i].top == whole.logprobs[i].top);  // every logit, to the bit
        }
        const auto chunks = log.of<SequenceScheduled>();
        QCOMPARE(chunks[0].tokens, std::min(length, budget));
      }
    }
  }

  // 4. A request larger than the pool is rejected at submission, with numbers; the largest that fits runs.
  void fault04_requestLargerThanPool() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(6, 4), log);
    const RequestId largest = engine->submit(tinyRequest(tinyPrompt(14), 10));
    engine->run();
    QCOMPARE(tokensOf(*engine, largest).size(), std::size_t{10});
    try {
      engine->submit(tinyRequest(tinyPrompt(14), 11));
      QFAIL("25 tokens do not fit 6 blocks of 4");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kOutOfMemory);
      const std::string message = error.what();
      QVERIFY2(message.find("7 KV blocks") != std::string::npos, error.what());
      QVERIFY2(message.find("the pool has 6") != std::string::npos, error.what());
      QVERIFY(!error.hint().empty());
    }
    QCOMPARE(log.of<RequestRejected>().at(0).code, std::string("out_of_memory"));
    QVERIFY(!engine->hasWork());
  }

  // 5. A block table that outlives its blocks: while a sequence is preempted its blocks go to others, and
  // what it finds when it comes back is its own past, in new blocks.
  void fault05_staleBlockTable() {
    EventLog log;
    EngineOptions options = tinyOptions(9, 4);
    options.prefixCache = false;  // nothing may be found again
    const auto engine = tinyModel().engine(options, log);
    std::map<RequestId, Tokens> prompts;
    for (TokenId first : {10, 25, 40})
      prompts[engine->submit(tinyRequest(tinyPrompt(7, first), 14))] = tinyPrompt(7, first);
    std::map<SequenceId, std::set<BlockId>> held;
    while (engine->hasWork()) {
      engine->step();
      const MachineState state = engine->snapshot();
      for (const auto& [id, sequence] : state.sequences) {
        const std::size_t blocks = static_cast<std::size_t>((sequence.computedTokens + 3) / 4);
        const bool running = sequence.status == SequenceStatus::kRunning;
        QCOMPARE(sequence.blockTable.size(), running ? blocks : 0);
        held[id].insert(sequence.blockTable.begin(), sequence.blockTable.end());
      }
    }
    QVERIFY(log.of<SequencePreempted>().size() >= 2);
    QVERIFY(held[3].size() > 5);  // it ends with five: it did come back elsewhere
    for (const auto& [id, tokens] : prompts) {
      QCOMPARE(tokensOf(*engine, id), alone(tinyRequest(tokens, 14)).tokenIds);
    }
  }

  // 5b. The same after a rollback: the table is as long as what stayed, the next draft is computed where the
  // rejected one was, and drafts go on being accepted.
  void fault05_staleBlockTableAfterARollback() {
    EngineOptions options = tinyOptions(24, 2);
    options.speculation.drafter = DraftMethod::kNgram;
    options.speculation.draftLength = 5;
    options.speculation.ngramLength = 1;
    EventLog log;
    const auto engine = tinyModel().engine(options, log);
    std::vector<RequestId> ids;
    std::vector<Request> requests;
    for (TokenId first : {10, 25}) {
      requests.push_back(tinyRequest(tinyPrompt(7, first), 40));
      requests.back().sequences = 2;  // the tail is shared when the first draft is written behind it
      requests.back().sampling.repetitionPenalty = 0.8;  // such an answer repeats itself sooner or later
      ids.push_back(engine->submit(requests.back()));
    }
    while (engine->hasWork()) {
      engine->step();
      const MachineState state = engine->snapshot();
      for (const auto& [id, sequence] : state.sequences) {
        const bool running = sequence.status == SequenceStatus::kRunning;
        QCOMPARE(sequence.blockTable.size(),
                 running ? static_cast<std::size_t>(sequence.computedTokens + 1) / 2 : 0);
        QVERIFY(sequence.computedTokens < static_cast<int>(sequence.tokens.size()) && sequence.draft.empty());
      }
    }
    int rollbacks = 0, acceptedLater = 0;
    for (const Event& event : log.events) {
      if (const auto* back = std::get_if<DraftRolledBack>(&event.body))
        rollbacks += back->freedBlocks > 0 ? 1 : 0;
      if (const auto* verified = std::get_if<DraftVerified>(&event.body))
        acceptedLater += rollbacks > 3 ? verified->accepted : 0;
    }
    QVERIFY2(rollbacks > 5 && acceptedLater > 20,
             qPrintable(QString("%1 %2").arg(rollbacks).arg(acceptedLater)));
    QVERIFY(!log.of<BlockCopied>().empty() && !log.of<SequencePreempted>().empty());
    for (std::size_t i = 0; i < ids.size(); ++i)
      QCOMPARE(tokensOf(*engine, ids[i]), alone(requests[i]).tokenIds);
  }

  // 6a. A block is registered in the step that has computed it, at commit, and not before.
  void fault06_prefixRegistrationAfterCompute() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(16, 4, 6), log);
    engine->submit(tinyRequest(tinyPrompt(12), 1));
    engine->step();  // six tokens: one full block
    QCOMPARE(log.of<BlockCached>().size(), std::size_t{1});
    for (const Event& event : log.events) {
      if (std::holds_alternative<BlockCached>(event.body)) QVERIFY(event.phase == Phase::kCommit);
    }
    engine->step();
    QCOMPARE(log.of<BlockCached>().size(), std::size_t{3});
  }

  // 6b. Two equal prompts in one step: neither may read the other's blocks, which are not computed yet.
  void fault06_prefixRegistrationOfEqualPromptsInOneStep() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const RequestId first = engine->submit(tinyRequest(tinyPrompt(10)));
    const RequestId second = engine->submit(tinyRequest(tinyPrompt(10)));
    engine->step();
    QVERIFY(log.of<BlockHit>().empty());
    QCOMPARE(log.of<BlockCached>().size(), std::size_t{2});  // one entry for each chain link, not two
    engine->run();
    const Tokens expected = alone(tinyRequest(tinyPrompt(10))).tokenIds;
    QCOMPARE(tokensOf(*engine, first), expected);
    QCOMPARE(tokensOf(*engine, second), expected);
  }

  // 6c. Of a chain the end is evicted first: a head without its tail is still worth something.
  void fault06_prefixRegistrationEvictsTheTailFirst() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(6, 4), log);
    engine->submit(tinyRequest(tinyPrompt(16), 1));
    engine->run();
    engine->submit(tinyRequest(tinyPrompt(12, 40), 1));  // three blocks; two were never used
    engine->run();
    QCOMPARE(log.of<BlockEvicted>().size(), std::size_t{1});
    log.clear();
    engine->submit(tinyRequest(tinyPrompt(17), 1));
    engine->run();
    QCOMPARE(log.of<SequenceAdmitted>().at(0).cachedTokens, 12);
  }

  // 6d. What else the KV depends on is part of the key.
  void fault06_prefixRegistrationKeepsSaltsApart() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    for (std::uint64_t salt : {0, 1, 2, 1}) {
      Request request = tinyRequest(tinyPrompt(10), 1);
      request.cacheSalt = salt;
      const RequestId id = engine->submit(request);
      engine->run();
      const bool seen = id == 4;
      QCOMPARE(engine->takeResult(id).cachedTokens, seen ? 8 : 0);
    }
  }

  // 9a. Time to the first token begins at submission, in the queue.
  void fault09_metricsTtftCountsTheQueue() {
    EngineOptions options = tinyOptions();
    options.maxSequences = 1;
    TimedEngine timed(options);
    const RequestId first = timed.engine->submit(tinyRequest(tinyPrompt(4), 3));
    const RequestId second = timed.engine->submit(tinyRequest(tinyPrompt(4, 40), 2));
    timed.now += 5000;
    timed.engine->run();
    const RequestResult one = timed.engine->takeResult(first), two = timed.engine->takeResult(second);
    QCOMPARE(one.queueNs, 5100);  // the wait, and the beginning of Admit
    QCOMPARE(one.ttftNs, 5600);   // the six phases of its first step
    QCOMPARE(one.totalNs, 5000 + 3 * 600);
    QCOMPARE(two.queueNs, 5000 + 3 * 600 + 100);
    QCOMPARE(two.ttftNs, 5000 + 4 * 600);
    QCOMPARE(two.totalNs, 5000 + 5 * 600);
  }

  // 9b. The first token has its event like every other one, and a preemption makes no new request.
  void fault09_metricsCountEachTokenAndRequestOnce() {
    TimedEngine timed(tinyOptions(8, 4));
    std::vector<RequestId> ids;
    for (TokenId first : {10, 40}) ids.push_back(timed.engine->submit(tinyRequest(tinyPrompt(9, first), 10)));
    timed.engine->run();
    QVERIFY(!timed.log.of<SequencePreempted>().empty());
    QCOMPARE(timed.log.of<RequestSubmitted>().size(), std::size_t{2});
    QCOMPARE(timed.log.of<RequestFinished>().size(), std::size_t{2});
    QCOMPARE(timed.log.of<TokenSampled>().size(), std::size_t{20});
    const RequestResult preempted = timed.engine->takeResult(ids[1]);
    QVERIFY(preempted.preemptions >= 1);
    QCOMPARE(preempted.queueNs, 100);  // the first wait alone
    QCOMPARE(preempted.ttftNs, 600);
    int sampled = 0;
    for (const auto& step : timed.log.of<StepFinished>()) sampled += step.sampled;
    QCOMPARE(sampled, 20);
  }

  // 9c. The time that a gate blocks belongs to no phase.
  void fault09_metricsLeaveTheGateOut() {
    TimedEngine timed(tinyOptions());
    timed.engine->submit(tinyRequest(tinyPrompt(4), 1));
    timed.engine->run();
    const StepFinished step = timed.log.of<StepFinished>().at(0);
    for (std::int64_t ns : step.phaseNs) QCOMPARE(ns, 0);
  }
};

QTEST_APPLESS_MAIN(TestFaults)
#include "tst_faults.moc"

// Why a prompt was recomputed: PrefixMissed is published at the first admission, with whose blocks it missed.
#include "support/event_log.h"
#include "support/machine_check.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <algorithm>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

// An engine whose events are kept, and replayed after every step.
struct Machine {
  explicit Machine(const EngineOptions& options) {
    sinks.add(&log);
    sinks.add(&replay);
    engine = tinyModel().engine(options, sinks);
  }

  // Submits a prompt and runs until the engine is idle.
  RequestId answer(const Tokens& prompt, int maxTokens = 2, std::uint64_t salt = 0) {
    Request request = tinyRequest(prompt, maxTokens);
    request.cacheSalt = salt;
    const RequestId id = engine->submit(request);
    finish();
    return id;
  }
  void finish() {
    while (engine->hasWork()) {
      engine->step();
      if (complaint.empty()) complaint = complaintAbout(*engine, replay);
    }
  }
  std::vector<PrefixMissed> misses() const { return log.of<PrefixMissed>(); }

  EventLog log;
  ReplayingSink replay;
  EventFanOut sinks;
  std::unique_ptr<Engine> engine;
  std::string complaint;
};

// 14 tokens, of which the blocks of four hold twelve.
const Tokens kPrompt = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

Tokens changed(std::size_t position, TokenId token) {
  Tokens prompt = kPrompt;
  prompt[position] = token;
  return prompt;
}

}  // namespace

class TestPrefixMissed : public QObject {
  Q_OBJECT

 private slots:
  void theFirstTokenThatDiffersAndWhoseBlockItIs() {
    Machine machine(tinyOptions());
    const RequestId first = machine.answer(kPrompt);
    QVERIFY(machine.misses().empty());
    machine.answer(changed(9, 40));
    QCOMPARE(machine.misses().size(), std::size_t{1});
    const PrefixMissed expected{2, MissCause::kDiffers, first, 8, 6, 9, 40, 10, -1};
    QVERIFY(machine.misses().front() == expected);
    QVERIFY(machine.engine->snapshot().sequences.at(2).prefixMiss == expected);
    QCOMPARE(machine.complaint, std::string());
  }

  void itFollowsTheAdmissionAndTheHits() {
    Machine machine(tinyOptions());
    machine.answer(kPrompt);
    machine.log.clear();
    machine.answer(changed(9, 40));
    std::vector<std::string> names;
    for (const Event& event : machine.log.events)
      if (event.phase == Phase::kAdmit && event.step > 0) names.push_back(eventName(event));
    const auto missed = std::ranges::find(names, "prefix_missed");
    QVERIFY(missed - names.begin() >= 3 && missed != names.end());
    const std::vector<std::string> before(missed - 3, missed);
    QCOMPARE(before, (std::vector<std::string>{"sequence_admitted", "block_hit", "block_hit"}));
  }

  void anEvictedBlockWithItsStep() {
    Machine machine(tinyOptions(6));
    const RequestId first = machine.answer(kPrompt);
    machine.answer({30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43}, 4);
    int step = 0;  // of the last eviction: of the second block, since a chain is evicted from its end
    for (const Event& event : machine.log.events)
      if (isA<BlockEvicted>(event)) step = event.step;
    QVERIFY(step > 0 && machine.misses().empty());
    machine.answer(kPrompt);
    QCOMPARE(machine.misses().size(), std::size_t{1});
    const PrefixMissed miss = machine.misses().front();
    QVERIFY(miss.cause == MissCause::kEvicted);
    QCOMPARE(miss.owner, first);
    QCOMPARE(miss.evictedStep, step);
    QVERIFY(miss.matchedTokens == 4 && miss.recomputedTokens == 10 && miss.position == -1);
    QCOMPARE(machine.complaint, std::string());
  }

  void nothingIsSaidOfAnotherSalt() {
    Machine machine(tinyOptions());
    machine.answer(kPrompt, 2, 7);
    machine.answer(changed(9, 40), 2, 8);
    machine.answer(changed(9, 41));
    QVERIFY(machine.misses().empty());
    machine.answer(changed(9, 42), 2, 7);
    QCOMPARE(machine.misses().size(), std::size_t{1});
    QCOMPARE(machine.misses().front().theirs, 10);
  }

  void nothingIsSaidOfAPromptThatIsFoundOrShort() {
    Machine machine(tinyOptions());
    machine.answer(kPrompt);
    machine.answer(kPrompt);
    machine.answer({1, 2, 50});
    machine.answer({50, 51, 52, 53, 54, 55});
    QVERIFY(machine.misses().empty());
  }

  // What a sequence computes again after a preemption is explained by the preemption.
  void aResumedSequenceHasNoneOfItsOwn() {
    Machine machine(tinyOptions(7));
    machine.engine->submit(tinyRequest({1, 2, 3, 4, 5, 6}, 14));
    machine.engine->submit(tinyRequest({1, 2, 3, 4, 9, 6}, 14));
    machine.finish();
    int preempted = 0, resumed = 0;
    for (const auto& event : machine.log.of<SequencePreempted>()) preempted += event.sequence > 0 ? 1 : 0;
    for (const auto& event : machine.log.of<SequenceAdmitted>()) resumed += event.resumed ? 1 : 0;
    QVERIFY(preempted > 0 && resumed > 0);
    QVERIFY(machine.misses().empty());  // both were admitted before anything was cached
    QCOMPARE(machine.complaint, std::string());
  }

  void theAnswersOfARequestHaveOne() {
    Machine machine(tinyOptions());
    machine.answer(kPrompt);
    Request twice = tinyRequest(changed(9, 40), 3);
    twice.sequences = 2;
    machine.engine->submit(twice);
    machine.finish();
    QCOMPARE(machine.misses().size(), std::size_t{1});
    QCOMPARE(machine.complaint, std::string());
  }

  void withoutPrefixCacheNothingIsSaid() {
    for (int i = 0; i < 3; ++i) {
      EngineOptions options = tinyOptions();
      if (i == 0) options.prefixCache = false;
      if (i == 1) options.kvCache = false;
      if (i == 2) options.eviction = Eviction::kSinks, options.sinkTokens = 4, options.windowTokens = 24;
      Machine machine(options);
      machine.answer(kPrompt);
      machine.answer(changed(9, 40));
      QVERIFY(machine.misses().empty());
    }
  }
};

QTEST_APPLESS_MAIN(TestPrefixMissed)
#include "tst_prefix_missed.moc"

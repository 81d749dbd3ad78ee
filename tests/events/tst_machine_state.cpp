// The state that follows from the events equals the machine that published them, after every step.
#include "vitrine/machine_state.h"

#include "events/state_json.h"
#include "support/event_log.h"
#include "support/scripted_machine.h"

#include <QTest>

using namespace vitrine;

namespace {

SchedulerOptions tinyPool(int blocks, int budget, bool prefixCache) {
  SchedulerOptions options;
  options.blockSize = 4;
  options.numBlocks = blocks;
  options.tokenBudget = budget;
  options.prefixCache = prefixCache;
  options.maxSequences = 5;
  return options;
}

Event eventOf(EventBody body, int step = 0) {
  Event event;
  event.step = step;
  event.body = std::move(body);
  return event;
}

RequestSubmitted submitted(RequestId request, std::vector<TokenId> prompt, int maxTokens,
                           SequenceId firstSequence) {
  Request asked;
  asked.name = "r" + std::to_string(request);
  asked.tokenIds = std::move(prompt);
  asked.maxTokens = maxTokens;
  return {.request = request, .asked = asked, .firstSequence = firstSequence};
}

// A machine of four blocks of two with one running request that holds block 0 with two computed tokens.
MachineState small() {
  MachineState state;
  EngineLoaded loaded;
  loaded.options.blockSize = 2;
  loaded.options.numBlocks = 4;
  const std::vector<EventBody> bodies = {loaded,
                                         submitted(1, {5, 6}, 4, 1),
                                         SequenceAdmitted{1, 0, 2, false},
                                         SequenceScheduled{1, WorkKind::kPrefill, 0, 2, 2},
                                         BlockAllocated{0, 1, 0},
                                         PhaseStarted{Phase::kSample},
                                         TokenSampled{1, 9, 2, -1, -1, "x"}};
  for (const EventBody& body : bodies) state.apply(eventOf(body));
  return state;
}

std::string complaint(MachineState state, const EventBody& body, int step = 0) {
  try {
    state.apply(eventOf(body, step));
  } catch (const EngineError& error) {
    return error.code() == ErrorCode::kFileCorrupt ? error.what() : "another code";
  }
  return "";
}

}  // namespace

class TestMachineState : public QObject {
  Q_OBJECT

 private slots:
  void replayEqualsTheRealStructures() {
    int steps = 0, preemptions = 0, forks = 0, copies = 0, evictions = 0, hits = 0, aged = 0,
        forImportance = 0, swapped = 0, lost = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      EventLog log;
      SchedulerOptions options =
          tinyPool(6 + static_cast<int>(seed % 7), 3 + static_cast<int>(seed % 9), seed % 5 != 0);
      options.policy = static_cast<Policy>(seed / 3 % Names<Policy>::list.size());
      options.agingSteps = static_cast<int>(seed % 4) * 3;
      options.batching = seed % 5 == 1 ? Batching::kWindow : Batching::kContinuous;
      options.windowMs = 5e-5;  // the clock ticks once an event
      ScriptedParts parts;
      parts.hostSwapSlots = static_cast<int>(seed % 3);
      parts.diskSwapSlots = static_cast<int>(seed % 2) * 4;
      ScriptedMachine machine(options, log, parts);
      machine.swapIsBroken = seed % 7 == 0;
      MachineState state;
      std::size_t applied = 0;
      runRandomly(machine, seed, 12, [&] {
        for (; applied < log.events.size(); ++applied) state.apply(log.events[applied]);
        requireConsistent(state);
        QVERIFY(state == machine.state());
        ++steps;
      });
      for (; applied < log.events.size(); ++applied) state.apply(log.events[applied]);  // a last cancellation
      QVERIFY(!machine.hasWork());
      QCOMPARE(state.freeQueue.size(), state.blocks.size());
      preemptions += static_cast<int>(log.of<SequencePreempted>().size());
      forks += static_cast<int>(log.of<SequenceForked>().size());
      copies += static_cast<int>(log.of<BlockCopied>().size());
      evictions += static_cast<int>(log.of<BlockEvicted>().size());
      swapped += static_cast<int>(log.of<BlockSwappedIn>().size());
      lost += static_cast<int>(log.of<SwapFailed>().size());
      hits += static_cast<int>(log.of<BlockHit>().size());
      aged += static_cast<int>(log.of<SequenceAged>().size());
      for (const SequencePreempted& preempted : log.of<SequencePreempted>())
        forImportance += preempted.reason == PreemptReason::kImportance ? 1 : 0;
    }
    QVERIFY2(steps > 1500 && preemptions > 50 && forks > 50 && copies > 20 && evictions > 20 && hits > 20 &&
                 aged > 20 && forImportance > 20 && swapped > 20 && lost > 5,
             qPrintable(QString("%1 %2 %3 %4 %5 %6 %7 %8 %9 %10")
                            .arg(steps)
                            .arg(preemptions)
                            .arg(forks)
                            .arg(copies)
                            .arg(evictions)
                            .arg(hits)
                            .arg(aged)
                            .arg(forImportance)
                            .arg(swapped)
                            .arg(lost)));
  }

  void heldBeforeItsForwardTheReplayIsTheMachineToo() {
    EventLog log;
    ScriptedMachine machine(tinyPool(7, 6, true), log);
    for (TokenId first = 1; first <= 4; ++first) machine.submit({first, 2, 3, 4, 5}, 9, first == 2 ? 2 : 1);
    MachineState state;
    std::size_t applied = 0;
    const auto agrees = [&] {
      for (; applied < log.events.size(); ++applied) state.apply(log.events[applied]);
      return state == machine.state();
    };
    int steps = 0;
    for (; machine.hasWork(); ++steps) {
      machine.beginStep();
      QVERIFY2(agrees(), qPrintable(QString("held in step %1").arg(steps + 1)));
      machine.endStep();
      QVERIFY2(agrees(), qPrintable(QString("after step %1").arg(steps + 1)));
    }
    QVERIFY(steps > 15 && !log.of<SequencePreempted>().empty());
  }

  void computedTokensAdvanceWhenTheForwardHasEnded() {
    MachineState state = small();
    state.apply(eventOf(SequenceScheduled{1, WorkKind::kDecode, 2, 1, 3}));
    state.apply(eventOf(BlockAllocated{1, 1, 1}));
    state.apply(eventOf(PhaseStarted{Phase::kForward}));
    QCOMPARE(state.sequences[1].computedTokens, 2);
    QCOMPARE(state.blocks[1].filled, 0);
    QCOMPARE(static_cast<int>(state.batch.size()), 1);
    state.apply(eventOf(PhaseStarted{Phase::kSample}));
    QCOMPARE(state.sequences[1].computedTokens, 3);
    QCOMPARE(state.blocks[1].filled, 1);
    QVERIFY(state.batch.empty());
  }

  void aDraftIsComputedVerifiedAndRolledBack() {
    MachineState state = small();
    state.apply(eventOf(SequenceScheduled{1, WorkKind::kDecode, 2, 4, 3, 3}));
    state.apply(eventOf(BlockAllocated{1, 1, 1}));
    state.apply(eventOf(BlockAllocated{2, 1, 2}));
    QVERIFY(!complaint(state, PhaseStarted{Phase::kSample}).empty());  // a draft without a proposal
    QVERIFY(!complaint(state, DraftProposed{1, DraftMethod::kNgram, 3, {4, 5}}).empty());
    state.apply(eventOf(DraftProposed{1, DraftMethod::kNgram, 3, {4, 5, 6}}));
    state.apply(eventOf(PhaseStarted{Phase::kSample}));
    QCOMPARE(state.sequences[1].computedTokens, 6);
    QCOMPARE(state.blocks[2].filled, 2);
    requireConsistent(state);
    state.apply(eventOf(DraftVerified{1, 3, 0, {}}));
    state.apply(eventOf(TokenSampled{1, 7, 3, -1, -1, ""}));
    QVERIFY(!complaint(state, DraftRolledBack{1, 3, 2, 1}).empty());
    state.apply(eventOf(DraftRolledBack{1, 3, 3, 1}));
    state.apply(eventOf(BlockFreed{2, 1, 0}));
    QCOMPARE(state.sequences[1].computedTokens, 3);
    QCOMPARE(state.blocks[1].filled, 1);
    QCOMPARE(state.blocks[2].filled, 0);
    requireConsistent(state);
  }

  // The first block of a full table is evicted: the other one moves up, and keeps its positions.
  void anEvictedBlockLeavesTheMiddleOfATable() {
    MachineState state = small();
    state.apply(eventOf(SequenceScheduled{1, WorkKind::kPrefill, 2, 1, 3}));
    state.apply(eventOf(BlockAllocated{1, 1, 1}));
    QVERIFY(!complaint(state, ContextEvicted{0, 1, 0, 0, 2, 0, 0}).empty());  // in the middle of a forward
    state.apply(eventOf(PhaseStarted{Phase::kSample}));
    QVERIFY(!complaint(state, ContextEvicted{0, 1, 0, 0, 2, 0, 0}).empty());  // its table is not full
    state.apply(eventOf(TokenSampled{1, 7, 3, -1, -1, ""}));
    state.apply(eventOf(StepFinished{}));
    state.apply(eventOf(StepStarted{0, 1}, 1));
    state.apply(eventOf(SequenceScheduled{1, WorkKind::kDecode, 3, 1, 4}, 1));
    state.apply(eventOf(PhaseStarted{Phase::kSample}, 1));
    for (const ContextEvicted& wrong :
         {ContextEvicted{1, 1, 0, 0, 2, 0, 0}, ContextEvicted{0, 1, 2, 0, 2, 0, 0},
          ContextEvicted{0, 1, 0, 2, 2, 0, 0}, ContextEvicted{0, 1, 0, 0, 1, 0, 0},
          ContextEvicted{0, 1, 0, 0, 2, 0, 1}, ContextEvicted{0, 9, 0, 0, 2, 0, 0}})
      QVERIFY(!complaint(state, wrong, 1).empty());
    state.apply(eventOf(ContextEvicted{0, 1, 0, 0, 2, 0, 0}, 1));
    const SequenceState& s = state.sequences[1];
    QCOMPARE(s.blockTable, (std::vector<BlockId>{1}));
    QCOMPARE(s.blockStarts, (std::vector<int>{2}));
    QCOMPARE(s.evictedTokens, 2);
    QCOMPARE(state.freeQueue.front(), 0);
    requireConsistent(state);
  }

  void freedBlocksGoWhereTheirContentSends() {
    MachineState state = small();
    state.apply(eventOf(SequenceScheduled{1, WorkKind::kDecode, 2, 1, 3}));
    state.apply(eventOf(BlockAllocated{1, 1, 1}));
    state.apply(eventOf(BlockCached{0, 0xABCD, 0}));
    state.apply(eventOf(PhaseStarted{Phase::kSample}));
    state.apply(eventOf(SequenceFinished{1, FinishReason::kStop, 1}));
    state.apply(eventOf(BlockFreed{1, 1, 0}));
    state.apply(eventOf(BlockFreed{0, 1, 0}));
    QCOMPARE(state.freeQueue.ids(), (std::vector<BlockId>{1, 2, 3, 0}));
    QCOMPARE(state.blocks[0].filled, 2);
    QCOMPARE(state.blocks[1].filled, 0);
    requireConsistent(state);
  }

  void aWaitingSequenceKnowsWhyAndSinceWhen() {
    MachineState state = small();
    state.apply(eventOf(submitted(2, {7, 8, 9}, 4, 2)));
    QVERIFY(!state.sequences[2].wait);
    state.apply(eventOf(SequenceWaiting{2, WaitReason::kBlocks, 2, 1}));
    QCOMPARE(state.sequences[2].wait, (WaitState{WaitReason::kBlocks, 2, 1, 0}));
    state.apply(eventOf(StepFinished{}));
    state.apply(eventOf(StepStarted{1, 1}, 1));
    QCOMPARE(state.sequences[2].wait, (WaitState{WaitReason::kBlocks, 2, 1, 0}));
    state.apply(eventOf(SequenceWaiting{2, WaitReason::kSequences, 1, 0}, 1));
    QCOMPARE(state.sequences[2].wait, (WaitState{WaitReason::kSequences, 1, 0, 1}));
    requireConsistent(state);
    MachineState cancelled = state;
    cancelled.apply(eventOf(SequenceFinished{2, FinishReason::kCancelled, 0}, 1));
    QVERIFY(!cancelled.sequences[2].wait);
    state.apply(eventOf(SequenceAdmitted{2, 0, 3, false}, 1));
    QVERIFY(!state.sequences[2].wait);
    state.sequences[2].status = SequenceStatus::kWaiting;
    state.sequences[2].wait = WaitState{WaitReason::kBlocks, 2, 1, 2};
    QVERIFY_EXCEPTION_THROWN(requireConsistent(state), EngineError);  // since a step to come
  }

  void aRequestKnowsItsTimes() {
    MachineState state = small();
    QCOMPARE(state.requests[1].submittedNs, std::int64_t{0});
    QCOMPARE(state.requests[1].firstTokenNs, std::int64_t{0});
    Event second = eventOf(submitted(2, {7, 8}, 4, 2));
    second.timeNs = 500;
    state.apply(second);
    QCOMPARE(state.requests[2].submittedNs, std::int64_t{500});
    QCOMPARE(state.requests[2].ttftNs(), std::int64_t{0});
    state.apply(eventOf(SequenceAdmitted{2, 0, 2, false}));
    state.apply(eventOf(SequenceScheduled{2, WorkKind::kPrefill, 0, 2, 2}));
    state.apply(eventOf(BlockAllocated{1, 2, 0}));
    state.apply(eventOf(PhaseStarted{Phase::kSample}));
    Event sampled = eventOf(TokenSampled{2, 9, 2, -1, -1, "x"});
    sampled.timeNs = 700;
    state.apply(sampled);
    sampled.timeNs = 900;
    std::get<TokenSampled>(sampled.body).position = 3;
    QVERIFY(!complaint(state, sampled.body).empty());  // not computed yet
    QCOMPARE(state.requests[2].firstTokenNs, std::int64_t{700});
    QCOMPARE(state.requests[2].ttftNs(), std::int64_t{200});
  }

  void aForgottenRequestIsGone() {
    MachineState state = small();
    state.apply(eventOf(RequestFinished{1, FinishReason::kStop, 2, 1, 0, 0, 0, 0, 0}));
    QVERIFY(!complaint(state, RequestForgotten{1}).empty());  // while its sequence runs
    state.apply(eventOf(SequenceFinished{1, FinishReason::kStop, 1}));
    QVERIFY(!complaint(state, RequestForgotten{1}).empty());  // while it holds a block
    state.apply(eventOf(BlockFreed{0, 1, 0}));
    state.apply(eventOf(RequestForgotten{1}));
    QVERIFY(state.requests.empty() && state.sequences.empty());
    requireConsistent(state);
  }

  // Only a damaged trace contains such events. Each is refused, and none crashes the reader.
  void eventsThatContradictTheStateAreRefused() {
    const MachineState state = small();
    EngineLoaded huge, flat;
    huge.options.blockSize = 16, huge.options.numBlocks = 2'000'000'000;
    flat.options.blockSize = 0, flat.options.numBlocks = 1;
    const std::vector<EventBody> wrong = {
        huge,
        flat,
        submitted(1, {5}, 1, 2),
        submitted(2, {5}, 1, 1),
        submitted(2, {}, 1, 2),
        RequestCancelled{2},
        RequestFinished{-1, FinishReason::kStop, 0, 0, 0, 0, 0, 0, 0},
        RequestForgotten{1},
        RequestForgotten{2},
        SequenceWaiting{7, WaitReason::kBlocks, 0, 0},
        SequenceWaiting{1, WaitReason::kBlocks, 0, 0},
        SequenceAged{7, 1, -1},
        SequenceAged{1, 1, 0},
        SequenceAdmitted{1, 0, 3, false},
        SequenceScheduled{1, WorkKind::kDecode, 0, 1, 3},
        SequenceScheduled{1, WorkKind::kDecode, 2, 2'000'000'000, 3},
        SequenceScheduled{1, WorkKind::kDecode, 2, -1, 3},
        SequenceScheduled{1, WorkKind::kDecode, 2, 3, 3, 1},
        SequenceScheduled{1, WorkKind::kDecode, 2, 2'147'483'647, 3, 2'147'483'647},
        SequenceScheduled{1, WorkKind::kDecode, 2, 1, 3, -1},
        DraftProposed{1, DraftMethod::kNgram, 3, {4}},
        DraftVerified{1, 3, 2, {}},
        DraftVerified{1, 2, 0, {}},
        DraftRolledBack{1, 2, 0, 0},
        DraftRolledBack{1, 1, 1, 0},
        SequencePreempted{9, 1, 0, 0, 0, 0},
        KvForgotten{1, 1},
        KvForgotten{9, 0},
        SequenceForked{1, 1, 1, 1, 0},
        SequenceForked{1, 2, 1, 50, 0},
        SequenceForked{1, 2, 2, 1, 0},
        SequenceFinished{1, FinishReason::kStop, 77},
        BlockAllocated{2, 1, 1},
        BlockAllocated{-1, 1, 1},
        BlockAllocated{2'000'000'000, 1, 1},
        BlockAllocated{1, 1, 5},
        BlockAllocated{1, 4, 0},
        BlockShared{1, 1, 1, 1},
        BlockShared{0, 1, 1, 7},
        BlockHit{0, 1, 1, 2, 0},
        BlockCopied{0, 1, 1, 0},
        BlockCopied{0, 1, 1, -1},
        BlockCached{1, 3, 0},
        BlockEvicted{1, 0},
        BlockFreed{1, 1, 0},
        BlockFreed{0, 1, 1},
        TokenSampled{1, 9, 3, -1, 0, ""},
        TokenSampled{2, 9, 0, -1, 0, ""},
        Snapshot{},
    };
    for (std::size_t i = 0; i < wrong.size(); ++i)
      QVERIFY2(!complaint(state, wrong[i]).empty(), qPrintable(QString::number(i)));
    QVERIFY(!complaint(state, StepStarted{0, 1}, 3).empty());
    QVERIFY(!complaint(state, PhaseStarted{Phase::kPlan}, 1).empty());
    QVERIFY(!complaint(MachineState(), StepStarted{0, 0}, 1).empty());
    MachineState last = state;
    last.step = std::numeric_limits<int>::max();
    QVERIFY(!complaint(last, StepStarted{0, 1}, std::numeric_limits<int>::min()).empty());
  }

  void inconsistentStatesAreFound() {
    const auto complains = [](const std::function<void(MachineState&)>& spoil) {
      MachineState state = small();
      requireConsistent(state);
      spoil(state);
      try {
        requireConsistent(state);
      } catch (const EngineError&) {
        return true;
      }
      return false;
    };
    QVERIFY(complains([](MachineState& s) { s.blocks[0].refCount = 2; }));
    QVERIFY(complains([](MachineState& s) { s.freeQueue.pushBack(0); }));
    QVERIFY(complains([](MachineState& s) { s.freeQueue.remove(3); }));
    QVERIFY(complains([](MachineState& s) { s.freeQueue = BlockQueue(3); }));
    QVERIFY(complains([](MachineState& s) { s.freeQueue = BlockQueue(); }));
    QVERIFY(complains([](MachineState& s) { s.sequences[1].wait = WaitState{}; }));
    QVERIFY(complains([](MachineState& s) { s.sequences[1].blockTable.push_back(99); }));
    QVERIFY(complains([](MachineState& s) { s.sequences[1].computedTokens = 3; }));
    QVERIFY(complains([](MachineState& s) { s.running.clear(); }));
    QVERIFY(complains([](MachineState& s) { s.waiting.push_back(1); }));
    QVERIFY(complains([](MachineState& s) { s.sequences[1].request = 8; }));
    QVERIFY(complains([](MachineState& s) { s.requests[1].sequences.push_back(4); }));
    QVERIFY(complains([](MachineState& s) { s.requests[1].submittedNs = -1; }));
    QVERIFY(complains([](MachineState& s) { s.requests[1].firstTokenNs = -2; }));
    QVERIFY(complains([](MachineState& s) { s.requests[1].submittedNs = 9; }));
    QVERIFY(complains([](MachineState& s) { s.blocks[2].filled = 1; }));
    QVERIFY(complains([](MachineState& s) { s.blocks[0].cached = true, s.blocks[0].filled = 1; }));
    QVERIFY(complains([](MachineState& s) { s.batch.push_back({1, WorkKind::kDecode, 3, 2'147'483'647}); }));
  }
};

QTEST_APPLESS_MAIN(TestMachineState)
#include "tst_machine_state.moc"

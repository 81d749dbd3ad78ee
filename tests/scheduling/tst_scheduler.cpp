// The scheduler's decisions, each with the numbers of its reason.
#include <QTest>
#include <algorithm>

#include "support/fake_machine.h"

using namespace vitrine;

namespace {

using Ids = std::vector<SequenceId>;
using Tokens = std::vector<TokenId>;

Tokens prompt(int length, TokenId first = 10) {
  Tokens tokens(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) tokens[static_cast<std::size_t>(i)] = first + i;
  return tokens;
}

SchedulerOptions options(int numBlocks, int tokenBudget = 64, int maxSequences = 8) {
  SchedulerOptions chosen;
  chosen.blockSize = 4;
  chosen.numBlocks = numBlocks;
  chosen.tokenBudget = tokenBudget;
  chosen.maxSequences = maxSequences;
  return chosen;
}

Ids idsOf(const auto& sequences) {
  Ids ids;
  for (const Sequence* sequence : sequences) ids.push_back(sequence->id);
  return ids;
}

void compareWait(const SequenceWaiting& published, SequenceId sequence, WaitReason reason, int needed,
                 int available) {
  QCOMPARE(published.sequence, sequence);
  QCOMPARE(static_cast<int>(published.reason), static_cast<int>(reason));
  QCOMPARE(published.needed, needed);
  QCOMPARE(published.available, available);
}

}  // namespace

class TestScheduler : public QObject {
  Q_OBJECT

 private slots:
  void onePromptIsComputedAndThenDecoded() {
    FakeMachine machine(options(8));
    Sequence& sequence = machine.submit(prompt(6), 3);
    machine.step();
    QCOMPARE(sequence.computedTokens, 6);
    QCOMPARE(sequence.totalTokens(), 7);
    QCOMPARE(sequence.blockTable, (BlockTable{0, 1}));
    const auto first = machine.log.of<SequenceScheduled>();
    QVERIFY(first[0].kind == WorkKind::kPrefill && first[0].tokens == 6 && first[0].totalTokens == 6);
    machine.step();
    const auto second = machine.log.of<SequenceScheduled>();
    QVERIFY(second[1].kind == WorkKind::kDecode && second[1].firstPosition == 6 && second[1].tokens == 1);
    machine.step();
    QVERIFY(!machine.scheduler.hasWork());
    QCOMPARE(sequence.tokens, FakeMachine::expected(prompt(6), 3, 0));
    QCOMPARE(machine.scheduler.blocks().pool().freeCount(), 8);
  }

  void decodesComeBeforeChunksAndChunksTakeTheRest() {
    FakeMachine machine(options(32, 8));
    Sequence& first = machine.submit(prompt(5), 9);
    machine.step();
    Sequence& second = machine.submit(prompt(20, 40), 9);
    machine.log.clear();
    machine.step();
    const StepPlanned planned = machine.log.of<StepPlanned>().at(0);
    QCOMPARE(planned.decodeTokens, 1);
    QCOMPARE(planned.prefillTokens, 7);
    QCOMPARE(machine.scheduler.currentPlan().work[0].sequence, &first);
    QCOMPARE(second.computedTokens, 7);
    machine.step();
    QCOMPARE(second.computedTokens, 14);
    QCOMPARE(second.totalTokens(), 20);  // nothing sampled before the prompt is complete
    machine.step();
    QCOMPARE(second.computedTokens, 20);
    QCOMPARE(second.totalTokens(), 21);
  }

  void waitsForSlots() {
    FakeMachine machine(options(32, 64, 2));
    machine.submit(prompt(3), 2);
    machine.submit(prompt(3), 2);
    machine.submit(prompt(3), 2);
    machine.submit(prompt(3), 2);
    machine.step();
    const auto waits = machine.log.of<SequenceWaiting>();
    QCOMPARE(waits.size(), std::size_t{2});
    compareWait(waits[0], 3, WaitReason::kSequences, 1, 0);
    compareWait(waits[1], 4, WaitReason::kBehind, 0, 0);
    machine.run();
  }

  void aLongQueueIsNotSearchedInEveryStep_data() {
    QTest::addColumn<int>("policy");
    QTest::addColumn<int>("batching");
    for (int policy = 0; policy < static_cast<int>(Names<Policy>::list.size()); ++policy)
      for (int batching = 0; batching < static_cast<int>(Names<Batching>::list.size()); ++batching)
        QTest::addRow("policy %d, batching %d", policy, batching) << policy << batching;
  }
  void aLongQueueIsNotSearchedInEveryStep() {
    QFETCH(int, policy);
    QFETCH(int, batching);
    constexpr int kRequests = 2000;
    SchedulerOptions chosen = options(12, 64, 3);  // small enough to preempt
    chosen.policy = static_cast<Policy>(policy);
    chosen.batching = static_cast<Batching>(batching);
    chosen.agingSteps = 50;
    FakeMachine machine(chosen);
    for (int i = 0; i < kRequests; ++i)
      machine.submit(prompt(9, 10 + i % 50), 10, 1, i % 3, i % 2 == 0 ? 1e3 + i : 0);
    machine.run(40 * kRequests);
    const std::int64_t steps = machine.log.of<StepPlanned>().size();
    const auto waits = static_cast<std::int64_t>(machine.log.of<SequenceWaiting>().size());
    // A request is considered when it is submitted, when its reason to wait is published and when it is
    // admitted, and the first one in every step. So the count grows with their sum, not with their product.
    QVERIFY(steps > kRequests);
    QVERIFY2(machine.scheduler.consideredCount() <= 2 * (kRequests + waits + steps),
             qPrintable(QString::number(machine.scheduler.consideredCount())));
  }

  void anUnforkedRequestHoldsSlotsForAllItsAnswers() {
    FakeMachine machine(options(32, 4, 4));
    machine.submit(prompt(7), 2, 3);
    machine.submit(prompt(3), 2, 2);
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 4, WaitReason::kSequences, 2, 1);
    machine.run();
    QCOMPARE(machine.sequences().size(), std::size_t{5});
  }

  void waitsForTokens() {
    FakeMachine machine(options(32, 4));
    machine.submit(prompt(6), 2);
    machine.submit(prompt(3), 2);
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 2, WaitReason::kTokenBudget, 1, 0);
    machine.step();  // two tokens left of the first prompt, two for the second
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 2}));
    QCOMPARE(machine.sequence(2).computedTokens, 2);
  }

  void waitsForBlocksBeyondThosePromisedToRunningSequences() {
    FakeMachine machine(options(6, 8));
    machine.submit(prompt(16), 2);  // four blocks, two of them in the first step
    machine.submit(prompt(9, 50), 2);
    machine.step();
    machine.log.clear();
    machine.step();  // all four are taken, and the next token is promised none yet
    machine.log.clear();
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 2, WaitReason::kBlocks, 3, 1);
    machine.run();
  }

  void theSameReasonIsPublishedOnce() {
    FakeMachine machine(options(8, 64, 1));
    machine.submit(prompt(3), 6);
    machine.submit(prompt(3), 1);
    machine.run();
    QCOMPARE(machine.log.of<SequenceWaiting>().size(), std::size_t{1});
  }

  void aRequestThatCannotBeAdmittedBlocksThoseBehindIt() {
    FakeMachine machine(options(6));
    machine.submit(prompt(15), 4);
    machine.submit(prompt(13, 50), 1);
    machine.submit(prompt(2, 90), 1);
    machine.step();
    const auto waits = machine.log.of<SequenceWaiting>();
    compareWait(waits.at(0), 2, WaitReason::kBlocks, 4, 2);
    compareWait(waits.at(1), 3, WaitReason::kBehind, 0, 0);
  }

  void tooLittleMemoryPreemptsTheYoungest() {
    FakeMachine machine(options(6));
    for (int i = 0; i < 3; ++i) machine.submit(prompt(8, 20 * (i + 1)), 4);
    machine.step();
    QCOMPARE(machine.scheduler.blocks().pool().freeCount(), 0);
    machine.log.clear();
    machine.step();  // each wants a third block
    const auto preempted = machine.log.of<SequencePreempted>();
    QCOMPARE(preempted.size(), std::size_t{1});
    QCOMPARE(preempted[0].sequence, 3);
    QCOMPARE(preempted[0].forSequence, 1);
    QCOMPARE(preempted[0].neededBlocks, 1);
    QCOMPARE(preempted[0].freeBlocks, 0);
    QCOMPARE(preempted[0].freedBlocks, 2);
    QCOMPARE(preempted[0].lostTokens, 8);
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 2}));
    QCOMPARE(idsOf(machine.scheduler.waiting()), Ids{3});
    QVERIFY(machine.sequence(3).status == SequenceStatus::kPreempted);
    QCOMPARE(machine.sequence(3).totalTokens(), 9);  // the sampled token stays
    machine.run();
    for (SequenceId id : {1, 2, 3}) {
      QCOMPARE(machine.sequence(id).tokens, FakeMachine::expected(prompt(8, 20 * id), 4, 0));
    }
  }

  void aSequenceMayPreemptItself() {
    FakeMachine machine(options(5));
    machine.submit(prompt(9), 9);      // three blocks, room up to 12 tokens
    machine.submit(prompt(8, 50), 4);  // two blocks, wants a third at once
    machine.step();
    machine.log.clear();
    machine.step();
    const SequencePreempted published = machine.log.of<SequencePreempted>().at(0);
    QCOMPARE(published.sequence, 2);
    QCOMPARE(published.forSequence, 2);
    machine.run();
  }

  void preemptedSequencesKeepTheirOrderAndResumeFirst() {
    FakeMachine machine(options(7));
    for (int i = 0; i < 3; ++i) machine.submit(prompt(8, 20 * (i + 1)), 8);
    machine.step();
    machine.submit(prompt(4, 90), 1);
    while (machine.log.of<SequencePreempted>().size() < 2) machine.step();
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{2, 3, 4}));
    machine.run();
    Ids resumed;
    for (const auto& published : machine.log.of<SequenceAdmitted>()) {
      if (published.resumed) resumed.push_back(published.sequence);
    }
    QVERIFY(std::ranges::is_sorted(resumed));
    QCOMPARE(machine.log.of<SequenceAdmitted>().back().sequence, 4);
  }

  // The second of two blocks is lost: the content of the first stays, and the sequence keeps its slot.
  void aSequenceThatLosesSwappedBlocksGoesOnRunning() {
    SchedulerOptions chosen = options(5);
    chosen.prefixCache = false;
    FakeMachine machine(chosen, PrefixIndex::chainHash,
                        {0, 8, 4});  // of moves to and from the file the fourth fails
    machine.submit(prompt(7), 6);
    Sequence& second = machine.submit(prompt(6, 50), 4);
    while (machine.log.of<SwapFailed>().empty()) machine.step();
    QCOMPARE(machine.log.of<SequencePreempted>().size(), std::size_t{1});
    const SwapFailed published = machine.log.of<SwapFailed>().at(0);
    QVERIFY(published.move == SwapMove::kIn && published.index == 1 && published.lostTokens == 4);
    QVERIFY(second.status == SequenceStatus::kRunning && second.computedTokens == 4);
    QCOMPARE(second.blockTable.size(), std::size_t{1});
    QVERIFY(machine.scheduler.currentPlan().work.empty());
    machine.step();
    QVERIFY(machine.log.of<SequenceScheduled>().back().kind == WorkKind::kPrefill);
    machine.run();
    QCOMPARE(second.tokens, FakeMachine::expected(prompt(6, 50), 4, 0));
  }

  // Without chunked prefill it is computed again in one piece, for which it needs a step of its own.
  void aRunningSequenceThatNeedsAStepOfItsOwnIsNotOvertaken() {
    SchedulerOptions chosen = options(18, 24);
    chosen.prefixCache = chosen.chunkedPrefill = false;
    chosen.policy = Policy::kPriority;
    FakeMachine machine(chosen, PrefixIndex::chainHash,
                        {0, 8, 7});  // six blocks go out, the first to come in fails
    for (int tokens : {12, 12, 5}) machine.submit(prompt(tokens == 5 ? 12 : 3), tokens, 1, 9);
    const Sequence& lost = machine.submit(prompt(21, 50), 6);
    for (int i = 0; i < 3; ++i) machine.step();
    machine.submit(prompt(17, 100), 1, 1, 9);  // needs blocks, so that `lost` is preempted
    while (machine.log.of<SwapFailed>().empty()) machine.step();
    QVERIFY(lost.status == SequenceStatus::kRunning && lost.computedTokens == 0);
    int steps = 0;
    for (; lost.status != SequenceStatus::kFinished && steps < 100; ++steps) {
      machine.submit(prompt(2, 200 + steps), 3);
      machine.step();
    }
    QVERIFY2(steps < 20,
             qPrintable(QString::number(steps)));  // the twelve tokens of the others and its own six
    machine.run();
  }

  void noAdmissionInAStepThatPreempts() {
    FakeMachine machine(options(6));
    for (int i = 0; i < 3; ++i) machine.submit(prompt(8, 20 * (i + 1)), 2);
    machine.step();
    machine.submit(prompt(1, 90), 1);
    machine.log.clear();
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 4, WaitReason::kPreemption, 3, 0);
    QVERIFY(machine.log.of<SequenceAdmitted>().empty());
    QVERIFY(!machine.log.of<SequencePreempted>().empty());
  }

  void answersShareThePromptAndCopyItsTailWhenTheyWrite() {
    FakeMachine machine(options(16));
    machine.submit(prompt(6), 4, 3);
    machine.step();
    QCOMPARE(machine.log.of<SequenceForked>().size(), std::size_t{2});
    QCOMPARE(machine.log.of<BlockShared>().size(), std::size_t{4});
    QCOMPARE(machine.scheduler.blocks().pool().freeCount(), 14);
    QCOMPARE(machine.scheduler.blocks().pool().refCount(1), 3);
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 2, 3}));
    machine.step();
    const auto copied = machine.log.of<BlockCopied>();
    QCOMPARE(copied.size(), std::size_t{2});  // the last holder writes where it is
    QCOMPARE(copied[0].from, 1);
    QCOMPARE(copied[0].sequence, 1);
    QCOMPARE(copied[1].sequence, 2);
    QCOMPARE(machine.sequence(3).blockTable, (BlockTable{0, 1}));
    machine.run();
    for (int index = 0; index < 3; ++index) {
      QCOMPARE(machine.sequence(1 + index).tokens, FakeMachine::expected(prompt(6), 4, index));
    }
  }

  void answersOfAFullBlockNeedNoCopy() {
    FakeMachine machine(options(16));
    machine.submit(prompt(8), 3, 4);
    machine.run();
    QVERIFY(machine.log.of<BlockCopied>().empty());
  }

  void forkedAnswersRunBehindTheirParent() {
    FakeMachine machine(options(32));
    machine.submit(prompt(5), 3, 3);
    machine.submit(prompt(5, 40), 3);
    machine.step();
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 2, 3, 4}));
  }

  void aCachedPromptNeedsOnlyWhatIsLeft() {
    FakeMachine machine(options(8, 4));
    machine.submit(prompt(12), 1);
    machine.run();
    machine.log.clear();
    Sequence& again = machine.submit(prompt(12), 1);
    machine.step();
    QCOMPARE(machine.log.of<SequenceAdmitted>().at(0).cachedTokens, 8);
    QCOMPARE(machine.log.of<BlockHit>().size(), std::size_t{2});
    QVERIFY(!machine.scheduler.hasWork());  // four tokens were left, as many as the budget
    QCOMPARE(again.tokens, FakeMachine::expected(prompt(12), 1, 0));
  }

  void freeHitsAreNotAvailableTwice() {
    FakeMachine machine(options(4));
    machine.submit(prompt(8), 1);
    machine.run();
    machine.submit(prompt(4, 50), 9);  // one block, then two, then three
    machine.step();
    machine.submit(prompt(16), 0);  // four blocks, two of them hits that lie free
    machine.log.clear();
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 3, WaitReason::kBlocks, 2, 0);
    machine.run();
  }

  void withoutChunksAPromptWaitsForItsWholeBudget() {
    SchedulerOptions whole = options(32, 8);
    whole.chunkedPrefill = false;
    FakeMachine machine(whole);
    machine.submit(prompt(5), 4);
    machine.submit(prompt(6, 50), 4);
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 2, WaitReason::kTokenBudget, 6, 3);
    machine.step();
    QCOMPARE(machine.sequence(2).computedTokens, 6);
    machine.run();
    int prefills = 0;
    for (const auto& published : machine.log.of<SequenceScheduled>()) {
      if (published.kind == WorkKind::kDecode) continue;
      QCOMPARE(published.firstPosition, 0);
      ++prefills;
    }
    QCOMPARE(prefills, 2);
  }

  void withoutChunksAPromptBeyondTheBudgetRunsAlone() {
    SchedulerOptions whole = options(32, 8);
    whole.chunkedPrefill = false;
    FakeMachine machine(whole);
    machine.submit(prompt(3), 3);
    machine.submit(prompt(20, 50), 2);
    machine.submit(prompt(3, 80), 2);
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 2, WaitReason::kTokenBudget, 20, 5);
    while (machine.sequence(1).status != SequenceStatus::kFinished) machine.step();
    machine.log.clear();
    machine.step();
    QCOMPARE(machine.log.of<StepPlanned>().at(0).prefillTokens, 20);
    QCOMPARE(machine.log.of<StepPlanned>().at(0).sequences, 1);
    machine.run();
  }

  void staticBatchesEndBeforeTheNextBegins() {
    SchedulerOptions fixed = options(32);
    fixed.batching = Batching::kStatic;
    FakeMachine machine(fixed);
    machine.submit(prompt(3), 2);
    machine.submit(prompt(3, 50), 4);
    machine.step();
    machine.submit(prompt(3, 80), 1);
    machine.log.clear();
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(0), 3, WaitReason::kBatch, 2, 0);
    machine.step();
    compareWait(machine.log.of<SequenceWaiting>().at(1), 3, WaitReason::kBatch, 1, 0);
    machine.step();
    QVERIFY(machine.scheduler.running().empty());
    machine.step();
    QVERIFY(!machine.scheduler.hasWork());
  }

  void sequentialBatchingHoldsOneRequest() {
    SchedulerOptions single = options(32);
    single.batching = Batching::kSequential;
    FakeMachine machine(single);
    machine.submit(prompt(3), 2, 2);
    machine.submit(prompt(3, 50), 2);
    while (machine.scheduler.hasWork()) {
      machine.step();
      for (const Sequence* sequence : machine.scheduler.running()) {
        QCOMPARE(sequence->request, machine.scheduler.running().front()->request);
      }
    }
    QCOMPARE(machine.log.of<SequenceForked>().size(), std::size_t{1});
  }

  void aBudgetSmallerThanTheBatchServesTheOldestFirst() {
    FakeMachine machine(options(32, 2));
    machine.submit(prompt(2), 3, 4);
    machine.step();
    machine.log.clear();
    machine.step();
    const auto scheduled = machine.log.of<SequenceScheduled>();
    QCOMPARE(scheduled.size(), std::size_t{2});
    QCOMPARE(scheduled[0].sequence, 1);
    QCOMPARE(scheduled[1].sequence, 2);
    machine.run();
    QCOMPARE(machine.brokenInvariant(), std::string());
  }

  // Drafts share the rest of budget and blocks equally, and no sequence is preempted for them.
  void draftsShrinkBeforeASequenceWaits_data() {
    QTest::addColumn<int>("numBlocks");
    QTest::addColumn<int>("budget");
    QTest::addColumn<QList<int>>("drafts");
    QTest::newRow("room for all") << 20 << 64 << QList<int>{3, 3};
    QTest::newRow("budget for three") << 20 << 5 << QList<int>{2, 1};
    QTest::newRow("no budget") << 20 << 2 << QList<int>{0, 0};
    QTest::newRow("room in the last blocks only") << 4 << 64 << QList<int>{3, 1};
  }
  void draftsShrinkBeforeASequenceWaits() {
    QFETCH(int, numBlocks);
    QFETCH(int, budget);
    QFETCH(QList<int>, drafts);
    FakeMachine machine(options(numBlocks, budget));
    machine.submit(prompt(4), 9);
    machine.submit(prompt(6, 30), 9);
    while (machine.sequence(1).outputTokens() == 0 || machine.sequence(2).outputTokens() == 0) machine.step();
    machine.log.clear();
    machine.draftLength = 3;
    machine.step();
    QVERIFY(machine.log.of<SequencePreempted>().empty());
    const auto scheduled = machine.log.of<SequenceScheduled>();
    QCOMPARE(scheduled.size(), std::size_t{2});
    for (std::size_t i = 0; i < 2; ++i) {
      QCOMPARE(scheduled[i].draftTokens, drafts[static_cast<qsizetype>(i)]);
      QCOMPARE(scheduled[i].tokens, 1 + scheduled[i].draftTokens);
    }
    const StepPlanned planned = machine.log.of<StepPlanned>().at(0);
    QCOMPARE(planned.decodeTokens, 2 + drafts[0] + drafts[1]);
    QCOMPARE(machine.brokenInvariant(), std::string());
  }

  // A rollback frees the blocks that held only rejected tokens. Its event comes before theirs.
  void aRollbackFreesSurplusBlocks() {
    FakeMachine machine(options(20));
    Sequence& sequence = machine.submit(prompt(4), 40);
    machine.step();
    machine.draftLength = 6;
    bool freed = false, kept = false;
    while (machine.scheduler.hasWork()) {
      machine.log.clear();
      machine.step();
      const auto back = machine.log.of<DraftRolledBack>();
      if (back.empty() || !machine.scheduler.hasWork()) continue;
      QCOMPARE(back[0].computedTokens, sequence.totalTokens() - 1);
      QCOMPARE(static_cast<int>(machine.log.of<BlockFreed>().size()), back[0].freedBlocks);
      QCOMPARE(machine.brokenInvariant(), std::string());
      (back[0].freedBlocks > 0 ? freed : kept) = true;
    }
    QVERIFY(freed && kept);
    QCOMPARE(sequence.tokens, FakeMachine::expected(prompt(4), 40, 0));
  }

  // A block is registered when tokens that stay fill it, and never for a draft.
  void rejectedTokensAreNeverRegistered() {
    FakeMachine machine(options(40));
    Sequence& sequence = machine.submit(prompt(3), 60);
    machine.draftLength = 6;
    int registered = 0;
    while (machine.scheduler.hasWork()) {
      machine.log.clear();
      machine.step();
      registered += static_cast<int>(machine.log.of<BlockCached>().size());
      QVERIFY(registered <= (sequence.totalTokens() - 1) / 4);
    }
    QCOMPARE(registered, 62 / 4);
  }
};

QTEST_APPLESS_MAIN(TestScheduler)
#include "tst_scheduler.moc"

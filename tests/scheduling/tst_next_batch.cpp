// What the next step is foreseen to compute, and when it is not.
#include "scheduling/next_batch.h"

#include "scheduling/budget_plan.h"
#include "support/scheduling_fixture.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

// Sequences of which each has one token to compute, and their plan, allocated.
struct Foreseen : SchedulingFixture {
  explicit Foreseen(int numBlocks = 32, int tokenBudget = 64)
      : SchedulingFixture(options(numBlocks, tokenBudget)), budget(state) {}

  Sequence& decode(int tokens) {
    Sequence& sequence = make(tokens);
    sequence.promptTokens = 1;
    return run(sequence, tokens - 1);
  }
  bool foresee() {
    budget.share();
    for (const Work& work : budget.plan().work)
      for (int i = 0; i < work.newBlocks; ++i) state.blocks.allocate(work.id, work.sequence->blockTable);
    return foreseeBatch(state, budget.plan(), next);
  }

  BudgetPlan budget;
  std::vector<NextWork> next;
};

}  // namespace

class TestNextBatch : public QObject {
  Q_OBJECT

 private slots:
  // Blocks of four tokens: those that the pool gives next, in the order in which they will be asked for.
  void everySequenceGoesOnByOneToken() {
    Foreseen f;
    f.decode(8);                             // its block is full: the next token takes another
    Sequence& prompt = f.run(f.make(8), 0);  // computed in this step, planned behind the decodes
    f.decode(6);
    QVERIFY(f.foresee());
    const std::vector<BlockId> free = f.state.blocks.pool().freeQueue().ids();
    QCOMPARE(f.next.size(), std::size_t{3});
    QVERIFY(f.next[0].work == 0 && f.next[0].position == 8 && f.next[0].newBlock == free[0]);
    QVERIFY(f.next[1].work == 2 && f.next[1].position == 8 && f.next[1].newBlock == free[1]);
    QVERIFY(f.next[2].work == 1 && f.next[2].position == 6 && f.next[2].newBlock == NextWork::kNoBlock);
    QCOMPARE(f.next[1].sequence, &prompt);
  }

  void aPromptThatIsNotWholeIsNotForeseen() {
    Foreseen f(32, 6);
    f.decode(6);
    f.run(f.make(12), 0);
    QVERIFY(!f.foresee());
  }

  void norAreMoreSequencesThanTheBudgetHas() {
    Foreseen f(32, 1);
    f.decode(6);
    f.decode(6);
    QVERIFY(!f.foresee());
  }

  void norIsAForkOrASharedTail() {
    Foreseen f;
    Sequence& parent = f.decode(6);
    QVERIFY(f.foresee());
    parent.sequenceSlots = 2;
    QVERIFY(!f.foresee());
    parent.sequenceSlots = 1;
    Sequence& child = f.make(6);
    f.state.blocks.share(parent.blockTable, child.id, child.blockTable);
    QVERIFY(!f.foresee());
  }

  // A free block that the prefix index knows may still be wanted, and the pool may have none.
  void norIsABlockThatMustNotBeWritten() {
    Foreseen f(4);
    Sequence& ended = f.run(f.make(8), 8);
    f.cache(ended);
    Sequence& running = f.decode(8);
    QVERIFY(!f.foresee());  // none is free
    f.state.running.erase(f.state.running.begin());
    f.state.blocks.release(ended.id, ended.blockTable);
    QCOMPARE(f.state.blocks.freeCachedCount(), 2);
    QVERIFY(!f.foresee());
    running.tokens.resize(7);
    running.computedTokens = 6;
    QVERIFY(f.foresee());
    QCOMPARE(f.next[0].newBlock, NextWork::kNoBlock);
  }

  void whatWaitsMustGoOnWaiting() {
    Foreseen f;
    f.decode(6);
    Sequence& waiting = f.wait(f.make(3));
    QVERIFY(!f.foresee());
    for (const auto& [reason, isForeseen] : {std::pair(WaitReason::kSequences, true),
                                             {WaitReason::kBlocks, true},
                                             {WaitReason::kBatch, true},
                                             {WaitReason::kTokenBudget, false},
                                             {WaitReason::kWindow, false},
                                             {WaitReason::kPreemption, false}}) {
      waiting.lastWait = WaitState{reason, 1, 0, 1};
      QCOMPARE(f.foresee(), isForeseen);
    }
    f.state.waiting.remove(waiting);
    QVERIFY(f.foresee());
  }
};

QTEST_APPLESS_MAIN(TestNextBatch)
#include "tst_next_batch.moc"

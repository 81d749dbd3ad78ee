// BudgetPlan and ContextEviction alone.
#include "scheduling/budget_plan.h"
#include "scheduling/context_eviction.h"
#include "support/scheduling_fixture.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

// Makes the prompt of a sequence two tokens long, so that one more token to compute is a decode.
Sequence& decoding(Sequence& sequence) {
  sequence.promptTokens = 2;
  return sequence;
}

}  // namespace

class TestBudgetPlan : public QObject {
  Q_OBJECT

 private slots:
  void decodesComeFirstAndChunksShareTheRest() {
    SchedulingFixture f(SchedulingFixture::options(32, 7));
    f.run(f.make(12), 0);
    f.run(decoding(f.make(6)), 5);
    f.run(f.make(12), 0);
    BudgetPlan budget(f.state);
    budget.share();
    const StepPlan& plan = budget.plan();
    QCOMPARE(plan.work.size(), std::size_t{2});
    QCOMPARE(plan.work[0].sequence, &f.sequences[1]);
    QVERIFY(plan.work[0].kind == WorkKind::kDecode && plan.work[0].samples);
    QCOMPARE(plan.work[1].sequence, &f.sequences[0]);
    QVERIFY(plan.work[1].tokens == 6 && plan.work[1].newBlocks == 2 && !plan.work[1].samples);
    QVERIFY(plan.decodeTokens == 1 && plan.prefillTokens == 6 && plan.blocks == 2);
  }

  void allButTheLastHolderCopyASharedTail() {
    SchedulingFixture f(SchedulingFixture::options(32));
    Sequence& parent = f.run(decoding(f.make(6)), 5);
    for (int i = 0; i < 2; ++i) {
      Sequence& child = decoding(f.make(6));
      f.state.blocks.share(parent.blockTable, child.id, child.blockTable);
      parent.forked = child.forked = true;
      f.run(child, 5);
    }
    BudgetPlan budget(f.state);
    for (int again = 0; again < 2; ++again) {  // planned anew, nothing is left of the first plan
      budget.share();
      const StepPlan& plan = budget.plan();
      QVERIFY(plan.work[0].copiesTail && plan.work[1].copiesTail && !plan.work[2].copiesTail);
      QCOMPARE(plan.blocks, 2);
    }
  }

  void draftsTakeTurnsWithWhatIsLeft() {
    SchedulingFixture f(SchedulingFixture::options(4, 6));
    f.run(decoding(f.make(6)), 5).wantedDraft = 5;
    f.run(decoding(f.make(6)), 5).wantedDraft = 1;
    BudgetPlan budget(f.state);
    budget.share();
    budget.grantDrafts();
    QCOMPARE(budget.plan().work[0].draftTokens, 2);  // its block has two more slots, and no block is free
    QCOMPARE(budget.plan().work[1].draftTokens, 1);
    QCOMPARE(budget.plan().decodeTokens, 5);
  }

  // What the plan lacks for a draft is said of each decode without one, wanted or not.
  void aDecodeWithoutADraftHasItsLimit() {
    const auto limits = [](int numBlocks, int tokenBudget, std::vector<int> computed) {
      SchedulingFixture f(SchedulingFixture::options(numBlocks, tokenBudget));
      for (const int tokens : computed) f.run(decoding(f.make(tokens + 1)), tokens).wantedDraft = 1;
      BudgetPlan budget(f.state);
      budget.share();
      budget.grantDrafts();
      std::vector<std::optional<NoDraftReason>> found;
      for (const Work& work : budget.plan().work) {
        if (work.draftTokens > 0 && work.draftLimit) return std::vector<std::optional<NoDraftReason>>();
        found.push_back(work.draftTokens > 0 ? std::nullopt : work.draftLimit);
      }
      return found;
    };
    using enum NoDraftReason;
    using Limits = std::vector<std::optional<NoDraftReason>>;
    QVERIFY(limits(8, 8, {5, 5}) == (Limits{std::nullopt, std::nullopt}));
    QVERIFY(limits(8, 3, {5, 5}) == (Limits{std::nullopt, kTokenBudget}));
    QVERIFY(limits(8, 2, {5, 5}) == (Limits{kTokenBudget, kTokenBudget}));
    // A draft of the one of seven tokens begins a block, and no block is free.
    QVERIFY(limits(4, 8, {7, 5}) == (Limits{kBlocks, std::nullopt}));
    QVERIFY(limits(4, 3, {7, 5}) == (Limits{kBlocks, std::nullopt}));  // and later no token is left either
    // Without a wish for a draft, as in a recorded run.
    SchedulingFixture f(SchedulingFixture::options(4, 8));
    f.run(decoding(f.make(8)), 7);
    f.run(decoding(f.make(6)), 5);
    BudgetPlan budget(f.state);
    budget.share();
    QVERIFY(!budget.plan().work[0].draftLimit);  // no drafter has been asked
    budget.grantDrafts();
    QVERIFY(budget.plan().work[0].draftLimit == kBlocks && !budget.plan().work[1].draftLimit);
  }

  void aFullContextEvictsTheBlockBehindTheSinks() {
    SchedulerOptions chosen = SchedulingFixture::options(16);
    chosen.eviction = {Eviction::kSinks, 4, 1, 2, 0};  // 1 block of sinks, 2 of window, 1 that fills
    SchedulingFixture f(chosen);
    Sequence& full = f.run(f.make(20), 16);
    Sequence& other = f.run(f.make(20), 15);
    ContextEviction eviction(f.state);
    eviction.evictWhereFull();
    const auto events = f.log.of<ContextEvicted>();
    QCOMPARE(events.size(), std::size_t{1});
    QVERIFY(events[0].sequence == full.id && events[0].index == 1 && events[0].firstPosition == 4);
    QCOMPARE(full.blockStarts, (std::vector{0, 8, 12}));
    QVERIFY(full.evictedTokens == 4 && full.residentTokens() == 12 && other.evictedTokens == 0);
  }

  void heavyHittersEvictTheLeastAttendedBlock() {
    SchedulerOptions chosen = SchedulingFixture::options(16);
    chosen.eviction = {Eviction::kHeavyHitters, 4, 1, 1, 1};
    SchedulingFixture f(chosen);
    Sequence& full = f.run(f.make(20), 16);
    full.attentionScores = {9, 3, 2, 1, 9, 1, 1.5, 1};  // two heads of four blocks
    ContextEviction(f.state).evictIfFull(full);
    const auto events = f.log.of<ContextEvicted>();
    QVERIFY(events[0].index == 2 && events[0].score == 3.5);
    QCOMPARE(full.attentionScores, (std::vector<float>{9, 3, 1, 0, 9, 1, 1, 0}));
  }
};

QTEST_APPLESS_MAIN(TestBudgetPlan)
#include "tst_budget_plan.moc"

// Precedence and Preemptor alone: which sequences a more important one may preempt, and what becomes of them.
#include "scheduling/preemptor.h"

#include "support/scheduling_fixture.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <random>

using namespace vitrine;

namespace {

StepRoom roomOf(const SchedulingFixture& f) {
  StepRoom room;
  room.freeSlots = f.state.options.maxSequences - static_cast<int>(f.state.running.size());
  room.tokens = f.state.options.tokenBudget;
  return room;
}

// The blocks that are free when the last `leaving` sequences have released theirs, hits left out.
int freeWithout(const SchedulingFixture& f, std::size_t leaving, const PrefixHits& hits) {
  std::map<BlockId, int> holders;
  const std::vector<Sequence*>& running = f.state.running;
  for (std::size_t i = running.size() - leaving; i < running.size(); ++i)
    for (const BlockId block : running[i]->blockTable) ++holders[block];
  int free = f.state.blocks.pool().freeCount() - hits.freeBlocks;
  for (const auto& [block, count] : holders) {
    bool isHit = false;
    for (const PrefixLink& link : hits.links) isHit |= link.block == block;
    free += count == f.state.blocks.pool().refCount(block) && !isHit ? 1 : 0;
  }
  return free;
}

}  // namespace

class TestPreemptor : public QObject {
  Q_OBJECT

 private slots:
  void theFewestThatAreEnoughLeave() {
    SchedulingFixture f(SchedulingFixture::options(8));
    f.run(f.make(8, 1), 8);
    f.run(f.make(8, 2), 8);
    f.run(f.make(8, 3), 8);  // two blocks are free
    Sequence& waiting = f.wait(f.make(16, 0));
    Precedence precedence(f.state);
    const auto offers = precedence.offersFor(waiting, {}, roomOf(f), {});
    QCOMPARE(offers.size(), std::size_t{1});
    QCOMPARE(offers[0].blocks, 2);
    Preemptor preemptor(f.state);
    QCOMPARE(preemptor.preemptFor(waiting, {}, roomOf(f), {}), 1);
    const SequencePreempted event = f.log.of<SequencePreempted>().at(0);
    QVERIFY(event.reason == PreemptReason::kImportance && event.cause == PreemptionCause{});
    QCOMPARE(event.sequence, 3);
    QCOMPARE(event.forSequence, waiting.id);
    QCOMPARE(event.neededBlocks, 4);
    QCOMPARE(event.freeBlocks, 2);
    QCOMPARE(event.freedBlocks, 2);
    QCOMPARE(event.lostTokens, 8);
    QCOMPARE(event.running, 3);
    QCOMPARE(f.sequences[2].preemptions, 1);
    QCOMPARE(f.sequences[2].computedTokens, 0);
    QVERIFY(f.sequences[2].status == SequenceStatus::kPreempted && f.sequences[2].blockTable.empty());
    QCOMPARE(f.state.waiting.size(), std::size_t{2});
  }

  void noSequenceThatRanksBeforeLeaves() {
    SchedulingFixture f(SchedulingFixture::options(8));
    f.run(f.make(8, 1), 8);
    f.run(f.make(8, 5), 8);
    Sequence& waiting = f.wait(f.make(32, 3));
    Preemptor preemptor(f.state);
    QCOMPARE(preemptor.preemptFor(waiting, {}, roomOf(f), {}), 0);
    QVERIFY(f.log.of<SequencePreempted>().empty());
    QCOMPARE(f.state.running.size(), std::size_t{2});
  }

  void aSearchLeavesAsAWhole() {
    SchedulingFixture f(SchedulingFixture::options(12, 64, 4));
    f.run(f.make(4, 1), 4);
    for (int index = 0; index < 3; ++index) {
      Sequence& beam = f.make(4, 2);
      beam.request = 77, beam.index = index, beam.beams = 3;
      f.run(beam, 4);
    }
    Sequence& waiting = f.wait(f.make(4, 0));  // it needs one slot
    QCOMPARE(Preemptor(f.state).preemptFor(waiting, {}, roomOf(f), {}), 3);
    QCOMPARE(f.state.running.size(), std::size_t{1});
    QCOMPARE(f.sequences[1].sequenceSlots, 3);  // the first beam holds all slots again
    QCOMPARE(f.sequences[2].sequenceSlots, 1);
  }

  void forMemoryTheLastSequenceLeaves() {
    SchedulingFixture f(SchedulingFixture::options(4));
    Sequence& first = f.run(f.make(9), 8);
    Sequence& second = f.run(f.make(9), 8);
    StepPlan plan;
    plan.work.push_back({&first, WorkKind::kPrefill, 8, 1, 1, false, true});
    plan.work.push_back({&second, WorkKind::kPrefill, 8, 1, 1, false, true});
    plan.blocks = 2;
    Preemptor(f.state).preemptForMemory(plan);
    const SequencePreempted event = f.log.of<SequencePreempted>().at(0);
    QVERIFY(event.reason == PreemptReason::kMemory);
    QCOMPARE(event.sequence, 2);
    QCOMPARE(event.forSequence, 1);
    QCOMPARE(event.neededBlocks, 1);
    QCOMPARE(event.freeBlocks, 0);
    QCOMPARE(event.freedBlocks, 2);
  }

  // Each offer adds one sequence to the one before; the numbers are those of a count from the beginning.
  void offersAgreeWithACountFromTheBeginning() {
    std::mt19937 random(9);
    int compared = 0;
    for (int round = 0; round < 200; ++round) {
      SchedulingFixture f(SchedulingFixture::options(60, 64, 40));
      const int running = 2 + static_cast<int>(random() % 8);
      for (int i = 0; i < running; ++i) {
        Sequence& one = f.make(4 + static_cast<int>(random() % 12), static_cast<int>(random() % 3));
        if (i > 0 && random() % 2 == 0) {  // shares all full blocks of another one
          const Sequence& parent = *f.state.running[random() % f.state.running.size()];
          one.tokens = parent.tokens;
          const std::size_t full = parent.tokens.size() / 4;
          f.state.blocks.share(std::span(parent.blockTable).first(full), one.id, one.blockTable);
        }
        f.run(one, one.totalTokens());
        f.cache(one);
      }
      Sequence& waiting = f.wait(f.make(4 * 55, 0));
      waiting.rank = -1;
      const std::vector<TokenId>& other = f.sequences[0].tokens;
      std::ranges::copy(other, waiting.tokens.begin());
      PrefixHits hits;
      f.state.blocks.lookUp(waiting.tokens, 0, hits);
      Precedence precedence(f.state);
      for (int again = 0; again < 2; ++again) {
        const auto offers = precedence.offersFor(waiting, hits, roomOf(f), {});
        for (std::size_t i = 0; i < offers.size(); ++i, ++compared) {
          QCOMPARE(offers[i].blocks, freeWithout(f, i, hits));
          QCOMPARE(offers[i].freeSlots, 40 - running + static_cast<int>(i));
        }
      }
    }
    QVERIFY(compared > 200);
  }
};

QTEST_APPLESS_MAIN(TestPreemptor)
#include "tst_preemptor.moc"

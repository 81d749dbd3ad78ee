// Where swapped blocks are: tiers, slots, which block moves on to the file, and what remains after a failed
// move.
#include <algorithm>
#include <map>

#include "cache/swap_space.h"
#include "support/event_log.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

// Content is a number a block; block b of the pool holds b until something is moved in.
class Machine : public SwapMover {
 public:
  Machine(int hostSlots, int diskSlots) : stream(log, 1), space(hostSlots, diskSlots, 10, *this, stream) {}

  void moveOut(SwapKey, BlockId from, SwapSlot to) override {
    require(to.tier);
    tiers[to.tier][to.slot] = pool.contains(from) ? pool[from] : from;
  }
  void demote(SwapKey, int hostSlot, int diskSlot) override {
    require(SwapTier::kDisk);
    tiers[SwapTier::kDisk][diskSlot] = tiers[SwapTier::kHost].at(hostSlot);
  }
  void moveIn(SwapKey, SwapSlot from, BlockId to) override {
    require(from.tier);
    pool[to] = tiers[from.tier].at(from.slot);
  }
  void require(SwapTier tier) {
    if (tier == SwapTier::kDisk && diskFails) throw EngineError(ErrorCode::kIo, "full", "clean up");
  }
  // What the content is now, first index first, and where.
  std::vector<int> of(SequenceId sequence) {
    std::vector<int> found;
    for (const SwappedBlock& b : space.contentOf(sequence)) found.push_back(tiers[b.tier].at(b.slot));
    return found;
  }
  std::string tiersOf(SequenceId sequence) const {
    std::string letters;
    for (const SwappedBlock& b : space.contentOf(sequence)) letters += b.tier == SwapTier::kHost ? 'h' : 'd';
    return letters;
  }

  EventLog log;
  EventStream stream;
  std::map<SwapTier, std::map<int, int>> tiers;
  std::map<BlockId, int> pool;
  bool diskFails = false;
  SwapSpace space;
};

using Table = std::vector<BlockId>;

}  // namespace

class TestSwapSpace : public QObject {
  Q_OBJECT

 private slots:
  void whatIsSwappedOutComesBack() {
    Machine machine(4, 0);
    QVERIFY(machine.space.swapOut(1, Table{7, 8, 9}, 11));
    QCOMPARE(machine.space.freeCount(), 1);
    QCOMPARE(machine.tiersOf(1), std::string("hhh"));
    for (BlockId block : {2, 3, 4}) QVERIFY(machine.space.swapIn(1, block, 11));
    QCOMPARE(machine.pool, (std::map<BlockId, int>{{2, 7}, {3, 8}, {4, 9}}));
    QVERIFY(machine.space.contentOf(1).empty());
    QCOMPARE(machine.space.freeCount(), 4);
  }

  void theOldestMovesOnToTheFile() {
    Machine machine(3, 4);
    QVERIFY(machine.space.swapOut(1, Table{1, 2}, 8));
    QVERIFY(machine.space.swapOut(2, Table{3, 4}, 8));
    QCOMPARE(machine.tiersOf(1), std::string("dh"));
    QCOMPARE(machine.tiersOf(2), std::string("hh"));
    QVERIFY(machine.space.swapOut(3, Table{5, 6}, 8));
    QCOMPARE(machine.tiersOf(1), std::string("dd"));
    QCOMPARE(machine.tiersOf(2), std::string("dh"));
    QCOMPARE(machine.of(1), (std::vector{1, 2}));
    QCOMPARE(machine.of(2), (std::vector{3, 4}));
    QCOMPARE(machine.of(3), (std::vector{5, 6}));
    QCOMPARE(machine.log.of<BlockDemoted>().size(), std::size_t{3});
  }

  // A sequence larger than host memory pushes its own beginning on.
  void aLargeSequenceLiesInBothTiers() {
    Machine machine(2, 3);
    QVERIFY(machine.space.swapOut(1, Table{1, 2, 3, 4, 5}, 20));
    QCOMPARE(machine.tiersOf(1), std::string("dddhh"));
    QCOMPARE(machine.of(1), (std::vector{1, 2, 3, 4, 5}));
    QCOMPARE(machine.space.freeCount(), 0);
  }

  void withoutHostMemoryAllGoesToTheFile() {
    Machine machine(0, 3);
    QVERIFY(machine.space.swapOut(1, Table{1, 2}, 8));
    QCOMPARE(machine.tiersOf(1), std::string("dd"));
    QVERIFY(machine.log.of<BlockDemoted>().empty());
  }

  // Blocks that prefix hits gave back; their slots are free, and the order of the others stands.
  void whatIsNotWantedAnyMoreIsForgotten() {
    Machine machine(4, 1);
    QVERIFY(machine.space.swapOut(1, Table{1, 2, 3}, 12));
    machine.space.forget(1, 2);
    QCOMPARE(machine.of(1), (std::vector{3}));
    QCOMPARE(machine.space.freeCount(), 4);
    QVERIFY(machine.space.swapOut(2, Table{4, 5, 6, 7}, 16));
    QCOMPARE(machine.tiersOf(1), std::string("d"));
    machine.space.forget(1);
    machine.space.forget(1);
    machine.space.forget(99);
    QCOMPARE(machine.space.freeCount(), 1);
  }

  void aFailingMoveKeepsNothingOfItsSequenceAndAllOfTheOthers() {
    Machine machine(2, 4);
    QVERIFY(machine.space.swapOut(1, Table{1}, 4));
    machine.diskFails = true;
    QVERIFY(!machine.space.swapOut(2, Table{2, 3}, 7));
    QCOMPARE(machine.of(1), (std::vector{1}));
    QVERIFY(machine.space.contentOf(2).empty());
    QCOMPARE(machine.space.freeCount(), 5);
    const SwapFailed published = machine.log.of<SwapFailed>().at(0);
    QVERIFY(published.sequence == 2 && published.move == SwapMove::kDemote &&
            published.tier == SwapTier::kDisk);
    QVERIFY(published.index == 1 && published.lostTokens == 7);
    QCOMPARE(published.code + published.message + published.hint, std::string("iofullclean up"));
    machine.diskFails = false;
    QVERIFY(machine.space.swapOut(2, Table{2, 3}, 7));  // it is tried again
  }

  void contentThatDoesNotComeBackIsGivenUpWhole() {
    Machine machine(1, 4);
    QVERIFY(machine.space.swapOut(1, Table{1, 2, 3}, 12));
    machine.diskFails = true;
    QVERIFY(!machine.space.swapIn(1, 9, 12));
    QVERIFY(machine.space.contentOf(1).empty());
    QCOMPARE(machine.space.freeCount(), 5);
    QVERIFY(machine.log.of<SwapFailed>().at(0).move == SwapMove::kIn);
    QVERIFY(machine.log.of<BlockSwappedIn>().empty());
  }

  void aStepsSumIsPublishedOnce() {
    Machine machine(2, 2);
    machine.space.publishStep();
    QVERIFY(machine.log.of<StepSwapped>().empty());
    QVERIFY(machine.space.swapOut(1, Table{1, 2, 3}, 12));
    QVERIFY(machine.space.swapIn(1, 5, 12));
    machine.space.publishStep();
    machine.space.publishStep();
    const auto published = machine.log.of<StepSwapped>();
    QCOMPARE(published.size(), std::size_t{1});
    QVERIFY(published[0].outBlocks == 3 && published[0].demotedBlocks == 1 && published[0].inBlocks == 1);
    QVERIFY(published[0].outBytes == 30 && published[0].demotedBytes == 10 && published[0].inBytes == 10);
    QVERIFY(published[0].hostBlocks == 2 && published[0].diskBlocks == 0 && published[0].ns >= 0);
  }
};

QTEST_APPLESS_MAIN(TestSwapSpace)
#include "tst_swap_space.moc"

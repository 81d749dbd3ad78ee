// The pool of blocks: order of the free queue, counts, and random operations against a plain list.
#include <QTest>
#include <algorithm>
#include <deque>
#include <random>

#include "cache/block_pool.h"

using namespace vitrine;
using End = BlockPool::End;

namespace {

const std::vector<BlockId> kNoBlocks;

// The same bookkeeping as a plain list.
struct PlainPool {
  std::vector<int> counts;
  std::deque<BlockId> queue;

  explicit PlainPool(int blocks) : counts(static_cast<std::size_t>(blocks)) {
    for (BlockId block = 0; block < blocks; ++block) queue.push_back(block);
  }
  int& count(BlockId block) { return counts[static_cast<std::size_t>(block)]; }
  void retain(BlockId block) {
    if (count(block)++ == 0) queue.erase(std::find(queue.begin(), queue.end(), block));
  }
  void release(BlockId block, End end) {
    if (--count(block) > 0) return;
    if (end == End::kFront)
      queue.push_front(block);
    else
      queue.push_back(block);
  }
};

}  // namespace

class TestBlockPool : public QObject {
  Q_OBJECT

 private slots:
  void allAreFreeAndTheLowestComesFirst() {
    BlockPool pool(4);
    QCOMPARE(pool.freeCount(), 4);
    QCOMPARE(pool.freeQueue().ids(), (std::vector<BlockId>{0, 1, 2, 3}));
    for (BlockId expected : {0, 1, 2, 3}) {
      QCOMPARE(pool.front(), expected);
      QCOMPARE(pool.take(), expected);
      QCOMPARE(pool.refCount(expected), 1);
    }
    QCOMPARE(pool.freeCount(), 0);
    QCOMPARE(pool.freeQueue().ids(), kNoBlocks);
  }

  void releasedBlocksJoinTheChosenEnd() {
    BlockPool pool(5);
    for (int i = 0; i < 4; ++i) pool.take();
    QCOMPARE(pool.release(1, End::kBack), 0);
    QCOMPARE(pool.release(2, End::kFront), 0);
    QCOMPARE(pool.release(0, End::kBack), 0);
    QCOMPARE(pool.freeQueue().ids(), (std::vector<BlockId>{2, 4, 1, 0}));
  }

  void aSharedBlockIsFreeOnlyWhenTheLastHolderLeaves() {
    BlockPool pool(2);
    const BlockId block = pool.take();
    pool.retain(block);
    QCOMPARE(pool.release(block, End::kBack), 1);
    QCOMPARE(pool.freeCount(), 1);
    QCOMPARE(pool.release(block, End::kBack), 0);
    QCOMPARE(pool.freeQueue().ids(), (std::vector<BlockId>{1, 0}));
  }

  void aFreeBlockLeavesTheQueueFromAnywhere() {
    for (BlockId chosen : {0, 1, 2}) {
      BlockPool pool(3);
      pool.retain(chosen);
      std::vector<BlockId> left = {0, 1, 2};
      std::erase(left, chosen);
      QCOMPARE(pool.freeQueue().ids(), left);
      QCOMPARE(pool.freeCount(), 2);
    }
  }

  void randomOperationsAgreeWithAPlainList() {
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
      const int blocks = 1 + static_cast<int>(random() % 20);
      BlockPool pool(blocks);
      PlainPool plain(blocks);
      for (int i = 0; i < 400; ++i) {
        const BlockId block = static_cast<BlockId>(random() % static_cast<unsigned>(blocks));
        const End end = random() % 2 == 0 ? End::kFront : End::kBack;
        const unsigned action = random() % 3;
        if (action == 0 && pool.freeCount() > 0) {
          const BlockId taken = pool.take();
          QCOMPARE(taken, plain.queue.front());
          plain.retain(taken);
        } else if (action == 1 && plain.count(block) < 4) {
          pool.retain(block);
          plain.retain(block);
        } else if (plain.count(block) > 0) {
          plain.release(block, end);
          QCOMPARE(pool.release(block, end), plain.count(block));
        }
        QCOMPARE(pool.refCount(block), plain.count(block));
        QCOMPARE(pool.freeQueue().ids(), (std::vector<BlockId>(plain.queue.begin(), plain.queue.end())));
        QCOMPARE(pool.freeCount(), static_cast<int>(plain.queue.size()));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestBlockPool)
#include "tst_block_pool.moc"

// The queue of free blocks: order, copies, equality, and random operations against a plain list.
#include "vitrine/block_queue.h"

#include <QTest>
#include <algorithm>
#include <deque>
#include <random>

using namespace vitrine;

namespace {

using Ids = std::vector<BlockId>;

BlockQueue queueOf(int capacity, const Ids& ids) {
  BlockQueue queue(capacity);
  for (BlockId id : ids) queue.pushBack(id);
  return queue;
}

}  // namespace

class TestBlockQueue : public QObject {
  Q_OBJECT

 private slots:
  void anEmptyQueueHoldsNothing() {
    for (const BlockQueue& queue : {BlockQueue(), BlockQueue(3)}) {
      QVERIFY(queue.empty() && queue.ids().empty() && queue.begin() == queue.end());
      QVERIFY(!queue.contains(0) && !queue.contains(-1) && !queue.contains(queue.capacity()));
    }
    QCOMPARE(BlockQueue().capacity(), 0);
    QCOMPARE(BlockQueue(3).capacity(), 3);
  }

  void blocksJoinAtBothEndsAndLeaveFromAnywhere() {
    BlockQueue queue(5);
    queue.pushBack(3);
    queue.pushFront(1);
    queue.pushBack(4);
    QCOMPARE(queue.ids(), (Ids{1, 3, 4}));
    QCOMPARE(queue.front(), 1);
    QVERIFY(queue.remove(3));
    QVERIFY(!queue.remove(3) && !queue.remove(0) && !queue.remove(5) && !queue.remove(-1));
    QCOMPARE(queue.ids(), (Ids{1, 4}));
    QCOMPARE(queue.size(), std::size_t{2});
    QVERIFY(queue.remove(1) && queue.remove(4) && queue.empty());
    queue.pushFront(1);
    QCOMPARE(queue.ids(), Ids{1});
  }

  // The history of a queue does not count, and a copy has a life of its own.
  void equalityComparesCapacityBlocksAndOrder() {
    BlockQueue queue = queueOf(4, {0, 1, 2});
    QVERIFY(queue.remove(0));
    queue.pushBack(0);
    QVERIFY(queue == queueOf(4, {1, 2, 0}));
    QVERIFY(queue != queueOf(4, {1, 0, 2}) && queue != queueOf(5, {1, 2, 0}) && queue != queueOf(4, {1, 2}));
    BlockQueue copy = queue;
    QVERIFY(copy.remove(2));
    QCOMPARE(queue.ids(), (Ids{1, 2, 0}));
    QCOMPARE(copy.ids(), (Ids{1, 0}));
  }

  void randomOperationsAgreeWithAPlainList() {
    std::mt19937 random(11);
    for (int round = 0; round < 50; ++round) {
      const int capacity = 1 + static_cast<int>(random() % 20);
      BlockQueue queue(capacity);
      std::deque<BlockId> plain;
      for (int i = 0; i < 400; ++i) {
        const auto block = static_cast<BlockId>(random() % static_cast<unsigned>(capacity));
        const auto found = std::ranges::find(plain, block);
        QCOMPARE(queue.contains(block), found != plain.end());
        if (found != plain.end()) {
          plain.erase(found);
          QVERIFY(queue.remove(block));
        } else if (random() % 2 == 0) {
          plain.push_front(block);
          queue.pushFront(block);
        } else {
          plain.push_back(block);
          queue.pushBack(block);
        }
        QCOMPARE(queue.ids(), Ids(plain.begin(), plain.end()));
        QCOMPARE(queue.size(), plain.size());
        QVERIFY(queue == queueOf(capacity, queue.ids()));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestBlockQueue)
#include "tst_block_queue.moc"

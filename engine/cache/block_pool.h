// BlockPool: the holders of each KV block, and the block that is taken next. No tensors here.
//
// Paged KV after PagedAttention (Kwon et al. 2023, arXiv 2309.06180): a block has slots for a fixed number of
// tokens. Any sequence can hold it, and sequences share it by reference count. The free queue is a doubly
// linked list through the blocks themselves, so a cached block can leave its middle in O(1). Invariant: a
// block is in the free queue exactly when its count is 0. Thread: the engine's. Read next: prefix_index.h,
// kv_blocks.h.
#pragma once

#include <vector>

#include "vitrine/event.h"

namespace vitrine {

class BlockPool {
 public:
  // All blocks are free, and the lowest is taken first. Requires numBlocks >= 1.
  explicit BlockPool(int numBlocks);

  int totalCount() const { return static_cast<int>(m_blocks.size()); }
  int freeCount() const { return m_freeCount; }
  int refCount(BlockId block) const { return at(block).refCount; }

  // The block that take() would give; requires freeCount() > 0.
  BlockId front() const;
  // Removes the front of the queue and gives it one holder. Requires freeCount() > 0.
  BlockId take();

  // Adds a holder. A free block leaves the queue, wherever it is.
  void retain(BlockId block);

  enum class End { kFront, kBack };
  // Removes a holder. A block without holders joins the queue at `end`. Returns the number of holders left.
  // Requires refCount(block) > 0.
  int release(BlockId block, End end);

  // The free queue, the next block to be taken first: for snapshots and tests.
  std::vector<BlockId> freeQueue() const;

 private:
  static constexpr BlockId kNone = -1;
  struct Node {
    int refCount = 0;
    BlockId previous = kNone, next = kNone;  // neighbours in the free queue
  };

  const Node& at(BlockId block) const;
  Node& at(BlockId block);
  void unlink(BlockId block);
  void link(BlockId block, End end);

  std::vector<Node> m_blocks;
  BlockId m_front = kNone, m_back = kNone;
  int m_freeCount = 0;
};

}  // namespace vitrine

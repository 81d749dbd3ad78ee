// BlockPool: the holders of each KV block, and the block that is taken next. No tensors here.
//
// Paged KV after PagedAttention (Kwon et al. 2023, arXiv 2309.06180): a block is a fixed number of token
// places, lent to any sequence and shared by reference count. The free queue runs through the blocks
// themselves as a doubly linked list, so that a cached block can be taken out of its middle in O(1).
// Invariant: a block is in the free queue exactly when its count is 0.
// Thread: the engine's. Read next: prefix_index.h, kv_blocks.h.
#pragma once

#include <vector>

#include "vitrine/event.h"

namespace vitrine {

class BlockPool {
 public:
  // All blocks free, the lowest taken first. Requires numBlocks >= 1.
  explicit BlockPool(int numBlocks);

  int totalCount() const { return static_cast<int>(m_blocks.size()); }
  int freeCount() const { return m_freeCount; }
  int refCount(BlockId block) const { return at(block).refCount; }

  // The block that take() would give; requires freeCount() > 0.
  BlockId front() const;
  // The front of the queue, held once from now on. Requires freeCount() > 0.
  BlockId take();

  // One more holder; a free block leaves the queue, wherever it stands.
  void retain(BlockId block);

  enum class Place { kFront, kBack };
  // One holder less; without holders the block joins the queue at `place`. Returns the count left.
  // Requires refCount(block) > 0.
  int release(BlockId block, Place place);

  // The free queue, next to be taken first: for snapshots and tests.
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
  void link(BlockId block, Place place);

  std::vector<Node> m_blocks;
  BlockId m_front = kNone, m_back = kNone;
  int m_freeCount = 0;
};

}  // namespace vitrine

// BlockPool: the number of holders of each KV block, and the free queue. No tensors here.
//
// Paged KV after PagedAttention (Kwon et al. 2023, arXiv 2309.06180): a block holds the KV of a fixed number
// of tokens, and several sequences share it by reference count. Invariant: a block is in the free queue
// exactly when its count is 0. Thread: the engine's. Read next: prefix_index.h, kv_blocks.h.
#pragma once

#include <vector>

#include "vitrine/block_queue.h"

namespace vitrine {

class BlockPool {
 public:
  // All blocks are free, and the lowest is taken first. Requires numBlocks >= 1.
  explicit BlockPool(int numBlocks);

  int totalCount() const { return static_cast<int>(m_refCounts.size()); }
  int freeCount() const { return static_cast<int>(m_free.size()); }
  int refCount(BlockId block) const;

  // The block that take() gives next. Requires freeCount() > 0.
  BlockId front() const { return m_free.front(); }
  // Takes the front of the queue; its count is 1 from now on. Requires freeCount() > 0.
  BlockId take();

  // Adds a holder; a free block leaves the queue, wherever it stands.
  void retain(BlockId block);

  enum class End { kFront, kBack };
  // Removes a holder; a block without holders joins the queue at `end`. Returns the count left. Requires
  // refCount(block) > 0.
  int release(BlockId block, End end);

  const BlockQueue& freeQueue() const { return m_free; }

 private:
  int& countOf(BlockId block);

  std::vector<int> m_refCounts;  // by block
  BlockQueue m_free;
};

}  // namespace vitrine

// KvBlocks: the blocks of the KV cache as sequences see them. Pool and prefix index together, and the events.
//
// A block may be free, held by one sequence, or shared: by equal prefixes (a hit) or by answers forked from
// one prompt. A freed block that the index knows goes to the back of the free queue, so that what was cached
// last is given up last (LRU); any other goes to the front. A table is freed tail first: of a chain, the end
// is given up before the beginning, without which the end could not be found.
// Invariant: each free block, and no other, is in the free queue; a shared block is never written. A call
// that throws std::bad_alloc has changed nothing that it did not publish. Thread: the engine's. Read next:
// scheduling/scheduler.h.
#pragma once

#include <span>
#include <vector>

#include "cache/block_pool.h"
#include "cache/prefix_index.h"
#include "core/event_stream.h"

namespace vitrine {

using BlockTable = std::vector<BlockId>;

// The cached beginning of a token list.
struct PrefixHits {
  BlockTable blocks;
  int freeBlocks = 0;  // of them, in the free queue: taking these leaves fewer to allocate
  PrefixLink last;     // of the last one; the root without any
};

class KvBlocks {
 public:
  struct Copy {
    BlockId from, to;
  };

  KvBlocks(int numBlocks, int blockSize, bool prefixCache, EventStream& events,
           PrefixIndex::Hash hash = PrefixIndex::chainHash);

  int blockSize() const { return m_blockSize; }
  int blocksFor(int tokens) const { return (tokens + m_blockSize - 1) / m_blockSize; }
  const BlockPool& pool() const { return m_pool; }
  const PrefixIndex& index() const { return m_index; }
  int freeCachedCount() const { return m_freeCached; }

  // Looks up the full blocks of `tokens`, but never all tokens: the last one has to be computed again, since
  // its logits are what comes next.
  void lookUp(std::span<const TokenId> tokens, std::uint64_t salt, PrefixHits& hits) const;

  // Appends the hit blocks to an empty table. Publishes BlockHit.
  void takeHits(SequenceId sequence, const PrefixHits& hits, BlockTable& table);

  // Appends a block. Requires a free one. Publishes BlockEvicted if its old content was cached,
  // BlockAllocated.
  void allocate(SequenceId sequence, BlockTable& table);

  // Whether writing to table[index] needs a copy first, when `holdersLeaving` of its holders copy before.
  bool isShared(BlockId block, int holdersLeaving = 0) const {
    return m_pool.refCount(block) - holdersLeaving > 1;
  }

  // Puts a block of its own in the place of a shared one; the caller moves the content before the next write.
  // Requires a free block and isShared(). Publishes BlockEvicted perhaps, BlockCopied.
  Copy copyOnWrite(SequenceId sequence, BlockTable& table, int index);

  // A forked child holds its parent's blocks, or the first of them. Publishes BlockShared.
  void share(std::span<const BlockId> parent, SequenceId child, BlockTable& table);

  // Takes the block at `index` out of the table, which closes ranks. Publishes ContextEvicted with what the
  // caller knows of the tokens in it.
  void evict(SequenceId sequence, BlockTable& table, int index, int firstPosition, double score);

  // Frees all but the first `kept` blocks of the table, tail first. Publishes BlockFreed. Returns how many
  // became free.
  int release(SequenceId sequence, BlockTable& table, int kept = 0);

  // Makes a full block whose KV is computed known, and returns the link its successors hang on. A block whose
  // tokens another block already stands for stays unknown, and the chain goes on from that other one; a chain
  // with a lost parent could never be found, so it is not continued. Publishes BlockCached for a new entry.
  PrefixLink registerBlock(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens,
                           BlockId block);

 private:
  int releaseOne(BlockId block);
  BlockId takeFree();

  const int m_blockSize;
  const bool m_prefixCache;
  EventStream& m_events;
  BlockPool m_pool;
  PrefixIndex m_index;
  int m_freeCached = 0;
};

}  // namespace vitrine

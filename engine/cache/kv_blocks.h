// KvBlocks: the blocks of the KV cache as sequences see them. Pool and prefix index together, and the events.
//
// A block is free, held by one sequence, or shared: by equal prefixes (a hit) or by answers forked from one
// prompt. A freed block that is in the index goes to the back of the free queue, so that the block that was
// freed last is evicted last (LRU); any other block goes to the front. A table is freed from its end: the
// end of a chain is evicted before its beginning, without which the end could not be found. Invariant: each
// free block, and no other, is in the free queue; a shared block is never written. A call that throws
// std::bad_alloc has changed nothing that it did not publish. Thread: the engine's. Read next:
// scheduling/scheduler.h.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cache/block_pool.h"
#include "cache/prefix_miss.h"
#include "core/event_stream.h"

namespace vitrine {

using BlockTable = std::vector<BlockId>;

// The cached beginning of a token list.
struct PrefixHits {
  std::vector<PrefixLink> links;  // of each hit block
  int freeBlocks = 0;             // of them, in the free queue: taking these leaves fewer to allocate
  std::uint64_t changes = 0;      // KvBlocks' count of changes at the last look-up

  int blocks() const { return static_cast<int>(links.size()); }
  PrefixLink last() const { return links.empty() ? PrefixLink{} : links.back(); }
  void clear() { *this = {std::move(links)}, links.clear(); }
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
  const PrefixIndex& index() const { return *m_index; }
  int freeCachedCount() const { return m_freeCached; }

  // Off: nothing is found or registered any more, and what is registered goes when its block is needed.
  void usePrefixCache(bool on);

  // Looks up the full blocks of `tokens`, but never all tokens: the last one is computed again for its
  // logits. `hits` is empty, or holds what an earlier call found for the same tokens and salt: then only the
  // blocks behind the hits that are still cached are hashed.
  void lookUp(std::span<const TokenId> tokens, std::uint64_t salt, PrefixHits& hits) const;

  // Appends the hit blocks to an empty table. Requires that nothing has changed since the look-up. Publishes
  // BlockHit.
  void takeHits(SequenceId sequence, const PrefixHits& hits, BlockTable& table);

  // Why the prompt of a sequence is cached no further than `hits`, which lookUp() found for it: at its first
  // admission, before it computes anything. Empty unless a cached block differs or an eviction is the cause.
  // Publishes nothing.
  std::optional<PrefixMissed> explainMiss(SequenceId sequence, std::span<const TokenId> prompt,
                                          std::uint64_t salt, const PrefixHits& hits) const;

  // Appends a block. Requires a free one. Publishes BlockEvicted if its old content was cached,
  // BlockAllocated.
  void allocate(SequenceId sequence, BlockTable& table);

  // Whether a holder must copy the block before it writes, when `holdersLeaving` other holders copy it first.
  bool isShared(BlockId block, int holdersLeaving = 0) const {
    return m_pool.refCount(block) - holdersLeaving > 1;
  }

  // Replaces the shared block at `index` by a block of the sequence's own. The caller copies the content
  // before the next write. Requires a free block and isShared(). Publishes BlockEvicted if the new block's
  // old content was cached, BlockCopied.
  Copy copyOnWrite(SequenceId sequence, BlockTable& table, int index);

  // The child holds its parent's blocks, or the first of them, as well. Requires an empty table. Publishes
  // BlockShared.
  void share(std::span<const BlockId> parent, SequenceId child, BlockTable& table);

  // Removes the block at `index` from the table; the blocks behind it move up. Publishes ContextEvicted with
  // the position of the block's first token and its attention score.
  void evict(SequenceId sequence, BlockTable& table, int index, int firstPosition, double score);

  // Releases all but the first `kept` blocks of the table, from its end. Publishes BlockFreed. Returns how
  // many blocks became free.
  int release(SequenceId sequence, BlockTable& table, int kept = 0);

  // Registers a full block whose KV is computed, and returns the link that its successors continue. When
  // another block already has an entry for these tokens, this one gets none, and the chain continues from the
  // other. A chain whose parent was evicted could never be found, so it is not continued. `owner` is the
  // request that computed the block. Publishes BlockCached for a new entry.
  PrefixLink registerBlock(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens,
                           BlockId block, RequestId owner = 0);

 private:
  int releaseOne(BlockId block);
  BlockId takeFree();

  const int m_blockSize;
  bool m_prefixCache;
  EventStream& m_events;
  BlockPool m_pool;
  const PrefixIndex::Hash m_hash;
  std::unique_ptr<PrefixIndex> m_index;  // without room for an entry until the prefix cache is first on
  EvictionMemory m_evictions;
  std::vector<RequestId> m_owners;  // of each cached block
  int m_freeCached = 0;
  std::uint64_t m_changes = 1;  // of an entry that goes, or of a cached block that becomes free or held
};

}  // namespace vitrine

#include "cache/kv_blocks.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

KvBlocks::KvBlocks(int numBlocks, int blockSize, bool prefixCache, EventStream& events,
                   PrefixIndex::Hash hash)
    : m_blockSize(blockSize), m_prefixCache(prefixCache), m_events(events), m_pool(numBlocks), m_index(hash) {
  VITRINE_CHECK(blockSize >= 1);
}

void KvBlocks::lookUp(std::span<const TokenId> tokens, std::uint64_t salt, PrefixHits& hits) const {
  hits.blocks.clear();
  hits.freeBlocks = 0;
  hits.last = PrefixLink{};
  if (!m_prefixCache || tokens.empty()) return;
  const std::size_t size = static_cast<std::size_t>(m_blockSize);
  const std::size_t most = (tokens.size() - 1) / size;
  for (std::size_t i = 0; i < most; ++i) {
    const PrefixIndex::Entry* entry = m_index.find(hits.last, salt, tokens.subspan(i * size, size));
    if (entry == nullptr) return;
    hits.blocks.push_back(entry->block);
    hits.last = entry->link;
    if (m_pool.refCount(entry->block) == 0) ++hits.freeBlocks;
  }
}

void KvBlocks::takeHits(SequenceId sequence, const PrefixHits& hits, BlockTable& table) {
  VITRINE_CHECK(table.empty());
  table.reserve(hits.blocks.size());
  for (BlockId block : hits.blocks) {
    if (m_pool.refCount(block) == 0) --m_freeCached;
    m_pool.retain(block);
    table.push_back(block);
    m_events.publish(BlockHit{block, sequence, static_cast<int>(table.size()) - 1, m_pool.refCount(block),
                              m_index.ofBlock(block)->link.hash});
  }
}

BlockId KvBlocks::takeFree() {
  const BlockId block = m_pool.take();
  if (const PrefixIndex::Entry* entry = m_index.ofBlock(block)) {
    m_events.publish(BlockEvicted{block, entry->link.hash});
    m_index.erase(block);
    --m_freeCached;
  }
  return block;
}

void KvBlocks::allocate(SequenceId sequence, BlockTable& table) {
  if (table.size() == table.capacity()) table.reserve(std::max<std::size_t>(8, 2 * table.size()));
  table.push_back(takeFree());
  m_events.publish(BlockAllocated{table.back(), sequence, static_cast<int>(table.size()) - 1});
}

KvBlocks::Copy KvBlocks::copyOnWrite(SequenceId sequence, BlockTable& table, int index) {
  BlockId& place = table[static_cast<std::size_t>(index)];
  VITRINE_CHECK(isShared(place));
  const Copy copy{place, takeFree()};
  m_pool.release(copy.from, BlockPool::Place::kBack);  // the others still hold it
  place = copy.to;
  m_events.publish(BlockCopied{copy.from, copy.to, sequence, index});
  return copy;
}

void KvBlocks::share(std::span<const BlockId> parent, SequenceId child, BlockTable& table) {
  VITRINE_CHECK(table.empty());
  table.reserve(parent.size());
  for (BlockId block : parent) {
    m_pool.retain(block);
    table.push_back(block);
    m_events.publish(BlockShared{block, child, static_cast<int>(table.size()) - 1, m_pool.refCount(block)});
  }
}

// One holder less; returns how many are left.
int KvBlocks::releaseOne(BlockId block) {
  const bool cached = m_index.ofBlock(block) != nullptr;
  const int left = m_pool.release(block, cached ? BlockPool::Place::kBack : BlockPool::Place::kFront);
  if (left == 0 && cached) ++m_freeCached;
  return left;
}

void KvBlocks::evict(SequenceId sequence, BlockTable& table, int index, int firstPosition, double score) {
  VITRINE_CHECK(index >= 0 && index < static_cast<int>(table.size()));
  const BlockId block = table[static_cast<std::size_t>(index)];
  table.erase(table.begin() + index);
  const int left = releaseOne(block);
  m_events.publish(ContextEvicted{block, sequence, index, firstPosition, m_blockSize, score, left});
}

int KvBlocks::release(SequenceId sequence, BlockTable& table, int kept) {
  int freed = 0;
  for (; static_cast<int>(table.size()) > kept; table.pop_back()) {
    const int left = releaseOne(table.back());
    freed += left == 0 ? 1 : 0;
    m_events.publish(BlockFreed{table.back(), sequence, left});
  }
  return freed;
}

PrefixLink KvBlocks::registerBlock(const PrefixLink& parent, std::uint64_t salt,
                                   std::span<const TokenId> tokens, BlockId block) {
  VITRINE_CHECK(static_cast<int>(tokens.size()) == m_blockSize && m_pool.refCount(block) > 0);
  if (!m_prefixCache) return parent;
  if (const PrefixIndex::Entry* own = m_index.ofBlock(block))
    return own->link;  // a forked sibling registered it first
  if (const PrefixIndex::Entry* other = m_index.find(parent, salt, tokens)) return other->link;
  if (!m_index.contains(parent)) return parent;
  const PrefixIndex::Entry& entry = m_index.insert(parent, salt, tokens, block);
  m_events.publish(BlockCached{block, entry.link.hash, parent.hash});
  return entry.link;
}

}  // namespace vitrine

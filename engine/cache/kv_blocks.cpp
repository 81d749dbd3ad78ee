#include "cache/kv_blocks.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

KvBlocks::KvBlocks(int numBlocks, int blockSize, bool prefixCache, EventStream& events,
                   PrefixIndex::Hash hash)
    : m_blockSize(blockSize),
      m_prefixCache(prefixCache),
      m_events(events),
      m_pool(numBlocks),
      m_hash(hash),
      m_index(std::make_unique<PrefixIndex>(prefixCache ? numBlocks : 0, blockSize, hash)),
      m_owners(prefixCache ? static_cast<std::size_t>(numBlocks) : 0) {
  VITRINE_CHECK(blockSize >= 1);
}

void KvBlocks::usePrefixCache(bool on) {
  if (on && m_owners.empty()) {
    m_index = std::make_unique<PrefixIndex>(m_pool.totalCount(), m_blockSize, m_hash);
    m_owners.resize(static_cast<std::size_t>(m_pool.totalCount()));
  }
  m_prefixCache = on;
  ++m_changes;
}

// A hit stays one for as long as its entry stands: entry ids are never reused, and an entry's parent, salt
// and tokens never change.
void KvBlocks::lookUp(std::span<const TokenId> tokens, std::uint64_t salt, PrefixHits& hits) const {
  if (!m_prefixCache || tokens.empty()) return hits.clear();
  if (hits.changes != m_changes) {
    const auto lost = [&](const PrefixLink& link) { return !m_index->contains(link); };
    hits.links.erase(std::ranges::find_if(hits.links, lost), hits.links.end());
    hits.freeBlocks = static_cast<int>(std::ranges::count_if(
        hits.links, [&](const PrefixLink& link) { return m_pool.refCount(link.block) == 0; }));
    hits.changes = m_changes;
  }
  const std::size_t size = static_cast<std::size_t>(m_blockSize);
  // [why:prefix-hit]
  const std::size_t most = (tokens.size() - 1) / size;
  while (hits.links.size() < most) {
    const PrefixIndex::Entry* entry =
        m_index->find(hits.last(), salt, tokens.subspan(hits.links.size() * size, size));
    if (entry == nullptr) return;
    hits.links.push_back(entry->link);
    if (m_pool.refCount(entry->link.block) == 0) ++hits.freeBlocks;
  }
  // [/why:prefix-hit]
}

void KvBlocks::takeHits(SequenceId sequence, const PrefixHits& hits, BlockTable& table) {
  VITRINE_CHECK(table.empty());
  table.reserve(hits.links.size());
  for (const PrefixLink& link : hits.links) {
    if (m_pool.refCount(link.block) == 0) --m_freeCached, ++m_changes;
    m_pool.retain(link.block);
    table.push_back(link.block);
    m_events.publish(BlockHit{link.block, sequence, static_cast<int>(table.size()) - 1,
                              m_pool.refCount(link.block), link.hash});
  }
}

std::optional<PrefixMissed> KvBlocks::explainMiss(SequenceId sequence, std::span<const TokenId> prompt,
                                                  std::uint64_t salt, const PrefixHits& hits) const {
  if (!m_prefixCache) return std::nullopt;
  const PrefixMiss miss = vitrine::explainMiss(prompt, salt, hits.links, *m_index, m_evictions);
  const bool differs = miss.cause == PrefixMiss::Cause::kDiffers;
  if (!differs && miss.cause != PrefixMiss::Cause::kEvicted) return std::nullopt;
  return PrefixMissed{sequence,
                      differs ? MissCause::kDiffers : MissCause::kEvicted,
                      differs ? m_owners[static_cast<std::size_t>(miss.block)] : miss.evictedOwner,
                      miss.matchedTokens,
                      miss.recomputedTokens,
                      miss.differsAt,
                      miss.ours,
                      miss.theirs,
                      miss.evictedStep};
}

BlockId KvBlocks::takeFree() {
  // [why:index-eviction]
  const BlockId block = m_pool.take();
  if (const PrefixIndex::Entry* entry = m_index->ofBlock(block)) {
    m_events.publish(BlockEvicted{block, entry->link.hash});
    m_evictions.add(
        {entry->link.hash, entry->salt, m_events.step(), m_owners[static_cast<std::size_t>(block)]});
    m_index->erase(block);
    --m_freeCached, ++m_changes;
  }
  return block;
  // [/why:index-eviction]
}

void KvBlocks::allocate(SequenceId sequence, BlockTable& table) {
  if (table.size() == table.capacity()) table.reserve(std::max<std::size_t>(8, 2 * table.size()));
  table.push_back(takeFree());
  m_events.publish(BlockAllocated{table.back(), sequence, static_cast<int>(table.size()) - 1});
}

KvBlocks::Copy KvBlocks::copyOnWrite(SequenceId sequence, BlockTable& table, int index) {
  // [why:copy-on-write]
  BlockId& entry = table[static_cast<std::size_t>(index)];
  VITRINE_CHECK(isShared(entry));
  const Copy copy{entry, takeFree()};
  m_pool.release(copy.from, BlockPool::End::kBack);  // other sequences still hold it
  entry = copy.to;
  m_events.publish(BlockCopied{copy.from, copy.to, sequence, index});
  return copy;
  // [/why:copy-on-write]
}

void KvBlocks::share(std::span<const BlockId> parent, SequenceId child, BlockTable& table) {
  VITRINE_CHECK(table.empty());
  table.reserve(parent.size());
  // [why:share]
  for (BlockId block : parent) {
    m_pool.retain(block);
    table.push_back(block);
    m_events.publish(BlockShared{block, child, static_cast<int>(table.size()) - 1, m_pool.refCount(block)});
  }
  // [/why:share]
}

// Returns how many holders are left.
int KvBlocks::releaseOne(BlockId block) {
  // [why:release]
  const bool cached = m_index->ofBlock(block) != nullptr;
  const int left = m_pool.release(block, cached ? BlockPool::End::kBack : BlockPool::End::kFront);
  if (left == 0 && cached) ++m_freeCached, ++m_changes;
  return left;
  // [/why:release]
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
                                   std::span<const TokenId> tokens, BlockId block, RequestId owner) {
  VITRINE_CHECK(static_cast<int>(tokens.size()) == m_blockSize && m_pool.refCount(block) > 0);
  // [why:register]
  if (!m_prefixCache) return parent;
  if (const PrefixIndex::Entry* own = m_index->ofBlock(block))
    return own->link;  // a forked sibling registered it before
  if (!m_index->contains(parent)) {
    const PrefixIndex::Entry* const orphan = m_index->find(parent, salt, tokens);
    return orphan != nullptr ? orphan->link : parent;
  }
  const PrefixIndex::Entry& entry = m_index->insert(parent, salt, tokens, block);
  if (entry.link.block != block) return entry.link;
  m_owners[static_cast<std::size_t>(block)] = owner;
  m_events.publish(BlockCached{block, entry.link.hash, parent.hash});
  return entry.link;
  // [/why:register]
}

}  // namespace vitrine

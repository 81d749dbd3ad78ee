#include "runtime/kv_rebuild.h"

#include <algorithm>

namespace vitrine {

KvRebuild::KvRebuild(ModelRunner& runner, const KvBlocks& blocks, int chunk)
    : m_runner(runner),
      m_blocks(blocks),
      m_chunk(static_cast<std::size_t>(chunk)),
      m_blockSize(static_cast<std::size_t>(blocks.blockSize())),
      m_filled(static_cast<std::size_t>(blocks.pool().totalCount())),
      m_missing(m_filled.size()) {}

// A sequence that has not swapped all its blocks in has a table of the first ones alone. Shared blocks are
// the first ones of a table, so what is computed already is skipped at its beginning.
void KvRebuild::compute(const Sequence& sequence, const Report& report) {
  const BlockTable& table = sequence.blockTable;
  const std::size_t computed =
      std::min(static_cast<std::size_t>(sequence.computedTokens), table.size() * m_blockSize);
  const std::size_t blocks = (computed + m_blockSize - 1) / m_blockSize;
  const auto wanted = [&](std::size_t i) {
    return static_cast<int>(std::min(m_blockSize, computed - i * m_blockSize));
  };
  std::size_t first = 0;
  while (first < blocks && m_filled[static_cast<std::size_t>(table[first])] >= wanted(first)) ++first;
  compute(std::span(sequence.tokens).first(computed), table, first, report);
  for (std::size_t i = first; i < blocks; ++i) {
    int& filled = m_filled[static_cast<std::size_t>(table[i])];
    filled = std::max(filled, wanted(i));
  }
}

void KvRebuild::compute(std::span<const TokenId> tokens, std::span<const BlockId> table,
                        std::size_t firstBlock, const Report& report) {
  for (std::size_t at = firstBlock * m_blockSize; at < tokens.size(); at += m_chunk) {
    const std::size_t size = std::min(m_chunk, tokens.size() - at);
    m_runner.fillKv(tokens.subspan(at, size), static_cast<int>(at), table);
    m_tokens += static_cast<std::int64_t>(size);
    if (report) report(m_tokens);
  }
}

// In a cache of its own, since the pool may have no block to spare.
void KvRebuild::computeSwapped(const Sequence& sequence, Swap& swap, const Report& report) {
  const auto content = swap.space.contentOf(sequence.id);
  if (content.empty()) return;
  const auto computed = std::span(sequence.tokens).first(static_cast<std::size_t>(sequence.computedTokens));
  const std::unique_ptr<KvCache> cache = m_runner.kvOf(computed, static_cast<int>(m_chunk));
  for (const SwappedBlock& one : content)
    swap.store.put({sequence.id, one.index}, {one.tier, one.slot}, *cache, one.index);
  m_tokens += static_cast<std::int64_t>(computed.size());
  if (report) report(m_tokens);
}

void KvRebuild::noteCached() {
  for (BlockId block = 0; block < m_blocks.pool().totalCount(); ++block) {
    const PrefixIndex::Entry* const entry = m_blocks.index().ofBlock(block);
    const auto i = static_cast<std::size_t>(block);
    m_missing[i] = entry != nullptr && m_filled[i] == 0 ? entry->link.id : 0;
  }
}

bool KvRebuild::isMissing(BlockId block) const {
  const std::uint64_t id = m_missing[static_cast<std::size_t>(block)];
  if (id == 0) return false;
  const PrefixIndex::Entry* const entry = m_blocks.index().ofBlock(block);
  return entry != nullptr && entry->link.id == id;
}

// Hits are the first blocks of a table, and full.
void KvRebuild::computeHits(const Sequence& sequence) {
  const std::size_t hits =
      std::min(static_cast<std::size_t>(sequence.cachedTokens) / m_blockSize, sequence.blockTable.size());
  const std::span<const BlockId> table = std::span(sequence.blockTable).first(hits);
  const auto isLost = [this](BlockId block) { return isMissing(block); };
  const auto first = std::ranges::find_if(table, isLost);
  if (first == table.end()) return;
  const auto last = std::find_if(table.rbegin(), table.rend(), isLost);
  const auto end = static_cast<std::size_t>(last.base() - table.begin());
  compute(std::span(sequence.tokens).first(end * m_blockSize), table,
          static_cast<std::size_t>(first - table.begin()), {});
  for (const BlockId block : table.first(end)) m_missing[static_cast<std::size_t>(block)] = 0;
}

}  // namespace vitrine

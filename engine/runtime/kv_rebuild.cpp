#include "runtime/kv_rebuild.h"

#include <algorithm>

namespace vitrine {

KvRebuild::KvRebuild(ModelRunner& runner, const KvBlocks& blocks, int chunk, const Report& report)
    : m_runner(runner),
      m_blocks(blocks),
      m_chunk(static_cast<std::size_t>(chunk)),
      m_blockSize(static_cast<std::size_t>(blocks.blockSize())),
      m_report(report),
      m_filled(static_cast<std::size_t>(blocks.pool().totalCount())) {}

void KvRebuild::count(std::size_t tokens) {
  m_tokens += static_cast<std::int64_t>(tokens);
  m_report(m_tokens);
}

// A sequence that has not swapped all its blocks in has a table of the first ones alone.
void KvRebuild::compute(const Sequence& sequence) {
  const std::size_t held = sequence.blockTable.size() * m_blockSize;
  const std::size_t computed = std::min(static_cast<std::size_t>(sequence.computedTokens), held);
  compute(std::span(sequence.tokens).first(computed), sequence.blockTable);
}

// Shared blocks are the first ones of a table, so what is computed already is skipped at its beginning.
void KvRebuild::compute(std::span<const TokenId> tokens, std::span<const BlockId> table) {
  const auto wanted = [&](std::size_t i) {
    return static_cast<int>(std::min(m_blockSize, tokens.size() - i * m_blockSize));
  };
  const std::size_t blocks = (tokens.size() + m_blockSize - 1) / m_blockSize;
  std::size_t first = 0;
  while (first < blocks && m_filled[static_cast<std::size_t>(table[first])] >= wanted(first)) ++first;
  for (std::size_t at = first * m_blockSize; at < tokens.size(); at += m_chunk) {
    const std::size_t size = std::min(m_chunk, tokens.size() - at);
    m_runner.fillKv(tokens.subspan(at, size), static_cast<int>(at), table);
    count(size);
  }
  for (std::size_t i = first; i < blocks; ++i) {
    int& filled = m_filled[static_cast<std::size_t>(table[i])];
    filled = std::max(filled, wanted(i));
  }
}

KvRebuild::Chain KvRebuild::chainOf(const PrefixIndex::Entry& end) const {
  const PrefixIndex& index = m_blocks.index();
  std::vector<const PrefixIndex::Entry*> entries = {&end};
  while (entries.back()->parent.id != 0) {
    const PrefixLink& parent = entries.back()->parent;
    if (!index.contains(parent)) return {};
    entries.push_back(index.ofBlock(parent.block));
  }
  Chain chain;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    chain.tokens.insert(chain.tokens.end(), (*entry)->tokens.begin(), (*entry)->tokens.end());
    chain.table.push_back((*entry)->link.block);
  }
  return chain;
}

void KvRebuild::computeCached() {
  std::vector<Chain> chains;
  for (BlockId block = 0; block < m_blocks.pool().totalCount(); ++block) {
    const PrefixIndex::Entry* const entry = m_blocks.index().ofBlock(block);
    if (entry == nullptr || m_filled[static_cast<std::size_t>(block)] > 0) continue;
    chains.push_back(chainOf(*entry));
  }
  std::ranges::stable_sort(chains, std::ranges::greater(),
                           [](const Chain& chain) { return chain.table.size(); });
  for (const Chain& chain : chains) compute(chain.tokens, chain.table);
}

// In a cache of its own, since the pool may have no block to spare.
void KvRebuild::computeSwapped(const Sequence& sequence, Swap& swap) {
  const auto content = swap.space.contentOf(sequence.id);
  if (content.empty()) return;
  const auto computed = std::span(sequence.tokens).first(static_cast<std::size_t>(sequence.computedTokens));
  const std::unique_ptr<KvCache> cache = m_runner.kvOf(computed, static_cast<int>(m_chunk));
  for (const SwappedBlock& one : content)
    swap.store.put({sequence.id, one.index}, {one.tier, one.slot}, *cache, one.index);
  count(computed.size());
}

}  // namespace vitrine

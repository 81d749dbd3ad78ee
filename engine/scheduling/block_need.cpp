#include "scheduling/block_need.h"

#include <algorithm>

namespace vitrine {

int BlockNeed::promised(const Sequence& sequence) const {
  const int missing = toHold(sequence.totalTokens()) - static_cast<int>(sequence.blockTable.size());
  return missing + (writesSharedTail(sequence) ? 1 : 0) + absentBlocks(sequence);
}

int BlockNeed::toAdmit(const Sequence& sequence, const PrefixHits& hits) const {
  const int evictedAtOnce = hits.blocks() == m_state.options.eviction.mostBlocks() ? 1 : 0;
  return toHold(sequence.totalTokens()) - hits.blocks() + evictedAtOnce + absentBlocks(sequence);
}

// The computed tokens of a waiting sequence are above 0 only when they were swapped out. The blocks for them
// count as needed like all others.
int BlockNeed::tokensToAdmit(const Sequence& sequence, const PrefixHits& hits) const {
  if (m_state.options.chunkedPrefill) return 1;
  const int hitTokens = hits.blocks() * m_state.options.blockSize;
  return sequence.totalTokens() - std::max(hitTokens, sequence.computedTokens);
}

bool BlockNeed::writesSharedTail(const Sequence& sequence) const {
  const int size = m_state.options.blockSize;
  if (!sequence.forked || sequence.residentTokens() % size == 0) return false;
  const auto tail = static_cast<std::size_t>(sequence.residentTokens() / size);
  if (tail >= sequence.blockTable.size()) return false;  // its own once it is swapped in
  return m_state.blocks.isShared(sequence.blockTable[tail]);
}

int BlockNeed::sharedBlocks(const Sequence& first, const Sequence& sibling) const {
  const auto [end, other] = std::ranges::mismatch(first.tokens, sibling.tokens);
  const int common = static_cast<int>(end - first.tokens.begin());
  return std::min(common, sibling.totalTokens() - 1) / m_state.options.blockSize;
}

// Blocks that the waiting siblings of a search's first sequence will need in addition; 0 for any other
// sequence.
int BlockNeed::absentBlocks(const Sequence& first) const {
  int blocks = 0;
  if (first.beams == 1 || first.index > 0) return blocks;
  for (auto next = m_state.waiting.behind(first); next != m_state.waiting.end(); ++next) {
    const Sequence& sibling = **next;
    if (sibling.request != first.request) break;
    blocks += m_state.blocks.blocksFor(sibling.totalTokens()) - sharedBlocks(first, sibling);
  }
  return blocks;
}

}  // namespace vitrine

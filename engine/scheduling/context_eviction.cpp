#include "scheduling/context_eviction.h"

#include <algorithm>

namespace vitrine {
namespace {

// The attention that one block received, summed over all layers and heads.
double scoreOf(const Sequence& sequence, int index, int width) {
  double score = 0;
  for (std::size_t at = static_cast<std::size_t>(index); at < sequence.attentionScores.size();
       at += static_cast<std::size_t>(width))
    score += double{sequence.attentionScores[at]};
  return score;
}

// The blocks behind move up, as in the table.
void removeBlock(std::vector<float>& scores, int index, int width) {
  for (auto row = scores.begin(); row != scores.end(); row += width) {
    std::copy(row + index + 1, row + width, row + index);
    row[width - 1] = 0;
  }
}

}  // namespace

void ContextEviction::evictIfFull(Sequence& sequence) {
  if (sequence.residentTokens() == m_state.options.eviction.capacity()) evictFrom(sequence);
}

void ContextEviction::evictWhereFull() {
  if (!m_state.options.eviction.isOn()) return;
  for (Sequence* sequence : m_state.running) evictIfFull(*sequence);
}

// Evicts, of the blocks between sinks and window, the one that received the least attention; of two equal
// ones the older. Without heavy hitters there is only one such block.
void ContextEviction::evictFrom(Sequence& sequence) {
  const EvictionRule& rule = m_state.options.eviction;
  const int size = m_state.options.blockSize, width = rule.mostBlocks();
  // [why:context-eviction]
  int index = rule.sinkBlocks;
  double least = scoreOf(sequence, index, width);
  for (int other = index + 1; other <= rule.sinkBlocks + rule.heavyBlocks; ++other) {
    const double score = scoreOf(sequence, other, width);
    if (score < least) index = other, least = score;
  }
  // [/why:context-eviction]
  if (sequence.evictedTokens == 0)
    for (int i = 0; i < static_cast<int>(sequence.blockTable.size()); ++i)
      sequence.blockStarts.push_back(i * size);
  m_state.blocks.evict(sequence.id, sequence.blockTable, index,
                       sequence.blockStarts[static_cast<std::size_t>(index)], least);
  sequence.blockStarts.erase(sequence.blockStarts.begin() + index);
  removeBlock(sequence.attentionScores, index, width);
  sequence.evictedTokens += size;
}

}  // namespace vitrine

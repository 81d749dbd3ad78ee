// Giving up a block of a context that has grown to its capacity (eviction_rule.h).
#include <algorithm>

#include "scheduling/scheduler.h"

namespace vitrine {

namespace {

// What one block got from every layer and head together.
double scoreOf(const Sequence& sequence, int index, int width) {
  double score = 0;
  for (std::size_t at = static_cast<std::size_t>(index); at < sequence.attentionScores.size();
       at += static_cast<std::size_t>(width))
    score += double{sequence.attentionScores[at]};
  return score;
}

// The others close ranks, as in the table.
void removeBlock(std::vector<float>& mass, int index, int width) {
  for (auto row = mass.begin(); row != mass.end(); row += width) {
    std::copy(row + index + 1, row + width, row + index);
    row[width - 1] = 0;
  }
}

}  // namespace

// Evicts, of the blocks between sinks and window, the one that received the least attention; of two equal
// ones the older. Without heavy hitters there is only one such block.
void Scheduler::evictFrom(Sequence& sequence) {
  const EvictionRule& rule = m_options.eviction;
  const int size = m_options.blockSize, width = rule.mostBlocks();
  int index = rule.sinkBlocks;
  double least = scoreOf(sequence, index, width);
  for (int other = index + 1; other <= rule.sinkBlocks + rule.heavyBlocks; ++other) {
    const double score = scoreOf(sequence, other, width);
    if (score < least) index = other, least = score;
  }
  if (sequence.evictedTokens == 0)
    for (int i = 0; i < static_cast<int>(sequence.blockTable.size()); ++i)
      sequence.blockStarts.push_back(i * size);
  m_blocks.evict(sequence.id, sequence.blockTable, index,
                 sequence.blockStarts[static_cast<std::size_t>(index)], least);
  sequence.blockStarts.erase(sequence.blockStarts.begin() + index);
  removeBlock(sequence.attentionScores, index, width);
  sequence.evictedTokens += size;
}

// What a sequence holds at most while it computes so many tokens.
int Scheduler::blocksToHold(int tokens) const {
  return std::min(m_blocks.blocksFor(tokens), m_options.eviction.mostBlocks());
}

void Scheduler::evictContext() {
  for (Sequence* sequence : m_running)
    if (sequence->residentTokens() == m_options.eviction.capacity()) evictFrom(*sequence);
}

}  // namespace vitrine

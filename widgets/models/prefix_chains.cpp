#include "widgets/models/prefix_chains.h"

#include <algorithm>

namespace vitrine {

void PrefixChains::note(const Event& event) {
  if (const auto* cached = bodyOf<BlockCached>(event)) m_parents[cached->hash] = cached->parentHash;
}

std::uint64_t PrefixChains::parentOf(std::uint64_t hash) const {
  const auto found = m_parents.find(hash);
  return found == m_parents.end() ? 0 : found->second;
}

BlockChain PrefixChains::chainOf(BlockId block, SequenceId owner, const MachineState& state) const {
  if (const auto held = state.sequences.find(owner); held != state.sequences.end()) {
    const std::vector<BlockId>& table = held->second.blockTable;
    if (const auto at = std::ranges::find(table, block); at != table.end())
      return {{table.begin(), at + 1}, held->second.evictedTokens == 0};
  }
  BlockChain chain{{block}};
  const BlockState& last = state.blocks.at(static_cast<std::size_t>(block));
  if (!last.cached) return chain;
  std::unordered_map<std::uint64_t, BlockId> blockOf;
  for (std::size_t i = 0; i < state.blocks.size(); ++i)
    if (state.blocks[i].cached) blockOf.emplace(state.blocks[i].hash, static_cast<BlockId>(i));
  std::uint64_t hash = last.hash;
  while (knows(hash) && chain.blocks.size() < state.blocks.size()) {
    hash = parentOf(hash);
    const auto found = blockOf.find(hash);
    if (found == blockOf.end()) break;
    chain.blocks.push_back(found->second);
  }
  chain.whole = hash == 0;
  std::ranges::reverse(chain.blocks);
  return chain;
}

}  // namespace vitrine

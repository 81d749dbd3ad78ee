#include "widgets/session/prefix_chains.h"

#include <algorithm>

namespace vitrine {

void PrefixChains::clear() {
  const std::int64_t changes = m_changes + 1;
  *this = {};
  m_changes = changes;
}

void PrefixChains::note(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) m_blockSize = loaded->options.blockSize;
  std::visit([this](const auto& body) { take(unboxed(body)); }, event.body);
}

const PrefixOrigin* PrefixChains::originOf(std::uint64_t hash) const {
  const auto found = m_origins.find(hash);
  return found == m_origins.end() ? nullptr : &found->second;
}

std::uint64_t PrefixChains::parentOf(std::uint64_t hash) const {
  const PrefixOrigin* const origin = originOf(hash);
  return origin == nullptr ? 0 : origin->parent;
}

PrefixChains::Held& PrefixChains::held(BlockId block) {
  const auto at = static_cast<std::size_t>(std::max(0, block));
  if (at >= m_held.size()) m_held.resize(at + 1);
  return m_held[at];
}

void PrefixChains::take(const RequestSubmitted& e) {
  if (e.asked.searches()) m_beams[e.firstSequence] = static_cast<int>(e.asked.tokenIds.size());
}

void PrefixChains::take(const SequenceForked& e) {
  if (const auto parent = m_beams.find(e.parent); parent != m_beams.end()) m_beams[e.child] = parent->second;
}

void PrefixChains::take(const BlockAllocated& e) {
  held(e.block).by.assign(1, e.sequence);
  held(e.block).index = e.index;
}

void PrefixChains::take(const BlockCopied& e) {
  leave(e.from, e.sequence);
  held(e.to).by.assign(1, e.sequence);
  held(e.to).index = e.index;
}

// What a beam has written is replaced with the tokens of another beam when its own way ends.
bool PrefixChains::hasLastingTokens(SequenceId sequence, int end) const {
  const auto beam = m_beams.find(sequence);
  return beam == m_beams.end() || end <= beam->second;
}

void PrefixChains::add(std::uint64_t hash, std::uint64_t parent, BlockId block) {
  const auto serial = static_cast<int>(m_origins.size());
  const auto [place, isNew] = m_origins.try_emplace(hash, PrefixOrigin{parent, 0, 0, serial});
  const Held& now = held(block);
  if (!isNew && place->second.sequence != 0) return;
  place->second.parent = parent;
  place->second.index = now.index;
  for (const SequenceId sequence : now.by)
    if (hasLastingTokens(sequence, (now.index + 1) * m_blockSize)) place->second.sequence = sequence;
}

// A late joiner knows the chains that sequences hold.
void PrefixChains::take(const Snapshot& e) {
  const MachineState& state = *e.state;
  ++m_changes;
  m_blockSize = state.blockSize;
  for (const auto& [id, request] : state.requests)
    for (const SequenceId sequence : request.sequences)
      if (const auto found = state.sequences.find(sequence);
          request.searches() && found != state.sequences.end())
        m_beams[sequence] = found->second.promptTokens;
  for (const auto& [id, sequence] : state.sequences) {
    for (std::size_t i = 0; i < sequence.blockTable.size(); ++i) {
      join(sequence.blockTable[i], id);
      held(sequence.blockTable[i]).index = static_cast<int>(i);
    }
    std::uint64_t parent = 0;
    for (const BlockId block : sequence.blockTable) {
      const BlockState& one = state.blocks.at(static_cast<std::size_t>(block));
      if (!one.cached || sequence.evictedTokens > 0) break;  // what follows continues another block
      add(one.hash, parent, block);
      parent = one.hash;
    }
  }
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

// A chain is the sequence's own if its tokens begin like the sequence's. The blocks of a prefix may have been
// evicted from its end only, so those that are there follow one another.
int PrefixChains::cachedBlocksOf(const SequenceState& sequence, const MachineState& state) const {
  if (m_blockSize <= 0) return 0;
  std::unordered_map<SequenceId, int> shared;  // full blocks at the beginning that both have
  const auto sharedWith = [&](SequenceId other) {
    const auto [place, isNew] = shared.try_emplace(other, 0);
    if (const auto found = state.sequences.find(other); isNew && found != state.sequences.end()) {
      const auto [mine, theirs] = std::ranges::mismatch(sequence.tokens, found->second.tokens);
      place->second = static_cast<int>(mine - sequence.tokens.begin()) / m_blockSize;
    }
    return place->second;
  };
  int count = 0;
  for (const BlockState& block : state.blocks) {
    const PrefixOrigin* const origin = block.cached ? originOf(block.hash) : nullptr;
    if (origin != nullptr && origin->sequence != 0 && origin->index < sharedWith(origin->sequence)) ++count;
  }
  return count;
}

}  // namespace vitrine

// PrefixChains: which block's prefix a cached block continues. The hash of a block says which chain of tokens
// it ends, and BlockCached names the hash of the chain without its last block, so the pair holds at every
// step of the run: 16 bytes for each different block that was ever registered. Thread: the window's.
#pragma once

#include <unordered_map>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

// The blocks of a prefix, the first one first, the asked one last.
struct BlockChain {
  std::vector<BlockId> blocks;
  bool whole = true;  // it reaches the prompt's beginning; else what is before the first block was evicted

  bool operator==(const BlockChain&) const = default;
};

class PrefixChains {
 public:
  void clear() { m_parents.clear(); }
  void note(const Event& event);

  // The hash of the chain without its last block: 0 for the first block of a prompt, and for an unknown hash.
  std::uint64_t parentOf(std::uint64_t hash) const;

  // Of a block that a sequence holds: its table up to the block. Of a free block in the prefix index: along
  // the parents that are still there. Of another one: itself alone. Requires a block of the state; reads all
  // blocks when it follows parents.
  BlockChain chainOf(BlockId block, SequenceId owner, const MachineState& state) const;

 private:
  bool knows(std::uint64_t hash) const { return m_parents.contains(hash); }

  std::unordered_map<std::uint64_t, std::uint64_t> m_parents;  // by hash
};

}  // namespace vitrine

// PrefixChains: which block's prefix a cached block continues, and where its tokens are. The hash of a block
// says which chain of tokens it ends, and BlockCached names the hash of the chain without its last block, so
// the pair holds at every step of the run: 32 bytes for each different block that was ever registered, and
// for each block of the pool the sequences that hold it. Thread: the window's.
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

// Of a block that was registered.
struct PrefixOrigin {
  std::uint64_t parent = 0;  // the hash of the chain without it; 0: it begins a prompt
  SequenceId sequence = 0;   // had its tokens; 0: the tokens are not known
  int index = 0;             // of the block in that sequence's table
  int serial = 0;            // 0, 1, 2, ... in the order in which different blocks were first registered
};

class PrefixChains {
 public:
  void clear();
  void note(const Event& event);

  // Rises with every event after which cachedBlocksOf() may answer otherwise: a block enters the prefix index
  // or leaves it, or the tokens of a request are forgotten.
  std::int64_t changes() const { return m_changes; }

  // Null for a block that was registered before the recording began, when no sequence held its chain then.
  const PrefixOrigin* originOf(std::uint64_t hash) const;

  // The hash of the chain without its last block: 0 for the first block of a prompt, and for an unknown hash.
  std::uint64_t parentOf(std::uint64_t hash) const;

  // Of a block that a sequence holds: its table up to the block. Of a free block in the prefix index: along
  // the parents that are still there. Of another one: itself alone. Requires a block of the state; reads all
  // blocks when it follows parents.
  BlockChain chainOf(BlockId block, SequenceId owner, const MachineState& state) const;

  // Blocks in the prefix index that hold the sequence's tokens from its beginning on, also of other
  // sequences: what another request with the same beginning would find. Only chains count whose tokens a
  // sequence of the state has. Reads all blocks, and the tokens of each sequence that registered one once.
  int cachedBlocksOf(const SequenceState& sequence, const MachineState& state) const;

 private:
  struct Held {
    std::vector<SequenceId> by;
    int index = 0;  // in their tables
  };

  template <typename Body>
  void take(const Body&) {}
  void take(const RequestSubmitted& e);
  void take(const SequenceForked& e);
  void take(const BlockAllocated& e);
  void take(const BlockShared& e) { join(e.block, e.sequence); }
  void take(const BlockHit& e) { join(e.block, e.sequence); }
  void take(const BlockCopied& e);
  void take(const BlockFreed& e) { leave(e.block, e.sequence); }
  void take(const ContextEvicted& e) { leave(e.block, e.sequence); }
  void take(const BlockCached& e) {
    add(e.hash, e.parentHash, e.block);
    ++m_changes;
  }
  void take(const BlockEvicted&) { ++m_changes; }
  void take(const RequestForgotten&) { ++m_changes; }
  void take(const Snapshot& e);

  bool knows(std::uint64_t hash) const { return m_origins.contains(hash); }
  Held& held(BlockId block);
  void join(BlockId block, SequenceId sequence) { held(block).by.push_back(sequence); }
  void leave(BlockId block, SequenceId sequence) { std::erase(held(block).by, sequence); }
  void add(std::uint64_t hash, std::uint64_t parent, BlockId block);
  bool hasLastingTokens(SequenceId sequence, int end) const;

  std::unordered_map<std::uint64_t, PrefixOrigin> m_origins;  // by hash
  std::vector<Held> m_held;                                   // by block
  std::unordered_map<SequenceId, int>
      m_beams;  // prompt tokens of sequences that search; others change theirs
  int m_blockSize = 0;
  std::int64_t m_changes = 0;
};

}  // namespace vitrine

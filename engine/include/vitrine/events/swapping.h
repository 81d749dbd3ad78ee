// Events of swapping: the KV blocks of a preempted sequence move from the pool to host memory; when that is
// full, the blocks that have been there longest move on to a file (three tiers as in FlexGen, arXiv
// 2303.06865). Thread: values. Read next: steps.h.
#pragma once

#include <cstdint>
#include <string>

#include "vitrine/ids.h"

namespace vitrine {

enum class SwapTier : std::uint8_t { kHost, kDisk };
inline constexpr int kSwapTierCount = 2;
enum class SwapMove : std::uint8_t { kOut, kDemote, kIn };  // pool to tier, host to disk, tier to pool

struct BlockSwappedOut {
  BlockId block;
  SequenceId sequence;
  int index;  // in the sequence's block table
  SwapTier tier;
  int slot;  // in the tier
  std::int64_t bytes;
};

struct BlockDemoted {
  SequenceId sequence;
  int index, hostSlot, diskSlot;
  std::int64_t bytes;
};

struct BlockSwappedIn {
  BlockId block;
  SequenceId sequence;
  int index;
  SwapTier tier;
  int slot;
  std::int64_t bytes;
};

// The lost tokens will be computed again. After kOut and kDemote a SequencePreempted follows; after kIn the
// sequence goes on running with the blocks before `index`, and leaves this step's plan.
struct SwapFailed {
  SequenceId sequence;
  SwapMove move;
  SwapTier tier;  // the destination; for kIn the source
  int index;      // of the block that was moved
  int lostTokens;
  std::string code, message, hint;  // of the EngineError
};

struct StepSwapped {  // in each step that moved a block
  int outBlocks, demotedBlocks, inBlocks;
  std::int64_t outBytes, demotedBytes, inBytes, ns;
  int hostBlocks, diskBlocks;  // in use now
};

}  // namespace vitrine

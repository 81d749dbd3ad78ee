// Events of swapping: the KV blocks of a preempted sequence move from the pool to host memory; when that is
// full, the blocks that have been there longest move on to a file (three tiers as in FlexGen, arXiv
// 2303.06865). Thread: values. Read next: steps.h.
#pragma once

#include <cstdint>
#include <string>

#include "vitrine/description.h"
#include "vitrine/ids.h"

namespace vitrine {

enum class SwapTier : std::uint8_t { kHost, kDisk };
VITRINE_NAMES(SwapTier, "host", "disk");
inline constexpr int kSwapTierCount = 2;
enum class SwapMove : std::uint8_t { kOut, kDemote, kIn };  // pool to tier, host to disk, tier to pool
VITRINE_NAMES(SwapMove, "out", "demote", "in");

struct BlockSwappedOut {
  BlockId block = 0;
  SequenceId sequence = 0;
  int index = 0;  // in the sequence's block table
  SwapTier tier = SwapTier::kHost;
  int slot = 0;  // in the tier
  std::int64_t bytes = 0;
};
VITRINE_DECISION(BlockSwappedOut, "block_swapped_out", kBlock, field("block", &T::block),
                 field("sequence", &T::sequence), field("index", &T::index), field("tier", &T::tier),
                 field("slot", &T::slot), field("bytes", &T::bytes));

struct BlockDemoted {
  SequenceId sequence = 0;
  int index = 0, hostSlot = 0, diskSlot = 0;
  std::int64_t bytes = 0;
};
VITRINE_DECISION(BlockDemoted, "block_demoted", kBlock, field("sequence", &T::sequence),
                 field("index", &T::index), field("host_slot", &T::hostSlot),
                 field("disk_slot", &T::diskSlot), field("bytes", &T::bytes));

struct BlockSwappedIn {
  BlockId block = 0;
  SequenceId sequence = 0;
  int index = 0;
  SwapTier tier = SwapTier::kHost;
  int slot = 0;
  std::int64_t bytes = 0;
};
VITRINE_DECISION(BlockSwappedIn, "block_swapped_in", kBlock, field("block", &T::block),
                 field("sequence", &T::sequence), field("index", &T::index), field("tier", &T::tier),
                 field("slot", &T::slot), field("bytes", &T::bytes));

// The lost tokens will be computed again. After kOut and kDemote a SequencePreempted follows; after kIn the
// sequence goes on running with the blocks before `index`, and leaves this step's plan.
struct SwapFailed {
  SequenceId sequence = 0;
  SwapMove move = SwapMove::kOut;
  SwapTier tier = SwapTier::kHost;  // the destination; for kIn the source
  int index = 0;                    // of the block that was moved
  int lostTokens = 0;
  std::string code, message, hint;  // of the EngineError
};
VITRINE_DECISION(SwapFailed, "swap_failed", kSequence, field("sequence", &T::sequence),
                 field("move", &T::move), field("tier", &T::tier), field("index", &T::index),
                 field("lost_tokens", &T::lostTokens), field("code", &T::code), field("message", &T::message),
                 field("hint", &T::hint));

// In each step that moved a block. `ns` is the engine's time; a GPU's copies may still go on.
struct StepSwapped {
  int outBlocks = 0, demotedBlocks = 0, inBlocks = 0;
  std::int64_t outBytes = 0, demotedBytes = 0, inBytes = 0, ns = 0;
  int hostBlocks = 0, diskBlocks = 0;  // in use now
};
VITRINE_REPORT(StepSwapped, "step_swapped", kStep, field("out_blocks", &T::outBlocks),
               field("demoted_blocks", &T::demotedBlocks), field("in_blocks", &T::inBlocks),
               field("out_bytes", &T::outBytes), field("demoted_bytes", &T::demotedBytes),
               field("in_bytes", &T::inBytes), field("ns", &T::ns), field("host_blocks", &T::hostBlocks),
               field("disk_blocks", &T::diskBlocks));

}  // namespace vitrine

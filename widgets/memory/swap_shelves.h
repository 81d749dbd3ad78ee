// SwapShelf: what lies in host memory and on disk at the session's cursor, and which blocks the step shown
// moved between the pool and these tiers (vitrine/events/swapping.h). Thread: the window's.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "widgets/session/session.h"

namespace vitrine {

struct ShelfBlock {
  int slot = 0;
  SequenceId sequence = 0;
  RequestId request = 0;
  int index = 0, filled = 0;  // place in the sequence's block table, tokens
  QString letter;

  bool operator==(const ShelfBlock&) const = default;
};

struct SwapShelf {
  SwapTier tier = SwapTier::kHost;
  int capacity = 0;                // blocks
  std::vector<ShelfBlock> blocks;  // by slot

  bool operator==(const SwapShelf&) const = default;
};

struct BlockMove {
  SwapMove move = SwapMove::kOut;
  BlockId block = -1;  // of the pool; -1 for a demotion
  SwapTier tier = SwapTier::kHost;
  int slot = 0;       // in the tier; for a demotion in the disk tier
  int hostSlot = -1;  // that a demotion leaves
  SequenceId sequence = 0;
  RequestId request = 0;
  int index = 0;
  QString letter;
  std::int64_t number = 0;  // of its event

  bool operator==(const BlockMove&) const = default;
};

// Host first. Reads the sequences that wait or run.
std::array<SwapShelf, kSwapTierCount> swapShelves(const Session& session);
std::vector<BlockMove> blockMoves(const Session& session);       // of the step shown, in order
std::optional<StepSwapped> stepSwapped(const Session& session);  // of the step shown

QString swapTierName(SwapTier tier);                       // "host"
QString describe(const ShelfBlock& block, SwapTier tier);  // a few lines
QString describe(const StepSwapped& swapped);              // "3 blocks out, 288 KB, 0.11 ms"

}  // namespace vitrine

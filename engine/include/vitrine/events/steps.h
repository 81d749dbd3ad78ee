// Events of a step and its phases.
// Thread: values. Read next: sampling.h.
#pragma once

#include <array>
#include <cstdint>

#include "vitrine/ids.h"

namespace vitrine {

enum class Phase : std::uint8_t { kAdmit, kPlan, kAllocate, kForward, kSample, kCommit };
inline constexpr int kPhaseCount = 6;

struct StepStarted {
  int waiting, running;  // sequences
};

struct StepPlanned {
  int decodeTokens, prefillTokens, tokenBudget, sequences;
};

struct PhaseStarted {
  Phase phase;
};

struct StepFinished {
  std::array<std::int64_t, kPhaseCount> phaseNs;
  int tokens, sampled, waiting, running;  // tokens computed, tokens sampled; sequences now
  int freeBlocks, cachedBlocks;           // cachedBlocks: those free blocks that the prefix index still knows
};

struct LayerTap {  // detail
  SequenceId sequence;
  int position, layer;
  float norm;  // L2 norm of the hidden state after the layer
};

}  // namespace vitrine

// Events of a step and its phases.
// Thread: values. Read next: sampling.h.
#pragma once

#include <array>
#include <cstdint>

#include "vitrine/description.h"
#include "vitrine/ids.h"

namespace vitrine {

enum class Phase : std::uint8_t { kAdmit, kPlan, kAllocate, kForward, kSample, kCommit };
VITRINE_NAMES(Phase, "admit", "plan", "allocate", "forward", "sample", "commit");
inline constexpr int kPhaseCount = 6;

struct StepStarted {
  int waiting = 0, running = 0;  // sequences
};
VITRINE_REPORT(StepStarted, "step_started", kStep, field("waiting", &T::waiting),
               field("running", &T::running));

struct StepPlanned {
  int decodeTokens = 0, prefillTokens = 0, tokenBudget = 0, sequences = 0;
};
VITRINE_DECISION(StepPlanned, "step_planned", kStep, field("decode_tokens", &T::decodeTokens),
                 field("prefill_tokens", &T::prefillTokens), field("token_budget", &T::tokenBudget),
                 field("sequences", &T::sequences));

struct PhaseStarted {
  Phase phase = Phase::kAdmit;
};
VITRINE_REPORT(PhaseStarted, "phase_started", kStep, field("phase", &T::phase));

struct StepFinished {
  std::array<std::int64_t, kPhaseCount> phaseNs{};
  int tokens = 0, sampled = 0, waiting = 0, running = 0;  // tokens computed, tokens sampled; sequences now
  int freeBlocks = 0, cachedBlocks = 0;  // cachedBlocks: those free blocks that the prefix index still knows
};
VITRINE_REPORT(StepFinished, "step_finished", kStep, field("phase_ns", &T::phaseNs),
               field("tokens", &T::tokens), field("sampled", &T::sampled), field("waiting", &T::waiting),
               field("running", &T::running), field("free_blocks", &T::freeBlocks),
               field("cached_blocks", &T::cachedBlocks));

struct LayerTap {  // detail
  SequenceId sequence = 0;
  int position = 0, layer = 0;
  float norm = 0;  // L2 norm of the hidden state after the layer
};
VITRINE_DETAIL(LayerTap, "layer_tap", kToken, field("sequence", &T::sequence),
               field("position", &T::position), field("layer", &T::layer), field("norm", &T::norm));

}  // namespace vitrine

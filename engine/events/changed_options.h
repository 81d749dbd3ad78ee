// The options that may change during a run, from the event that has them. Thread: values.
#pragma once

#include "vitrine/events/loading.h"
#include "vitrine/options.h"
#include "vitrine/place_name.h"

namespace vitrine {

// From an EngineLoaded or OptionsChanged, of which a trace has the draft model's name alone. Swapped blocks
// are bytes again; without swapping those stay.
template <typename Body>
void applyChangeable(EngineOptions& options, const Body& event, std::int64_t bytesPerBlock) {
  options.tokenBudget = event.tokenBudget;
  options.prefixCache = event.prefixCache;
  options.policy = event.policy;
  options.agingSteps = event.agingSteps;
  options.preemption = event.preemption;
  if (event.preemption == Preemption::kSwap) {
    options.hostSwapBytes = event.hostSwapBlocks * bytesPerBlock;
    options.diskSwapBytes = event.diskSwapBlocks * bytesPerBlock;
  }
  const std::string loaded = options.speculation.draftModel;
  options.speculation = event.speculation;
  if (placeName(loaded) == placeName(options.speculation.draftModel)) options.speculation.draftModel = loaded;
}

}  // namespace vitrine

// The options of a run from the events that have them. An older trace says the same in another way. Thread:
// values.
#pragma once

#include <algorithm>

#include "vitrine/events/loading.h"
#include "vitrine/option_schema.h"
#include "vitrine/place_name.h"

namespace vitrine {

// For `event`, an EngineLoaded or OptionsChanged: bytes that hold its blocks of each tier, of which an older
// trace has the number alone.
template <typename Body>
void takeSwapBytes(EngineOptions& options, const Body& event, std::int64_t bytesPerBlock) {
  if (options.preemption != Preemption::kSwap || bytesPerBlock <= 0) return;
  const auto take = [bytesPerBlock](std::int64_t& bytes, int blocks) {
    if (std::min<std::int64_t>(bytes / bytesPerBlock, kMaxBlocks) != blocks) bytes = blocks * bytesPerBlock;
  };
  take(options.hostSwapBytes, event.hostSwapBlocks);
  take(options.diskSwapBytes, event.diskSwapBlocks);
}

inline EngineOptions loadedOptions(const EngineLoaded& event) {
  EngineOptions options = event.options;
  takeSwapBytes(options, event, event.bytesPerBlock);
  if (options.eviction == Eviction::kNone && options.windowTokens == 0) {  // older: 0 without eviction
    const EngineOptions usual;
    options.sinkTokens = usual.sinkTokens;
    options.windowTokens = usual.windowTokens;
    options.heavyTokens = usual.heavyTokens;
  }
  return options;
}

// `own` after the event. A trace has no folder of the swap file, and of the draft model the name alone.
inline EngineOptions changedOptions(const EngineOptions& own, const OptionsChanged& event,
                                    std::int64_t bytesPerBlock) {
  EngineOptions options = own;
  takeOptions(options, event.options, OptionScope::kStep);
  takeSwapBytes(options, event, bytesPerBlock);
  options.swapFolder = own.swapFolder;
  const std::string& draftModel = own.speculation.draftModel;
  if (placeName(draftModel) == placeName(options.speculation.draftModel))
    options.speculation.draftModel = draftModel;
  return options;
}

}  // namespace vitrine

// Beam searches as a whole: which one a sequence is a beam of, and whether it is preempted because another
// beam of it is. Internal to event_prose.cpp, headline.cpp and why.cpp. Thread: any.
#pragma once

#include "vitrine/machine_state.h"

namespace vitrine::prose {

// What the first preempted beam was needed for exceeded what was left. The others follow it in any case.
inline bool isPartOfSearch(const SequencePreempted& e) {
  return e.neededBlocks <= e.freeBlocks && e.neededSlots <= e.freeSlots;
}

// The search that the sequence is a beam of; null for any other.
inline const RequestState* searchOf(const MachineState& state, SequenceId id) {
  const auto sequence = state.sequences.find(id);
  if (sequence == state.sequences.end()) return nullptr;
  const auto request = state.requests.find(sequence->second.request);
  return request != state.requests.end() && request->second.searches() ? &request->second : nullptr;
}

}  // namespace vitrine::prose

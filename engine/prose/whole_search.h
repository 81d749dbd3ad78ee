// Whether a sequence is preempted because a beam of its search is. Internal to event_prose.cpp and why.cpp.
// Thread: any.
#pragma once

#include "vitrine/events/preemption.h"

namespace vitrine::prose {

// What the first preempted beam was needed for exceeded what was left. The others follow it in any case.
inline bool isPartOfSearch(const SequencePreempted& e) {
  return e.neededBlocks <= e.freeBlocks && e.neededSlots <= e.freeSlots;
}

}  // namespace vitrine::prose

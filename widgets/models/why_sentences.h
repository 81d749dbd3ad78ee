// Sentences for one step, from its events and the machine after them: numbers in, prose out.
//
// What a reader would count together is one sentence: a sequence's blocks, all evictions, all decodes.
// A pure function. Thread: any. Read next: vitrine/event.h.
#pragma once

#include <span>
#include <vector>

#include "widgets/models/why_model.h"

namespace vitrine {

// `names`: of those that the machine does not know any more.
std::vector<WhyRow> whySentences(std::span<const Event> events, const MachineState& after,
                                 const SequenceNames& names);

}  // namespace vitrine

// What a preemption cost, told in the step in which its sequence is back where it was: when its blocks have
// been swapped in, or when the last of its lost tokens has been computed again.
//
// Thread: any; pure functions. Read next: why.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vitrine/machine_state.h"
#include "vitrine/prose/event_prose.h"

namespace vitrine::prose {

struct PreemptionCost {
  SequenceId sequence = 0;
  Phase phase = Phase::kForward;  // that paid it
  std::string sentence;
};

// `events`: those of one whole step; of its beginning only swaps can be told. `after`: the state that they
// lead to. A sequence that was preempted before its first token is left out: no event of the step says how
// many of its tokens had been computed.
std::vector<PreemptionCost> preemptionCosts(std::span<const Event> events, const MachineState& after,
                                            const Names& names = {}, const Language& language = english());

}  // namespace vitrine::prose

// A number for a machine's state: two views of one step of a run show the same number.
//
// It covers requests, sequences with their tokens, blocks, queues and what is swapped out. Times are left
// out, so a run that is computed again has the numbers of the first, and so are texts, which follow from
// tokens: a window asks for the number with each picture. Thread: any. Read next: machine_state.h.
#pragma once

#include <cstdint>

#include "vitrine/machine_state.h"

namespace vitrine {

std::uint64_t stateDigest(const MachineState& state);

}  // namespace vitrine

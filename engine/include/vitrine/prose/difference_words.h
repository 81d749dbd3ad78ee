// What differs between two steps as rows for a list: of what, which property, its value before and after.
//
// Thread: any; pure functions. Read next: ../state_difference.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/prose/event_prose.h"
#include "vitrine/state_difference.h"

namespace vitrine::prose {

struct DifferenceRow {
  Target target;        // what the row speaks of; empty: the machine as a whole
  std::string subject;  // "A", "Blocks 4-7", "Scheduler"
  std::string what;     // "status", "used by"
  std::string before, after;

  bool operator==(const DifferenceRow&) const = default;
};

// The machine's rows, then each request's with its sequences' behind it, then the blocks'. Requires the
// difference of these two states; `names` must know the sequences of both.
std::vector<DifferenceRow> differenceRows(const StateDifference& difference, const MachineState& before,
                                          const MachineState& after, const Names& names = {},
                                          const Language& language = english());

}  // namespace vitrine::prose

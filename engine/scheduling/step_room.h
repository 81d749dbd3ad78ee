// StepRoom: what Admit may still assign in a step: slots, tokens of the budget, and blocks.
//
// Computed once a step (Admission::roomFor()), and reduced by each sequence that is admitted. Thread: values.
#pragma once

#include <cstdint>

namespace vitrine {

struct StepRoom {
  bool willPreempt = false;        // the running sequences alone need more blocks than are free
  int plannedBlocks = 0;           // that they take in this step
  bool batchInFlight = false;      // when the step began; continuous batching does not look at it
  std::int64_t windowLeftNs = 0;   // of an open batching window
  std::int64_t windowSavedNs = 0;  // of a window that a full batch has closed before its end
  int freeSlots = 0, tokens = 0;
  int promisedBlocks = 0;  // to running sequences, for the tokens that they have
};

}  // namespace vitrine

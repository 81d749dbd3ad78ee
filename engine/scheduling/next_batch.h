// foreseeBatch(): what the step behind the planned one computes if nothing unforeseen happens: the same
// sequences, each one token later.
//
// A GPU begins that forward before this step's tokens are drawn (execution/step_ahead.h), and what was
// foreseen is compared with what the next step really plans; so a wrong foresight costs time and nothing
// else. Inputs: the state, unchanged, between Allocate and Sample. Events: none. Thread: the engine's. Read
// next: execution/step_ahead.h.
#pragma once

#include <vector>

#include "scheduling/scheduling_state.h"
#include "scheduling/step_plan.h"

namespace vitrine {

struct NextWork {
  static constexpr BlockId kNoBlock = -1;
  const Sequence* sequence;
  int work;                     // of the plan: whose token is the one that is computed
  int position;                 // of that token
  BlockId newBlock = kNoBlock;  // that its table has in addition
};

// Fills `next` in the order of the running set. False where it cannot be foreseen, or where its keys and
// values could overwrite some that are still wanted: a block that others hold, or a free one that the prefix
// index still knows.
bool foreseeBatch(const SchedulingState& state, const StepPlan& plan, std::vector<NextWork>& next);

}  // namespace vitrine

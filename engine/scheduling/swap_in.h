// Swapping in: the blocks of resumed sequences come back in Allocate.
//
// Inputs: the state and the plan of this step. The prefix hits taken in Admit are in the table already; the
// other computed blocks come behind them. A sequence whose blocks cannot all be swapped in leaves the plan.
// It goes on running, with blocks promised for all its tokens, so no sequence is preempted for it a second
// time. Events: BlockEvicted, BlockAllocated, BlockSwappedIn; SwapFailed, BlockFreed. Thread: the engine's.
// Read next: cache/swap_space.h.
#pragma once

#include "scheduling/scheduling_state.h"
#include "scheduling/step_plan.h"

namespace vitrine {

// Requires a swap space. Removes from the plan the work that lost its blocks.
void swapIn(SchedulingState& state, StepPlan& plan);

}  // namespace vitrine

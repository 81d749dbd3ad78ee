// Forking: sequences of one request that share the blocks of a common beginning, and diverge by
// copy-on-write.
//
// Inputs: a running parent and a child. Invariant: memory is reserved before anything changes, so a call that
// throws std::bad_alloc has published nothing. Events: SequenceForked or SequenceReplaced, BlockFreed,
// BlockShared. Thread: the engine's. Read next: beam_admission.h.
#pragma once

#include "scheduling/aging.h"

namespace vitrine {

// The child joins the running set behind its request's other sequences, and shares all blocks of its parent.
void fork(SchedulingState& state, Aging& aging, Sequence& parent, Sequence& child);

// The same for a child that runs already: it first releases its own blocks.
void replace(SchedulingState& state, Sequence& parent, Sequence& child);

}  // namespace vitrine

// Preemptor: takes the least important sequences out of the running set, for memory or for a more important
// sequence, and decides what becomes of their KV (vLLM, arXiv 2309.06180, section 4.5).
//
// The blocks of a preempted sequence are released, its tokens stay, and it returns to its position in the
// queue. Once there is room, what it had computed is computed again, or swapped in. The beams of one search
// are neighbours in the running set and are preempted together. Inputs: the state, and the plan or the
// sequence that needs room. Invariant: the least important sequence is preempted first, and its event comes
// before the events of its blocks. Events: what SwapSpace::swapOut() publishes, SequencePreempted,
// BlockFreed. Thread: the engine's. Read next: precedence.h.
#pragma once

#include "scheduling/precedence.h"
#include "scheduling/step_plan.h"

namespace vitrine {

class Preemptor {
 public:
  explicit Preemptor(SchedulingState& state) : m_state(state), m_precedence(state) {}

  // For the first work of the plan that lacks blocks; the sequence preempted may be the very one that lacks
  // them. Requires that the plan needs more blocks than are free.
  void preemptForMemory(const StepPlan& plan);

  // For the first waiting sequence, which lacks slots or blocks alone: the fewest running sequences that rank
  // behind it and are enough, or none. Returns how many were preempted.
  int preemptFor(const Sequence& first, const PrefixHits& hits, const StepRoom& room, const StepPlan& plan);

 private:
  void preemptLast(SequencePreempted fate);
  void chooseFate(const Sequence& victim, SequencePreempted& fate);

  SchedulingState& m_state;
  Precedence m_precedence;
};

}  // namespace vitrine

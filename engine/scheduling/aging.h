// Aging: under the deadline policy, a request that is not due after agingSteps steps counts as due from then
// on.
//
// Inputs: the sequences that were submitted, and engine time. Changes ranks, and with them the order of queue
// and running set. Invariant: a rank falls at most once (precedence.h needs that). Events: SequenceAged.
// Thread: the engine's. Read next: policy.h.
#pragma once

#include <set>

#include "scheduling/scheduling_state.h"

namespace vitrine {

class Aging {
 public:
  explicit Aging(SchedulingState& state) : m_state(state) {}

  void add(Sequence& sequence);              // may throw std::bad_alloc
  void remove(Sequence& sequence) noexcept;  // also one that was not added
  // Lowers the rank of every sequence that has reached its age in this step.
  void apply();

 private:
  struct BySubmission {
    bool operator()(const Sequence* a, const Sequence* b) const {
      return a->submittedStep != b->submittedStep ? a->submittedStep < b->submittedStep : a->id < b->id;
    }
  };
  bool isOn() const { return m_state.options.policy == Policy::kDeadline && m_state.options.agingSteps > 0; }

  SchedulingState& m_state;
  std::set<Sequence*, BySubmission> m_young;  // that have not reached the age yet
};

}  // namespace vitrine

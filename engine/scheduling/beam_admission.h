// BeamAdmission: how the preempted beams of a search resume.
//
// A preempted search resumes the way it started. Its first sequence is admitted with slots and blocks for all
// beams. When it has computed the full blocks that its siblings begin with, the siblings join, each at its
// turn in the queue, and share these blocks. So a search never takes more than the prompt's full blocks once
// and all other blocks for each beam, which is what submit() counts. A more important request goes before the
// siblings of a search that is not whole yet, and may preempt the part of it that runs.
//
// Inputs: the state, and the room of this step. Changes the queue, the running set and the blocks. Events:
// SequenceAdmitted, BlockShared. Thread: the engine's. Read next: admission.h.
#pragma once

#include <optional>

#include "scheduling/block_need.h"
#include "scheduling/step_room.h"

namespace vitrine {

class BeamAdmission {
 public:
  explicit BeamAdmission(SchedulingState& state) : m_state(state), m_need(state) {}

  // The first beam of the search, when it runs and this sibling has yet to join it; otherwise null.
  Sequence* searchToJoin(const Sequence& sibling) const;
  // Why the sibling cannot join now; empty when it can.
  std::optional<SequenceWaiting> refusal(const Sequence& first, const Sequence& sibling,
                                         const StepRoom& room) const;
  // Requires that refusal() is empty.
  void join(Sequence& first, Sequence& sibling, StepRoom& room);

 private:
  SchedulingState& m_state;
  const BlockNeed m_need;
};

}  // namespace vitrine

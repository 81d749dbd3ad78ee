// Admission: phase 1 of the step. Waiting sequences join the running set while slots, tokens and blocks last.
//
// A waiting sequence needs a slot for each of its answers, a share of the token budget, and blocks for all
// its tokens, beyond the blocks promised to running sequences. A sequence that cannot be admitted blocks all
// sequences behind it (head-of-line blocking), so that none starves. A beam whose search has resumed joins it
// at its turn (beam_admission.h).
//
// Inputs: the state, and the plan of the running sequences as if nothing waited. Changes the queue, the
// running set and the blocks. Invariant: while the running sequences lack blocks themselves, no sequence is
// admitted; a sequence whose reason to wait and its numbers are unchanged is not published again. Events:
// SequenceAdmitted, BlockHit and PrefixMissed; BlockShared for beams; ContextEvicted; SequenceWaiting.
// Thread: the engine's. Read next: block_need.h, batch_gate.h, precedence.h.
#pragma once

#include "scheduling/batch_gate.h"
#include "scheduling/beam_admission.h"
#include "scheduling/block_need.h"
#include "scheduling/context_eviction.h"
#include "scheduling/step_plan.h"

namespace vitrine {

class Admission {
 public:
  // What one call of admit() did, and why it stopped.
  struct Result {
    int admitted = 0, joined = 0;  // sequences; joined: of them, beams that joined their search
    Sequence* refused = nullptr;   // the sequence that could not be admitted
    std::optional<SequenceWaiting> reason;
    StepRoom room;  // that is left

    bool lacksSlotsOrBlocks() const {
      return reason && (reason->reason == WaitReason::kSequences || reason->reason == WaitReason::kBlocks);
    }
  };

  explicit Admission(SchedulingState& state)
      : m_state(state), m_need(state), m_gate(state), m_beams(state), m_eviction(state) {}

  Result admit(const StepPlan& running);

  // The cached beginning of a waiting sequence. The result is valid until the next call. What is found is
  // kept for as long as the sequence waits, so that a later call hashes only blocks behind it.
  const PrefixHits& hitsOf(const Sequence& waiting);

  // What the running sequences leave, given their plan.
  StepRoom roomFor(const StepPlan& running) const;
  // Why the sequence cannot be admitted now; empty when it can. Publishes nothing.
  std::optional<SequenceWaiting> refusal(const Sequence& sequence, const PrefixHits& hits,
                                         const StepRoom& room) const;

  // How many waiting sequences admit() has considered since the beginning: the cost of a long queue.
  std::int64_t consideredCount() const { return m_considered; }

 private:
  std::optional<SequenceWaiting> tryToAdmit(Sequence& sequence, Result& result);
  void take(Sequence& sequence, const PrefixHits& hits, StepRoom& room);
  SequenceAdmitted admitted(const Sequence& sequence, const PrefixHits& hits, const StepRoom& room) const;
  void publishMiss(Sequence& sequence, const PrefixHits& hits);
  void publishWaiting(Sequence& sequence, const SequenceWaiting& reason);
  void publishOthersWaiting(const Sequence* refused, const StepRoom& room);

  SchedulingState& m_state;
  const BlockNeed m_need;
  const BatchGate m_gate;
  BeamAdmission m_beams;
  ContextEviction m_eviction;
  // The hits of one waiting sequence. The tokens of a sequence do not change while it waits, and each
  // preemption begins another time of waiting.
  PrefixHits m_hits;
  SequenceId m_hitsOf = 0;
  int m_hitsPreemptions = 0;
  std::int64_t m_considered = 0;
};

}  // namespace vitrine

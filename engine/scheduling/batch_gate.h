// BatchGate: whether the batch is open to a waiting sequence. Continuous batching admits any sequence that
// fits; the other modes close a batch once it runs (engine/README.md, "Batching").
//
// Inputs: the state, unchanged, and the room of this step. Invariant: a preempted sequence still belongs to
// its batch, so the batch is never closed to it. Events: none. Thread: the engine's. Read next: admission.h.
#pragma once

#include <cstdint>
#include <optional>

#include "scheduling/scheduling_state.h"
#include "scheduling/step_room.h"

namespace vitrine {

class BatchGate {
 public:
  explicit BatchGate(const SchedulingState& state) : m_state(state) {}

  bool batchInFlight() const;
  // Time until an idle machine stops collecting requests, in nanoseconds; 0 when no window is open.
  std::int64_t windowLeftNs(std::int64_t nowNs) const;
  std::int64_t windowLeftNs() const { return windowLeftNs(m_state.events.nowNs()); }
  // The same although the batch may be full, which closes the window.
  std::int64_t windowEndsInNs(std::int64_t nowNs) const;
  // Why the sequence must wait for another batch; empty when the batch is open to it.
  std::optional<SequenceWaiting> closedTo(const Sequence& sequence, const StepRoom& room) const;
  // The first waiting sequence. When the batch is closed to it, the first preempted one, if there is any.
  // Null when no sequence waits.
  Sequence* nextToAdmit(const StepRoom& room) const;

 private:
  bool collects() const;

  const SchedulingState& m_state;
};

}  // namespace vitrine

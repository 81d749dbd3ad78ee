#include "scheduling/batch_gate.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

bool BatchGate::batchInFlight() const {
  return !m_state.running.empty() || !m_state.waiting.preempted().empty();
}

// An idle machine collects requests from the first arrival on, until the window is over or the batch is full.
std::int64_t BatchGate::windowLeftNs(std::int64_t nowNs) const {
  if (!collects()) return 0;
  int slots = 0;
  for (const Sequence* sequence : m_state.waiting) {
    slots += sequence->sequenceSlots;
    if (slots >= m_state.options.maxSequences) return 0;
  }
  return windowEndsInNs(nowNs);
}

std::int64_t BatchGate::windowEndsInNs(std::int64_t nowNs) const {
  if (!collects()) return 0;
  const Sequence* const first = *std::ranges::min_element(m_state.waiting, {}, &Sequence::submittedNs);
  const auto windowNs = static_cast<std::int64_t>(m_state.options.windowMs * 1e6);
  return std::max<std::int64_t>(first->submittedNs + windowNs - nowNs, 0);
}

bool BatchGate::collects() const {
  return m_state.options.batching == Batching::kWindow && !m_state.waiting.empty() && !batchInFlight();
}

std::optional<SequenceWaiting> BatchGate::closedTo(const Sequence& sequence, const StepRoom& room) const {
  const SchedulerOptions& options = m_state.options;
  // [why:batch]
  const bool wasPreempted = sequence.status != SequenceStatus::kWaiting;
  if (wasPreempted || options.batching == Batching::kContinuous) return std::nullopt;
  if (room.windowLeftNs > 0) {
    const double leftMs = static_cast<double>(room.windowLeftNs) / 1e6;
    return SequenceWaiting{sequence.id, WaitReason::kWindow, static_cast<int>(std::ceil(options.windowMs)),
                           static_cast<int>(std::max(options.windowMs - leftMs, 0.0))};
  }
  const bool closed = options.batching == Batching::kSequential ? batchInFlight() : room.batchInFlight;
  if (!closed) return std::nullopt;
  return SequenceWaiting{sequence.id, WaitReason::kBatch, static_cast<int>(m_state.running.size()), 0};
  // [/why:batch]
}

Sequence* BatchGate::nextToAdmit(const StepRoom& room) const {
  const WaitingQueue& waiting = m_state.waiting;
  if (waiting.empty()) return nullptr;
  Sequence* first = waiting.front();
  if (!closedTo(*first, room) || waiting.preempted().empty()) return first;
  return *waiting.preempted().begin();
}

}  // namespace vitrine

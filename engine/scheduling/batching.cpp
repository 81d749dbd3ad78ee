// When a batch is open: continuous batching admits any sequence that fits; the other modes close a batch once
// it runs.
#include <algorithm>
#include <cmath>

#include "scheduling/room.h"

namespace vitrine {
namespace {

bool wasPreempted(const Sequence* sequence) { return sequence->status != SequenceStatus::kWaiting; }

}  // namespace

// A preempted sequence still belongs to its batch.
bool Scheduler::batchInFlight() const { return !m_running.empty() || !m_waiting.preempted().empty(); }

// An idle machine collects requests from the first arrival on, until the window is over or the batch is full.
std::int64_t Scheduler::windowLeftNs() const {
  if (m_options.batching != Batching::kWindow || m_waiting.empty() || batchInFlight()) return 0;
  std::int64_t firstNs = m_waiting.front()->submittedNs;
  int places = 0;
  for (const Sequence* sequence : m_waiting) {
    firstNs = std::min(firstNs, sequence->submittedNs);
    places += sequence->places;
    if (places >= m_options.maxSequences) return 0;
  }
  const auto windowNs = static_cast<std::int64_t>(m_options.windowMs * 1e6);
  return std::max<std::int64_t>(firstNs + windowNs - m_events.nowNs(), 0);
}

std::optional<SequenceWaiting> Scheduler::closedTo(const Sequence& sequence, const Room& room) const {
  if (wasPreempted(&sequence) || m_options.batching == Batching::kContinuous) return std::nullopt;
  if (room.windowLeftNs > 0) {
    const double leftMs = static_cast<double>(room.windowLeftNs) / 1e6;
    return SequenceWaiting{sequence.id, WaitReason::kWindow, static_cast<int>(std::ceil(m_options.windowMs)),
                           static_cast<int>(std::max(m_options.windowMs - leftMs, 0.0))};
  }
  const bool closed = m_options.batching == Batching::kSequential ? batchInFlight() : room.batchInFlight;
  if (!closed) return std::nullopt;
  return SequenceWaiting{sequence.id, WaitReason::kBatch, static_cast<int>(m_running.size()), 0};
}

// The first waiting sequence; when the batch is closed to it, the first preempted one, which belongs to the
// batch.
Sequence* Scheduler::nextToAdmit(const Room& room) const {
  if (m_waiting.empty()) return nullptr;
  Sequence* first = m_waiting.front();
  if (!closedTo(*first, room)) return first;
  return m_waiting.preempted().empty() ? first : *m_waiting.preempted().begin();
}

}  // namespace vitrine

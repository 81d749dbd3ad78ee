#include "scheduling/admission.h"

#include <algorithm>

#include "scheduling/policy.h"

namespace vitrine {

Admission::Result Admission::admit(const StepPlan& running) {
  Result result;
  if (m_state.waiting.empty()) return result;
  result.room = roomFor(running);
  // [why:queue]
  for (Sequence* next; !result.reason && (next = m_gate.nextToAdmit(result.room)) != nullptr;) {
    result.reason = tryToAdmit(*next, result);
    ++m_considered;
    if (!result.reason) continue;
    publishWaiting(*next, *result.reason);
    result.refused = next;
  }
  // [/why:queue]
  if (!m_state.waiting.empty()) m_state.waiting.unsettle(*m_state.waiting.front());
  publishOthersWaiting(result.refused, result.room);
  return result;
}

StepRoom Admission::roomFor(const StepPlan& running) const {
  const SchedulerOptions& options = m_state.options;
  StepRoom room;
  room.willPreempt = running.blocks > m_state.blocks.pool().freeCount();
  room.plannedBlocks = running.blocks;
  room.batchInFlight = options.batching != Batching::kContinuous && m_gate.batchInFlight();
  const std::int64_t stepNs = m_state.events.stepNs();
  room.windowLeftNs = m_gate.windowLeftNs(stepNs);
  room.windowSavedNs = room.windowLeftNs > 0 ? 0 : m_gate.windowEndsInNs(stepNs);
  room.freeSlots = options.maxSequences;
  room.tokens = options.tokenBudget - running.tokens();
  std::size_t ready = 0;
  for (const Sequence* sequence : m_state.running) {
    room.freeSlots -= sequence->sequenceSlots;
    room.promisedBlocks += m_need.promised(*sequence);
    ready += sequence->remainingTokens() > 0 ? 1 : 0;
  }
  // A running sequence that must be computed in one piece, and does not fit into this step, goes before
  // waiting ones.
  if (ready > running.work.size()) room.tokens = 0;
  return room;
}

const PrefixHits& Admission::hitsOf(const Sequence& waiting) {
  if (m_hitsOf != waiting.id || m_hitsPreemptions != waiting.preemptions) {
    m_hits.clear();
    m_hitsOf = waiting.id;
    m_hitsPreemptions = waiting.preemptions;
  }
  m_state.blocks.lookUp(waiting.tokens, waiting.cacheSalt, m_hits);
  return m_hits;
}

// The reason to wait; empty when the sequence was admitted.
std::optional<SequenceWaiting> Admission::tryToAdmit(Sequence& sequence, Result& result) {
  if (Sequence* first = m_beams.searchToJoin(sequence)) {
    const auto reason = m_beams.refusal(*first, sequence, result.room);
    if (reason) return reason;
    m_beams.join(*first, sequence, result.room);
    ++result.joined;
  } else {
    const PrefixHits& hits = hitsOf(sequence);
    const auto reason = refusal(sequence, hits, result.room);
    if (reason) return reason;
    take(sequence, hits, result.room);
  }
  ++result.admitted;
  return std::nullopt;
}

std::optional<SequenceWaiting> Admission::refusal(const Sequence& sequence, const PrefixHits& hits,
                                                  const StepRoom& room) const {
  // [why:admission]
  const int free = m_state.blocks.pool().freeCount();
  if (room.willPreempt)
    return SequenceWaiting{sequence.id, WaitReason::kPreemption, room.plannedBlocks, free};
  if (const auto closed = m_gate.closedTo(sequence, room)) return closed;
  if (sequence.sequenceSlots > room.freeSlots)
    return SequenceWaiting{sequence.id, WaitReason::kSequences, sequence.sequenceSlots, room.freeSlots};
  const int tokens = m_need.tokensToAdmit(sequence, hits);
  // A whole prefill beyond the budget runs by itself.
  const bool alone = room.tokens == m_state.options.tokenBudget;
  if (tokens > room.tokens && !alone)
    return SequenceWaiting{sequence.id, WaitReason::kTokenBudget, tokens, std::max(room.tokens, 0)};
  const int needed = m_need.toAdmit(sequence, hits), available = free - hits.freeBlocks - room.promisedBlocks;
  if (needed > available)
    return SequenceWaiting{sequence.id, WaitReason::kBlocks, needed, std::max(available, 0)};
  return std::nullopt;
  // [/why:admission]
}

// Before anything changes: why it can be admitted.
SequenceAdmitted Admission::admitted(const Sequence& sequence, const PrefixHits& hits,
                                     const StepRoom& room) const {
  const SchedulerOptions& options = m_state.options;
  SequenceAdmitted event;
  event.sequence = sequence.id;
  event.cachedTokens = hits.blocks() * options.blockSize;
  event.totalTokens = sequence.totalTokens();
  event.resumed = sequence.status != SequenceStatus::kWaiting;
  event.swappedTokens = std::max(sequence.computedTokens - event.cachedTokens, 0);
  event.writtenTokens = sequence.outputTokens();
  event.neededSlots = sequence.sequenceSlots;
  event.freeSlots = room.freeSlots;
  event.neededBlocks = m_need.toAdmit(sequence, hits);
  event.freeBlocks = m_state.blocks.pool().freeCount() - hits.freeBlocks - room.promisedBlocks;
  event.neededTokens = m_need.tokensToAdmit(sequence, hits);
  event.freeTokens = room.tokens;
  if (m_state.waiting.front() == &sequence) event.waiting = static_cast<int>(m_state.waiting.size());
  event.windowLeftMs = static_cast<int>(room.windowSavedNs / 1'000'000);
  event.standing = standingOf(options.policy, options.agingSteps, sequence);
  return event;
}

void Admission::take(Sequence& sequence, const PrefixHits& hits, StepRoom& room) {
  const SequenceAdmitted event = admitted(sequence, hits, room);
  m_state.waiting.remove(sequence);
  insertBehindEquals(m_state.running, sequence);
  sequence.status = SequenceStatus::kRunning;
  sequence.lastWait.reset();
  sequence.registeredBlocks = hits.blocks();
  sequence.chain = hits.last();
  sequence.cachedTokens = event.cachedTokens;
  sequence.computedTokens = std::max(sequence.computedTokens, sequence.cachedTokens);
  if (m_state.swap != nullptr) m_state.swap->forget(sequence.id, hits.blocks());
  m_state.events.publish(event);
  m_state.blocks.takeHits(sequence.id, hits, sequence.blockTable);
  if (!event.resumed && !m_state.options.eviction.isOn()) publishMiss(sequence, hits);
  m_eviction.evictIfFull(sequence);

  room.freeSlots -= sequence.sequenceSlots;
  room.tokens -= m_state.options.chunkedPrefill ? std::min(sequence.remainingTokens(), room.tokens)
                                                : sequence.remainingTokens();
  room.promisedBlocks += m_need.promised(sequence);
}

void Admission::publishMiss(Sequence& sequence, const PrefixHits& hits) {
  const auto missed = m_state.blocks.explainMiss(sequence.id, sequence.tokens, sequence.cacheSalt, hits);
  if (!missed) return;
  sequence.prefixMiss = std::make_shared<const PrefixMissed>(*missed);
  m_state.events.publish(*missed);
}

void Admission::publishWaiting(Sequence& sequence, const SequenceWaiting& reason) {
  const std::optional<WaitState>& last = sequence.lastWait;
  if (reason.reason != WaitReason::kBehind) m_state.waiting.unsettle(sequence);  // its numbers may change
  if (last && last->reason == reason.reason && last->needed == reason.needed &&
      last->available == reason.available) {
    return;
  }
  sequence.lastWait = WaitState{reason.reason, reason.needed, reason.available, m_state.events.step()};
  m_state.events.publish(reason);
}

// That a sequence is behind another is published once, when it comes to be there, however long the queue is.
// When the batch is closed, the first waiting sequence may be another one than the refused one.
void Admission::publishOthersWaiting(const Sequence* refused, const StepRoom& room) {
  const WaitingQueue::Tree& unsettled = m_state.waiting.unsettled();
  for (auto next = unsettled.begin(); next != unsettled.end();) {
    Sequence& waiting = **next++;
    ++m_considered;
    if (&waiting == refused) continue;
    const SequenceWaiting behind{waiting.id, WaitReason::kBehind, 0, 0, refused ? refused->id : 0};
    if (&waiting == m_state.waiting.front()) {
      publishWaiting(waiting, m_gate.closedTo(waiting, room).value_or(behind));
    } else {
      publishWaiting(waiting, behind);
      m_state.waiting.settle(waiting);
    }
  }
}

}  // namespace vitrine

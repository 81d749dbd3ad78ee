// Phase 1, Admit. A waiting sequence needs a slot, a share of the token budget, and blocks for all its
// tokens, beyond those promised to running sequences. A request that cannot be admitted blocks all requests
// behind it (head-of-line blocking), so that none starves. A beam whose search has resumed joins it at its
// turn (beams.cpp).
#include <algorithm>

#include "core/check.h"
#include "scheduling/policy.h"
#include "scheduling/room.h"

namespace vitrine {

// Blocks that a running sequence still needs for its tokens and, if it is the first of a search, for siblings
// that have yet to join it. Siblings that share a half filled block each count a copy, although the last one
// to write needs none: one block of caution.
int Scheduler::blocksPromised(const Sequence& sequence) const {
  const int missing = blocksToHold(sequence.totalTokens()) - static_cast<int>(sequence.blockTable.size());
  return missing + (writesSharedTail(sequence) ? 1 : 0) + absentBlocks(sequence);
}

// Beyond the hits that were looked up for it, and for a beam search with all its beams. Hits that fill all it
// may hold cost it one of them at once, which others may go on holding.
int Scheduler::blocksNeeded(const Sequence& sequence) const {
  const int hitBlocks = m_hits.blocks();
  const int givenUp = hitBlocks == m_options.eviction.mostBlocks() ? 1 : 0;
  return blocksToHold(sequence.totalTokens()) - hitBlocks + givenUp + absentBlocks(sequence);
}

// Of one that waits computedTokens is above 0 only when they were swapped out; the blocks for them count as
// needed like all others.
int Scheduler::tokensNeeded(const Sequence& sequence) const {
  if (m_options.chunkedPrefill) return 1;
  const int hitTokens = m_hits.blocks() * m_options.blockSize;
  return sequence.totalTokens() - std::max(hitTokens, sequence.computedTokens);
}

std::optional<SequenceWaiting> Scheduler::refusal(const Sequence& sequence, const Room& room) const {
  const int free = m_blocks.pool().freeCount();
  if (room.willPreempt) return SequenceWaiting{sequence.id, WaitReason::kPreemption, m_plan.blocks, free};
  if (const auto closed = closedTo(sequence, room)) return closed;
  if (sequence.places > room.places) {
    return SequenceWaiting{sequence.id, WaitReason::kSequences, sequence.places, room.places};
  }
  const int tokens = tokensNeeded(sequence);
  const bool alone =
      room.tokens == m_options.tokenBudget;  // a whole prefill beyond the budget runs by itself
  if (tokens > room.tokens && !alone) {
    return SequenceWaiting{sequence.id, WaitReason::kTokenBudget, tokens, std::max(room.tokens, 0)};
  }
  const int needed = blocksNeeded(sequence);
  const int available = free - m_hits.freeBlocks - room.promisedBlocks;
  if (needed > available) {
    return SequenceWaiting{sequence.id, WaitReason::kBlocks, needed, std::max(available, 0)};
  }
  return std::nullopt;
}

void Scheduler::take(Sequence& sequence, Room& room) {
  m_waiting.remove(sequence);
  insertBehindEquals(m_running, sequence);
  const bool resumed = sequence.status != SequenceStatus::kWaiting;
  sequence.status = SequenceStatus::kRunning;
  sequence.lastWait.reset();
  sequence.registeredBlocks = m_hits.blocks();
  sequence.chain = m_hits.last();
  sequence.cachedTokens = sequence.registeredBlocks * m_options.blockSize;
  sequence.computedTokens = std::max(sequence.computedTokens, sequence.cachedTokens);
  if (m_swap != nullptr) m_swap->forget(sequence.id, sequence.registeredBlocks);
  m_events.publish(SequenceAdmitted{sequence.id, sequence.cachedTokens, sequence.totalTokens(), resumed,
                                    sequence.computedTokens - sequence.cachedTokens});
  m_blocks.takeHits(sequence.id, m_hits, sequence.blockTable);
  if (sequence.residentTokens() == m_options.eviction.capacity()) evictFrom(sequence);

  room.places -= sequence.places;
  room.tokens -= m_options.chunkedPrefill ? std::min(sequence.remainingTokens(), room.tokens)
                                          : sequence.remainingTokens();
  room.promisedBlocks += blocksPromised(sequence);
  ++m_admitted;
}

void Scheduler::publishWaiting(Sequence& sequence, const SequenceWaiting& reason) {
  const std::optional<SequenceWaiting>& last = sequence.lastWait;
  if (reason.reason != WaitReason::kBehind) m_waiting.unsettle(sequence);  // its numbers may change
  if (last && last->reason == reason.reason && last->needed == reason.needed &&
      last->available == reason.available) {
    return;
  }
  sequence.lastWait = reason;
  m_events.publish(reason);
}

// A sequence behind another hears of that once, when it comes to stand there, however long the queue is. The
// first one is not the refused one when the batch is closed to it.
void Scheduler::publishOthersWaiting(const Sequence* refused, const Room& room) {
  for (auto next = m_waiting.unsettled().begin(); next != m_waiting.unsettled().end();) {
    Sequence& waiting = **next++;
    ++m_lookedAt;
    if (&waiting == refused) continue;
    const SequenceWaiting behind{waiting.id, WaitReason::kBehind, 0, 0};
    if (&waiting == m_waiting.front()) {
      publishWaiting(waiting, closedTo(waiting, room).value_or(behind));
    } else {
      publishWaiting(waiting, behind);
      m_waiting.settle(waiting);
    }
  }
}

Scheduler::Room Scheduler::roomLeft() const {
  Room room{m_plan.blocks > m_blocks.pool().freeCount(),
            m_options.batching != Batching::kContinuous && batchInFlight(),
            windowLeftNs(),
            m_options.maxSequences,
            m_options.tokenBudget - m_plan.tokens(),
            0};
  std::size_t ready = 0;
  for (const Sequence* sequence : m_running) {
    room.places -= sequence->places;
    room.promisedBlocks += blocksPromised(*sequence);
    ready += sequence->remainingTokens() > 0 ? 1 : 0;
  }
  // A running sequence that must be computed in one piece, and does not fit into this step, goes before
  // waiting ones.
  if (ready > m_plan.work.size()) room.tokens = 0;
  return room;
}

// Why it has to wait; nothing when it has come in.
std::optional<SequenceWaiting> Scheduler::tryToAdmit(Sequence& sequence, Room& room) {
  if (Sequence* first = firstToJoin(sequence)) {
    const auto reason = refusalToJoin(*first, sequence, room);
    if (!reason) join(*first, sequence, room);
    return reason;
  }
  m_hits.clear();
  m_blocks.lookUp(sequence.tokens, sequence.cacheSalt, m_hits);
  const auto reason = refusal(sequence, room);
  if (!reason) take(sequence, room);
  return reason;
}

void Scheduler::admit() {
  m_admitted = 0;
  age();
  shareBudget();
  const std::size_t running = m_running.size();
  Room room = roomLeft();
  const Sequence* refused = nullptr;
  std::optional<SequenceWaiting> reason;
  for (Sequence* next; !reason && (next = nextToAdmit(room)) != nullptr;) {
    reason = tryToAdmit(*next, room);
    ++m_lookedAt;
    if (!reason) continue;
    publishWaiting(*next, *reason);
    refused = next;
  }
  if (!m_waiting.empty()) m_waiting.unsettle(*m_waiting.front());
  publishOthersWaiting(refused, room);
  const bool lacksPlaceOrBlocks =
      reason && (reason->reason == WaitReason::kSequences || reason->reason == WaitReason::kBlocks);
  if (lacksPlaceOrBlocks && m_running.size() == running) preemptFor(*refused, room);
}

}  // namespace vitrine

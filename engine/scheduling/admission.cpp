// Phase 1, Admit. A newcomer needs a place, a share of the token budget, and blocks for all its tokens,
// beyond what the running ones were promised; who is in front holds back all behind, so nobody starves.
#include <algorithm>

#include "core/check.h"
#include "scheduling/room.h"

namespace vitrine {

// Blocks the running sequences still need for the tokens they have. Sisters that share a half filled block
// each count a copy although the last one to write needs none: one block of caution.
int Scheduler::blocksPromised() const {
  int blocks = 0;
  for (const Sequence* sequence : m_running) {
    blocks += blocksToHold(sequence->totalTokens()) - static_cast<int>(sequence->blockTable.size());
    if (writesSharedTail(*sequence)) ++blocks;
  }
  return blocks;
}

std::optional<SequenceWaiting> Scheduler::refusal(const Sequence& sequence, const Room& room) const {
  const int free = m_blocks.pool().freeCount();
  if (room.willPreempt) return SequenceWaiting{sequence.id, WaitReason::kPreemption, m_plan.blocks, free};

  // A preempted sequence belongs to the batch in flight already.
  const bool resumed = sequence.status != SequenceStatus::kWaiting;
  const bool closed = m_options.batching == Batching::kStatic       ? room.batchInFlight
                      : m_options.batching == Batching::kSequential ? !m_running.empty()
                                                                    : false;
  if (closed && !resumed) {
    return SequenceWaiting{sequence.id, WaitReason::kBatch, static_cast<int>(m_running.size()), 0};
  }
  if (sequence.places > room.places) {
    return SequenceWaiting{sequence.id, WaitReason::kSequences, sequence.places, room.places};
  }
  const int hitBlocks = static_cast<int>(m_hits.blocks.size());
  // computedTokens is above 0 only when they were swapped out; their blocks count as needed like all others.
  const int toCompute =
      sequence.totalTokens() - std::max(hitBlocks * m_options.blockSize, sequence.computedTokens);
  const int tokensNeeded = m_options.chunkedPrefill ? 1 : toCompute;
  const bool alone =
      room.tokens == m_options.tokenBudget;  // a whole prefill beyond the budget runs by itself
  if (tokensNeeded > room.tokens && !alone) {
    return SequenceWaiting{sequence.id, WaitReason::kTokenBudget, tokensNeeded, std::max(room.tokens, 0)};
  }
  // Hits that fill all it may hold cost it one of them at once, which others may go on holding.
  const int givenUp = hitBlocks == m_options.eviction.mostBlocks() ? 1 : 0;
  const int needed = blocksToHold(sequence.totalTokens()) - hitBlocks + givenUp +
                     (sequence.beams > 1 ? absentBlocks(sequence) : 0);
  const int available = free - m_hits.freeBlocks - room.promisedBlocks;
  if (needed > available) {
    return SequenceWaiting{sequence.id, WaitReason::kBlocks, needed, std::max(available, 0)};
  }
  return std::nullopt;
}

void Scheduler::take(Sequence& sequence, Room& room) {
  m_waiting.pop_front();
  m_running.push_back(&sequence);
  const bool resumed = sequence.status != SequenceStatus::kWaiting;
  sequence.status = SequenceStatus::kRunning;
  sequence.lastWait.reset();
  sequence.registeredBlocks = static_cast<int>(m_hits.blocks.size());
  sequence.chain = m_hits.last;
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
  room.promisedBlocks += blocksToHold(sequence.totalTokens()) - static_cast<int>(sequence.blockTable.size());
  ++m_admitted;
}

void Scheduler::tellWaiting(Sequence& sequence, const SequenceWaiting& reason) {
  const std::optional<SequenceWaiting>& last = sequence.lastWait;
  if (last && last->reason == reason.reason && last->needed == reason.needed &&
      last->available == reason.available) {
    return;
  }
  sequence.lastWait = reason;
  m_events.publish(reason);
}

void Scheduler::admit() {
  m_admitted = 0;
  draft();
  Room room{m_plan.blocks > m_blocks.pool().freeCount(), !m_running.empty(), m_options.maxSequences,
            m_options.tokenBudget - m_plan.tokens(), blocksPromised()};
  for (const Sequence* sequence : m_running) room.places -= sequence->places;

  // While a beam search is being put together again nobody else comes in: its beams stay side by side.
  bool whole = reunite(room);
  while (whole && !m_waiting.empty()) {
    Sequence& first = *m_waiting.front();
    m_blocks.lookUp(first.tokens, first.cacheSalt, m_hits);
    if (const auto reason = refusal(first, room)) {
      tellWaiting(first, *reason);
      break;
    }
    take(first, room);
    if (first.beams > 1) whole = reunite(room);
  }
  for (std::size_t i = 1; i < m_waiting.size(); ++i) {
    if (!whole && m_waiting[i]->request == m_running.back()->request) continue;  // reunite() told it
    tellWaiting(*m_waiting[i], SequenceWaiting{m_waiting[i]->id, WaitReason::kBehind, 0, 0});
  }
}

}  // namespace vitrine

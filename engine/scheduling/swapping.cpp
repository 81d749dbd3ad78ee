// Preemption by swapping: where a victim's KV goes, and how it comes in again in Allocate.
#include "core/check.h"
#include "scheduling/scheduler.h"

namespace vitrine {

// The content is swapped out if there is any and there is room for it; otherwise the tokens are computed
// again. Beams are always computed again: swapped in, each would have its own copy of the shared blocks, and
// together they might not fit.
void Scheduler::chooseFate(const Sequence& victim, SequencePreempted& fate) {
  if (m_swap == nullptr) return;
  if (victim.beams > 1) {
    fate.cause = PreemptionCause::kBeams;
    return;
  }
  VITRINE_CHECK(m_swap->contentOf(victim.id).empty());
  fate.swapBlocks = static_cast<int>(victim.blockTable.size());
  fate.swapRoom = m_swap->freeCount();
  if (fate.swapBlocks == 0) {
    fate.cause = PreemptionCause::kNothing;
  } else if (fate.swapBlocks > fate.swapRoom) {
    fate.cause = PreemptionCause::kNoRoom;
  } else if (!m_swap->swapOut(victim.id, victim.blockTable, victim.computedTokens)) {
    fate.cause = PreemptionCause::kFailed;
  } else {
    fate.cause = PreemptionCause::kRoom;
    fate.how = Preemption::kSwap;
    fate.lostTokens = 0;
  }
}

// The prefix hits taken in Admit are in the table already; the rest of what was computed comes behind them.
// A sequence whose blocks cannot all be swapped in leaves the plan. It goes on running, with blocks promised
// for all its tokens: no sequence is preempted for it a second time.
void Scheduler::swapIn() {
  const auto isLost = [&](Work& work) {
    if (swapIn(work)) return false;
    (work.kind == WorkKind::kDecode ? m_plan.decodeTokens : m_plan.prefillTokens) -= work.tokens;
    return true;
  };
  std::erase_if(m_plan.work, isLost);
}

bool Scheduler::swapIn(Work& work) {
  Sequence& sequence = *work.sequence;
  while (!m_swap->contentOf(sequence.id).empty()) {
    const int index = m_swap->contentOf(sequence.id).front().index, firstToken = index * m_options.blockSize;
    VITRINE_CHECK(index == static_cast<int>(sequence.blockTable.size()));
    m_blocks.allocate(sequence.id, sequence.blockTable);
    if (!m_swap->swapIn(sequence.id, sequence.blockTable.back(), sequence.computedTokens - firstToken)) {
      sequence.computedTokens = firstToken;
      m_blocks.release(sequence.id, sequence.blockTable, index);
      return false;
    }
    --work.newBlocks;
  }
  return true;
}

}  // namespace vitrine

#include "scheduling/preemptor.h"

#include <algorithm>

#include "core/check.h"
#include "scheduling/policy.h"

namespace vitrine {

void Preemptor::preemptForMemory(const StepPlan& plan) {
  const std::vector<Sequence*>& running = m_state.running;
  SequencePreempted fate{};
  fate.forSequence = running.back()->id;
  fate.freeBlocks = m_state.blocks.pool().freeCount();
  for (const Work& work : plan.work) {
    fate.freeBlocks -= fate.neededBlocks;
    fate.neededBlocks = work.newBlocks + (work.copiesTail ? 1 : 0);
    fate.forSequence = work.sequence->id;
    if (fate.neededBlocks > fate.freeBlocks) break;
  }
  const RequestId search = running.back()->beams > 1 ? running.back()->request : 0;
  do {
    preemptLast(fate);
  } while (search != 0 && !running.empty() && running.back()->request == search);
}

int Preemptor::preemptFor(const Sequence& first, const PrefixHits& hits, const StepRoom& room,
                          const StepPlan& plan) {
  const int neededBlocks = m_precedence.blocksNeeded(first, hits);
  const std::span<const Precedence::Offer> offers = m_precedence.offersFor(first, hits, room, plan);
  for (const Precedence::Offer& offer : offers) {
    SequencePreempted fate{};
    fate.forSequence = first.id;
    fate.reason = PreemptReason::kImportance;
    fate.neededBlocks = neededBlocks;
    fate.freeBlocks = std::max(offer.blocks, 0);
    fate.neededSlots = first.sequenceSlots;
    fate.freeSlots = offer.freeSlots;
    fate.forStanding = standingOf(m_state.options.policy, m_state.options.agingSteps, first);
    preemptLast(fate);
  }
  return static_cast<int>(offers.size());
}

void Preemptor::preemptLast(SequencePreempted fate) {
  Sequence& victim = *m_state.running.back();
  WaitingQueue::Entry entry(victim);
  const auto lastHolder = [&](BlockId block) { return m_state.blocks.pool().refCount(block) == 1; };
  fate.sequence = victim.id;
  fate.freedBlocks = static_cast<int>(std::ranges::count_if(victim.blockTable, lastHolder));
  fate.lostTokens = victim.computedTokens;
  fate.running = static_cast<int>(m_state.running.size());
  fate.standing = standingOf(m_state.options.policy, m_state.options.agingSteps, victim);
  chooseFate(victim, fate);
  m_state.events.publish(fate);

  m_state.running.pop_back();
  const bool swapped = fate.how == Preemption::kSwap;
  const int computed = swapped ? victim.computedTokens : 0;
  m_state.dropKv(victim);
  victim.status = swapped ? SequenceStatus::kSwapped : SequenceStatus::kPreempted;
  victim.computedTokens = computed;
  if (victim.beams > 1) victim.sequenceSlots = victim.index == 0 ? victim.beams : 1;
  ++victim.preemptions;
  m_state.waiting.add(std::move(entry));
}

// The content is swapped out if there is any and there is room for it; otherwise the tokens are computed
// again. Beams are always computed again: swapped in, each would have its own copy of the shared blocks, and
// together they might not fit.
void Preemptor::chooseFate(const Sequence& victim, SequencePreempted& fate) {
  SwapSpace* const swap = m_state.swap;
  if (swap == nullptr || !m_state.swapsOut) return;
  if (victim.beams > 1) {
    fate.cause = PreemptionCause::kBeams;
    return;
  }
  VITRINE_CHECK(swap->contentOf(victim.id).empty());
  // [why:swap-or-drop]
  fate.swapBlocks = static_cast<int>(victim.blockTable.size());
  fate.swapRoom = swap->freeCount();
  if (fate.swapBlocks == 0) {
    fate.cause = PreemptionCause::kNothing;
  } else if (fate.swapBlocks > fate.swapRoom) {
    fate.cause = PreemptionCause::kNoRoom;
  } else if (!swap->swapOut(victim.id, victim.blockTable, victim.computedTokens)) {
    fate.cause = PreemptionCause::kFailed;
  } else {
    fate.cause = PreemptionCause::kRoom;
    fate.how = Preemption::kSwap;
    fate.lostTokens = 0;
  }
  // [/why:swap-or-drop]
}

}  // namespace vitrine

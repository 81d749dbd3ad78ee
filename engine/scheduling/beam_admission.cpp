#include "scheduling/beam_admission.h"

#include <algorithm>

#include "scheduling/policy.h"

namespace vitrine {

Sequence* BeamAdmission::searchToJoin(const Sequence& sibling) const {
  return sibling.beams > 1 && sibling.index > 0 ? m_state.firstRunning(sibling.request) : nullptr;
}

// Blocks are no reason to wait: the first sequence was admitted with blocks for all, and Plan preempts when
// they are short.
std::optional<SequenceWaiting> BeamAdmission::refusal(const Sequence& first, const Sequence& sibling,
                                                      const StepRoom& room) const {
  // [why:beam-admission]
  if (room.willPreempt)
    return SequenceWaiting{sibling.id, WaitReason::kPreemption, room.plannedBlocks,
                           m_state.blocks.pool().freeCount()};
  const int shared = m_need.sharedBlocks(first, sibling) * m_state.options.blockSize;
  if (first.computedTokens < shared)
    return SequenceWaiting{sibling.id, WaitReason::kBeams, shared, first.computedTokens};
  const int toCompute = sibling.totalTokens() - shared;
  const bool alone = room.tokens == m_state.options.tokenBudget;
  if (!m_state.options.chunkedPrefill && toCompute > room.tokens && !alone)
    return SequenceWaiting{sibling.id, WaitReason::kTokenBudget, toCompute, std::max(room.tokens, 0)};
  return std::nullopt;
  // [/why:beam-admission]
}

void BeamAdmission::join(Sequence& first, Sequence& sibling, StepRoom& room) {
  const int shared = m_need.sharedBlocks(first, sibling);
  sibling.blockTable.reserve(static_cast<std::size_t>(shared));
  m_state.waiting.remove(sibling);
  insertBehindEquals(m_state.running, sibling);
  --first.sequenceSlots;
  sibling.status = SequenceStatus::kRunning;
  sibling.lastWait.reset();
  sibling.computedTokens = sibling.cachedTokens = shared * m_state.options.blockSize;
  m_state.events.publish(SequenceAdmitted{sibling.id, sibling.cachedTokens, sibling.totalTokens(), true, 0,
                                          sibling.outputTokens()});
  m_state.blocks.share(std::span(first.blockTable).first(static_cast<std::size_t>(shared)), sibling.id,
                       sibling.blockTable);
  room.tokens -= m_state.options.chunkedPrefill ? std::min(sibling.remainingTokens(), room.tokens)
                                                : sibling.remainingTokens();
}

}  // namespace vitrine

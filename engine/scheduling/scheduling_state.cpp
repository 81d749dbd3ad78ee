#include "scheduling/scheduling_state.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

SchedulerOptions SchedulerOptions::of(const EngineOptions& inForce) {
  return {inForce.blockSize, inForce.numBlocks,   inForce.maxSequences,   inForce.tokenBudget,
          inForce.batching,  inForce.prefixCache, inForce.chunkedPrefill, EvictionRule::of(inForce),
          inForce.policy,    inForce.agingSteps,  inForce.windowMs};
}

SchedulingState::SchedulingState(const SchedulerOptions& chosen, EventStream& stream, PrefixIndex::Hash hash,
                                 SwapSpace* swapSpace)
    : options(chosen),
      events(stream),
      swap(swapSpace),
      blocks(chosen.numBlocks, chosen.blockSize, chosen.prefixCache, stream, hash) {
  VITRINE_CHECK(options.maxSequences >= 1 && options.tokenBudget >= 1);
  running.reserve(static_cast<std::size_t>(options.maxSequences));
}

Sequence* SchedulingState::firstRunning(RequestId request) const {
  const auto found = std::ranges::find(running, request, &Sequence::request);
  return found == running.end() ? nullptr : *found;
}

void SchedulingState::dropKv(Sequence& sequence) {
  blocks.release(sequence.id, sequence.blockTable);
  sequence.blockStarts.clear();
  sequence.attentionScores.clear();
  sequence.computedTokens = sequence.cachedTokens = sequence.evictedTokens = 0;
  sequence.chain = PrefixLink{};
  sequence.forked = false;
  sequence.registeredBlocks = 0;
}

}  // namespace vitrine

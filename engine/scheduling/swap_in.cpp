#include "scheduling/swap_in.h"

#include "core/check.h"

namespace vitrine {
namespace {

bool swapIn(SchedulingState& state, Work& work) {
  Sequence& sequence = *work.sequence;
  // [why:swap-in]
  while (!state.swap->contentOf(sequence.id).empty()) {
    const int index = state.swap->contentOf(sequence.id).front().index;
    const int firstToken = index * state.options.blockSize;
    VITRINE_CHECK(index == static_cast<int>(sequence.blockTable.size()));
    state.blocks.allocate(sequence.id, sequence.blockTable);
    if (!state.swap->swapIn(sequence.id, sequence.blockTable.back(), sequence.computedTokens - firstToken)) {
      sequence.computedTokens = firstToken;
      state.blocks.release(sequence.id, sequence.blockTable, index);
      return false;
    }
    --work.newBlocks;
  }
  // [/why:swap-in]
  return true;
}

}  // namespace

void swapIn(SchedulingState& state, StepPlan& plan) {
  const auto isLost = [&](Work& work) {
    if (swapIn(state, work)) return false;
    (work.kind == WorkKind::kDecode ? plan.decodeTokens : plan.prefillTokens) -= work.tokens;
    return true;
  };
  std::erase_if(plan.work, isLost);
}

}  // namespace vitrine

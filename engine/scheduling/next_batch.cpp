#include "scheduling/next_batch.h"

#include <algorithm>

namespace vitrine {
namespace {

// What waits goes on waiting: for slots or blocks, of which there are no more in the next step, or for
// another batch.
bool admitsNothing(const SchedulingState& state) {
  if (state.waiting.empty()) return true;
  const std::optional<WaitState>& wait = state.waiting.front()->lastWait;
  return wait && (wait->reason == WaitReason::kSequences || wait->reason == WaitReason::kBlocks ||
                  wait->reason == WaitReason::kBatch);
}

bool goesOnByOneToken(const Work& work) {
  const Sequence& sequence = *work.sequence;
  return work.samples && work.draftTokens == 0 && sequence.sequenceSlots == 1 && sequence.beams == 1;
}

// Decodes stand before prefills in a plan, both in the order of the running set.
class InRunningOrder {
 public:
  explicit InRunningOrder(const StepPlan& plan) : m_plan(plan) {
    const auto isDecode = [](const Work& work) { return work.kind == WorkKind::kDecode; };
    m_prefill = std::ranges::find_if_not(plan.work, isDecode) - plan.work.begin();
  }
  // The place of the next running sequence's work; -1: it has none.
  std::ptrdiff_t next(const Sequence* sequence) {
    for (std::ptrdiff_t* const cursor : {&m_decode, &m_prefill})
      if (*cursor < std::ssize(m_plan.work) &&
          m_plan.work[static_cast<std::size_t>(*cursor)].sequence == sequence)
        return (*cursor)++;
    return -1;
  }

 private:
  const StepPlan& m_plan;
  std::ptrdiff_t m_decode = 0, m_prefill;
};

}  // namespace

bool foreseeBatch(const SchedulingState& state, const StepPlan& plan, std::vector<NextWork>& next) {
  next.clear();
  const SchedulerOptions& options = state.options;
  const std::size_t count = state.running.size();
  if (count == 0 || plan.work.size() != count || count > static_cast<std::size_t>(options.tokenBudget) ||
      options.eviction.isOn() || !admitsNothing(state) || !std::ranges::all_of(plan.work, goesOnByOneToken))
    return false;
  const KvBlocks& blocks = state.blocks;
  auto free = blocks.pool().freeQueue().begin();
  const auto none = blocks.pool().freeQueue().end();
  InRunningOrder works(plan);
  for (const Sequence* const sequence : state.running) {
    const std::ptrdiff_t at = works.next(sequence);
    if (at < 0) return false;
    const Work& work = plan.work[static_cast<std::size_t>(at)];
    NextWork one{sequence, static_cast<int>(at), work.firstPosition + work.tokens};
    const auto place = static_cast<std::size_t>(one.position / options.blockSize);
    if (place < sequence->blockTable.size()) {
      if (blocks.isShared(sequence->blockTable[place])) return false;
    } else {
      if (free == none || blocks.index().ofBlock(*free) != nullptr) return false;
      one.newBlock = *free;
      ++free;
    }
    next.push_back(one);
  }
  return true;
}

}  // namespace vitrine

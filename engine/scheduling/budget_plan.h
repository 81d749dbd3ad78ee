// BudgetPlan: distributes the token budget of a step among the running sequences: decodes first, then prefill
// chunks with what is left (Sarathi-Serve, arXiv 2403.02310), drafts last.
//
// Inputs: the state, unchanged. Invariant: within one kind of work the more important sequence is served
// first; the plan never exceeds the budget, except with a single prefill that may not be split. Events: none.
// Thread: the engine's. Read next: step_plan.h.
#pragma once

#include <vector>

#include "scheduling/block_need.h"
#include "scheduling/step_plan.h"

namespace vitrine {

class BudgetPlan {
 public:
  explicit BudgetPlan(const SchedulingState& state);

  // Plans the work of the running sequences anew, as if there were blocks without limit.
  void share();
  // Grants draft tokens from what is left of token budget and free blocks, up to each sequence's wantedDraft.
  // Decodes that get none have their Work::draftLimit.
  void grantDrafts();

  const StepPlan& plan() const { return m_plan; }
  StepPlan& plan() { return m_plan; }

 private:
  bool shareAmong(WorkKind kind);
  void add(Sequence& sequence, WorkKind kind, int tokens);
  // Blocks that one more draft token takes.
  int draftBlocks(const Work& work) const;
  std::optional<NoDraftReason> draftLimit(const Work& work) const;

  const SchedulingState& m_state;
  const BlockNeed m_need;
  StepPlan m_plan;
  std::vector<int> m_copies;      // of each block, how many of the plan's sequences copy it
  std::vector<BlockId> m_copied;  // the blocks of which some do
};

}  // namespace vitrine

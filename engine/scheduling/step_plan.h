// StepPlan: the work of one step: which sequence computes which of its tokens, and what it takes from the
// pool. Made by BudgetPlan (budget_plan.h), carried out by execution/. Thread: values.
#pragma once

#include <optional>
#include <vector>

#include "scheduling/sequence.h"
#include "vitrine/events/speculation.h"

namespace vitrine {

// Positions [firstPosition, firstPosition + tokens) of one sequence, computed in this step.
struct Work {
  Sequence* sequence;
  WorkKind kind;
  int firstPosition, tokens;
  int newBlocks;        // to append to its table
  bool copiesTail;      // its last block is shared and half filled, so writing there needs a copy
  bool samples;         // reaches the sequence's last token
  int draftTokens = 0;  // of `tokens`, the last ones: positions of a draft, behind the sequence's tokens
  // Copied from the sequence, so that a pass over the plan need not read it.
  SequenceId id = 0;
  int totalTokens = 0;        // without a draft
  bool mayFillBlock = false;  // a block may be full after this step that the prefix index does not have yet
  // With drafts, of a decode without one: what leaves no room for a token of it, if anything does.
  std::optional<NoDraftReason> draftLimit = {};
};

struct StepPlan {
  std::vector<Work> work;  // decodes, then prefill chunks, each by rank
  int decodeTokens = 0, prefillTokens = 0;
  int blocks = 0;                      // the work takes from the pool
  std::vector<KvBlocks::Copy> copies;  // to be done before the forward, in order
  int tokens() const { return decodeTokens + prefillTokens; }
};

}  // namespace vitrine

#include "scheduling/budget_plan.h"

#include <algorithm>

#include "scheduling/look_ahead.h"

namespace vitrine {

BudgetPlan::BudgetPlan(const SchedulingState& state)
    : m_state(state), m_need(state), m_copies(static_cast<std::size_t>(state.options.numBlocks)) {}

void BudgetPlan::share() {
  for (const BlockId block : m_copied) m_copies[static_cast<std::size_t>(block)] = 0;
  m_copied.clear();
  m_plan.work.clear();
  m_plan.copies.clear();
  m_plan.decodeTokens = m_plan.prefillTokens = m_plan.blocks = 0;
  if (shareAmong(WorkKind::kDecode)) shareAmong(WorkKind::kPrefill);
}

// The most important sequence first, with what is left of the token budget. Returns whether there are
// sequences of the other kind.
bool BudgetPlan::shareAmong(WorkKind kind) {
  const SchedulerOptions& options = m_state.options;
  const int capacity = options.eviction.capacity();
  bool others = false;
  inTurn(m_state.running, [&](Sequence* sequence) {
    if (sequence->isDecoding() != (kind == WorkKind::kDecode)) {
      others = true;
      return;
    }
    // [why:budget]
    const int left = options.tokenBudget - m_plan.tokens();
    const bool whole = kind == WorkKind::kPrefill && !options.chunkedPrefill;
    const int most = std::min(sequence->remainingTokens(), capacity - sequence->residentTokens());
    const int tokens = whole ? most : std::min(most, left);
    // A whole prefill waits for a step that holds it. One that is longer than the budget waits for a step of
    // its own.
    if (tokens <= 0 || (tokens > left && !m_plan.work.empty())) return;
    add(*sequence, kind, tokens);
    // [/why:budget]
  });
  return others;
}

void BudgetPlan::add(Sequence& sequence, WorkKind kind, int tokens) {
  const int end = sequence.computedTokens + tokens;
  const int newBlocks =
      m_state.blocks.blocksFor(end - sequence.evictedTokens) - static_cast<int>(sequence.blockTable.size());
  bool copiesTail = false;
  if (m_need.writesSharedTail(sequence)) {
    // Of several holders of a half filled block, the ones that write first copy it, and the last one keeps
    // it.
    const BlockId tail = sequence.blockTable.back();
    int& copies = m_copies[static_cast<std::size_t>(tail)];
    copiesTail = m_state.blocks.isShared(tail, copies);
    if (copiesTail) m_copied.push_back(tail), ++copies;
  }
  const int nextFull = (sequence.registeredBlocks + 1) * m_state.options.blockSize;
  m_plan.work.push_back({.sequence = &sequence,
                         .kind = kind,
                         .firstPosition = sequence.computedTokens,
                         .tokens = tokens,
                         .newBlocks = newBlocks,
                         .copiesTail = copiesTail,
                         .samples = end == sequence.totalTokens(),
                         .draftTokens = 0,
                         .id = sequence.id,
                         .totalTokens = sequence.totalTokens(),
                         .mayFillBlock = end >= nextFull});
  m_plan.blocks += newBlocks + (copiesTail ? 1 : 0);
  (kind == WorkKind::kDecode ? m_plan.decodeTokens : m_plan.prefillTokens) += tokens;
}

// One token at a time in turn, the most important sequence first, so that all drafts shrink alike.
void BudgetPlan::grantDrafts() {
  for (bool granted = true; granted;) {
    granted = false;
    inTurn(m_plan.work, [&](Work& work) {
      if (work.kind != WorkKind::kDecode || work.draftTokens >= work.sequence->wantedDraft) return;
      if (draftLimit(work)) return;
      const int newBlocks = draftBlocks(work);
      granted = true;
      ++work.tokens, ++work.draftTokens, ++m_plan.decodeTokens;
      work.newBlocks += newBlocks, m_plan.blocks += newBlocks;
      const int end = work.firstPosition + work.tokens;
      work.mayFillBlock |= end >= (work.sequence->registeredBlocks + 1) * m_state.options.blockSize;
    });
  }
  // What is left only shrinks while drafts are granted, so what refuses a token now is what refused it.
  for (Work& work : m_plan.work)
    if (work.kind == WorkKind::kDecode && work.draftTokens == 0) work.draftLimit = draftLimit(work);
}

int BudgetPlan::draftBlocks(const Work& work) const {
  const int end = work.firstPosition + work.tokens;
  return m_state.blocks.blocksFor(end + 1) - m_state.blocks.blocksFor(end);
}

// Blocks come first: a token that lacks a block lacks it also where the drafts of others took the budget's
// last one.
std::optional<NoDraftReason> BudgetPlan::draftLimit(const Work& work) const {
  // [why:draft-room]
  const int freeBlocks = m_state.blocks.pool().freeCount() - m_plan.blocks;
  if (draftBlocks(work) > freeBlocks) return NoDraftReason::kBlocks;
  if (m_plan.tokens() >= m_state.options.tokenBudget) return NoDraftReason::kTokenBudget;
  // [/why:draft-room]
  return std::nullopt;
}

}  // namespace vitrine

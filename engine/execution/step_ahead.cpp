#include "execution/step_ahead.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace vitrine {
namespace {

constexpr int kProofs = 32;

}  // namespace

void StepAhead::begin(std::span<const NextWork> next, int step) {
  VITRINE_CHECK(!m_isForeseen && !next.empty());
  m_rows.clear();
  m_tables.clear();
  for (const NextWork& one : next) {
    const BlockTable& table = one.sequence->blockTable;
    m_rows.push_back({one.sequence->id, static_cast<std::size_t>(one.work), one.position, m_tables.size(),
                      table.size() + (one.newBlock != NextWork::kNoBlock ? 1 : 0)});
    m_tables.insert(m_tables.end(), table.begin(), table.end());
    if (one.newBlock != NextWork::kNoBlock) m_tables.push_back(one.newBlock);
  }
  m_step = step;
  if (m_proofs == 0) launch();
  m_isForeseen = true;
}

void StepAhead::launch() {
  m_tokens.clear();
  for (const Row& row : m_rows)
    m_tokens.push_back({row.source, row.position, std::span(m_tables).subspan(row.table, row.blocks)});
  m_runner.beginNext(m_tokens);
  m_isBegun = true;
}

void StepAhead::noteTokens() {
  if (!m_isBegun) return;
  for (Row& row : m_rows) row.token = m_runner.logits().mostLikely(row.source);
}

std::optional<ForwardAhead> StepAhead::take(const StepPlan& plan, int step) {
  const bool isRight = step == m_step && find(plan);
  m_proofs = isRight ? std::max(m_proofs - 1, 0) : kProofs;
  if (!isRight || !m_isBegun) return drop();
  m_runner.logits().takeBegun(m_found);
  m_isForeseen = m_isBegun = false;
  const int rows = static_cast<int>(m_rows.size());
  return ForwardAhead{rows, rows - static_cast<int>(m_found.size())};
}

std::optional<ForwardAhead> StepAhead::drop() {
  m_isForeseen = false;
  if (!std::exchange(m_isBegun, false)) return std::nullopt;
  const int rows = static_cast<int>(m_rows.size());
  return ForwardAhead{rows, rows};
}

// Both are in the order of the running set, unless ranks have changed; then a row may be found behind the
// last one and not before it, and the step is computed anew.
bool StepAhead::find(const StepPlan& plan) {
  m_found.clear();
  if (plan.work.empty() || !plan.copies.empty()) return false;
  auto row = m_rows.begin();
  for (const Work& work : plan.work) {
    row = std::find_if(row, m_rows.end(), [&](const Row& one) { return one.id == work.id; });
    if (row == m_rows.end() || !isOf(*row, work)) return false;
    m_found.push_back(static_cast<std::int32_t>(row - m_rows.begin()));
    ++row;
  }
  return true;
}

bool StepAhead::isOf(const Row& row, const Work& work) const {
  const Sequence& sequence = *work.sequence;
  return work.samples && work.tokens == 1 && work.draftTokens == 0 && work.firstPosition == row.position &&
         sequence.evictedTokens == 0 && (!m_isBegun || sequence.tokens.back() == row.token) &&
         std::ranges::equal(sequence.blockTable, std::span(m_tables).subspan(row.table, row.blocks));
}

}  // namespace vitrine

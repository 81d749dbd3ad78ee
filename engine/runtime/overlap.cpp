// The next step's forward while this one ends (execution/step_ahead.h): when it may begin, and what becomes
// of it.
#include <algorithm>
#include <optional>

#include "runtime/engine_impl.h"

namespace vitrine {
namespace {

// A greedy draw that needs nothing but the most likely token and the sum behind its probability.
bool isPlain(const RowWish& wish) { return wish.candidates == 0; }

}  // namespace

// Not where a watcher holds the phases or looks into a forward, nor where a step is to be as a recording has
// it or has more than its plan's tokens to compute.
bool EngineImpl::overlaps() const {
  return m_options.overlap == Overlap::kOn && m_ahead.isPossible() && !m_gate &&
         (!m_rerun || m_rerun->isFree()) && !m_speculator && m_options.kvCache && m_detail == Detail() &&
         m_wishes.size() == m_scheduler.currentPlan().work.size() && std::ranges::all_of(m_wishes, isPlain);
}

// Whether the step's logits are those of the forward that began before it.
bool EngineImpl::takeAhead() {
  if (!m_ahead.isForeseen()) return false;
  const std::optional<ForwardAhead> ahead =
      overlaps() ? m_ahead.take(m_scheduler.currentPlan(), m_events.step()) : m_ahead.drop();
  if (!ahead) return false;
  m_events.publish(*ahead);
  if (ahead->wasted == ahead->rows) return false;
  const int rows = m_runner.rowsOf(ahead->rows);
  if (rows > ahead->rows) m_events.publish(BatchPadded{ahead->rows, rows});
  return true;
}

// A sequence that ends changes the batch behind it.
void EngineImpl::beginAhead() {
  if (!overlaps()) return;
  const auto ends = [this](const Answer* answer) { return endsByLength(*answer); };
  if (std::ranges::any_of(m_sampling, ends) || !m_scheduler.foresee(m_next)) return;
  m_ahead.begin(m_next, m_events.step() + 1);
}

// Without a step behind it that could take its rows.
void EngineImpl::dropAhead() {
  if (!m_ahead.isForeseen() || !m_scheduler.running().empty()) return;
  if (const auto ahead = m_ahead.drop()) m_events.publish(*ahead);
}

}  // namespace vitrine

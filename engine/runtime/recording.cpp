#include "vitrine/recording.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

void Recording::clear() { *this = Recording(); }

void Recording::append(Event event) {
  if (std::holds_alternative<EngineLoaded>(event.body)) clear();
  const bool joins = std::all_of(m_events.begin(), m_events.end(), [](const Event& earlier) {
    return std::holds_alternative<EngineLoaded>(earlier.body);
  });
  if (std::holds_alternative<Snapshot>(event.body)) {
    if (!joins) return;  // it tells nothing that the events before it did not
    m_live.apply(event);
    m_firstStep = m_lastFinished = m_live.step;
    m_events.push_back(std::move(event));
    m_stepBegin = {0};
    m_marks = {{m_events.size(), m_live, m_firstStep}};
    return;
  }
  m_live.apply(event);
  if (m_marks.empty()) {
    m_marks.push_back({0, MachineState(), m_firstStep});
    m_stepBegin.push_back(0);
  }
  if (std::holds_alternative<StepStarted>(event.body)) m_stepBegin.push_back(m_events.size());
  const bool finished = std::holds_alternative<StepFinished>(event.body);
  m_events.push_back(std::move(event));
  if (!finished) return;
  m_lastFinished = m_live.step;
  if (m_live.step % kSnapshotInterval == 0) m_marks.push_back({m_events.size(), m_live, m_live.step});
}

MachineState Recording::stateAt(int step) const {
  VITRINE_CHECK(step >= m_firstStep && step <= m_lastFinished);
  if (m_marks.empty()) return m_live;  // before any event
  const auto mark = std::prev(std::upper_bound(m_marks.begin(), m_marks.end(), step,
                                               [](int wanted, const Mark& m) { return wanted < m.step; }));
  MachineState state = mark->state;
  if (mark->step == step && step > m_firstStep) return state;  // taken when the step had just finished
  const std::span<const Event> last = eventsOf(step);
  const std::size_t end = static_cast<std::size_t>(last.data() - m_events.data()) + last.size();
  for (std::size_t i = mark->event; i < end; ++i) {
    state.apply(m_events[i]);
    const bool finished = std::holds_alternative<StepFinished>(m_events[i].body);
    if (finished && step > m_firstStep && state.step == step) break;
  }
  return state;
}

std::span<const Event> Recording::eventsOf(int step) const {
  if (step < m_firstStep) return {};
  const std::size_t index = static_cast<std::size_t>(step - m_firstStep);
  if (index >= m_stepBegin.size()) return {};
  const std::size_t end = index + 1 < m_stepBegin.size() ? m_stepBegin[index + 1] : m_events.size();
  return std::span(m_events).subspan(m_stepBegin[index], end - m_stepBegin[index]);
}

}  // namespace vitrine

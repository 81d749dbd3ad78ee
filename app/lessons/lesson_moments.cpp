#include "lessons/lesson_moments.h"

#include <utility>

namespace vitrine {

void LessonMoments::begin(std::vector<Breakpoint> moments) {
  m_moments = std::move(moments);
  m_hits.clear();
  m_breakpoints = {};
  watchNext();
}

void LessonMoments::begin(std::vector<Breakpoint> moments, const MachineState& state) {
  begin(std::move(moments));
  m_breakpoints.begin(state);
}

// What the breakpoints know of requests and sequences stays when their list changes.
void LessonMoments::watchNext() {
  std::vector<Breakpoint> next;
  if (m_hits.size() < m_moments.size()) next.push_back(m_moments[m_hits.size()]);
  m_breakpoints.set(std::move(next));
}

void LessonMoments::publish(const Event& event) {
  const auto hit = m_breakpoints.check(event);
  if (!hit) return;
  m_hits.push_back(*hit);
  watchNext();
}

}  // namespace vitrine

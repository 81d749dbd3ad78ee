// LessonMoments: the moments of a lesson that a run has come to, each looked for behind the one before.
//
// Thread: one. Read next: lesson.h, vitrine/breakpoints.h.
#pragma once

#include <vector>

#include "vitrine/breakpoints.h"
#include "vitrine/event_sink.h"

namespace vitrine {

class LessonMoments final : public EventSink {
 public:
  // In the order of the lesson. None has been reached; the run's events come from its beginning, or from
  // `state` on.
  void begin(std::vector<Breakpoint> moments);
  void begin(std::vector<Breakpoint> moments, const MachineState& state);

  void publish(const Event& event) override;

  std::size_t reached() const { return m_hits.size(); }  // the first so many of them
  const std::vector<BreakHit>& hits() const { return m_hits; }

 private:
  void watchNext();

  std::vector<Breakpoint> m_moments;
  std::vector<BreakHit> m_hits;
  Breakpoints m_breakpoints;  // the next moment alone
};

}  // namespace vitrine

// StepRate: sampled tokens per second over the last kSteps steps. The time is that inside phases, so a paused
// machine does not lower the rate. Thread: a value. Read next: statistics.h.
#pragma once

#include <deque>

#include "vitrine/event.h"

namespace vitrine {

std::int64_t phasesNs(const StepFinished& finished);      // all phases of a step, pauses left out
double perSecond(std::int64_t count, std::int64_t inNs);  // 0 when no time has passed

class StepRate {
 public:
  static constexpr std::size_t kSteps = 16;

  void add(const StepFinished& finished);
  double tokensPerSecond() const;  // 0 before any step

 private:
  struct Step {
    std::int64_t sampled, ns;
  };
  std::deque<Step> m_steps;
};

}  // namespace vitrine

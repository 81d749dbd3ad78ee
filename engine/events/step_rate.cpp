#include "vitrine/step_rate.h"

#include <numeric>

namespace vitrine {

std::int64_t phasesNs(const StepFinished& finished) {
  return std::accumulate(finished.phaseNs.begin(), finished.phaseNs.end(), std::int64_t{0});
}

double perSecond(std::int64_t count, std::int64_t inNs) {
  return inNs > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(inNs) : 0;
}

void StepRate::add(const StepFinished& finished) {
  if (m_steps.size() == kSteps) m_steps.pop_front();
  m_steps.push_back({finished.sampled, phasesNs(finished)});
}

double StepRate::tokensPerSecond() const {
  std::int64_t sampled = 0, ns = 0;
  for (const Step& step : m_steps) {
    sampled += step.sampled;
    ns += step.ns;
  }
  return perSecond(sampled, ns);
}

}  // namespace vitrine

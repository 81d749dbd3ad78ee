#include "sampling/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vitrine {
namespace {

constexpr std::size_t kLanes = 8;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

float maxLogit(std::span<const float> logits) {
  std::array<float, kLanes> lanes;
  lanes.fill(-kInfinity);
  std::size_t i = 0;
  for (; i + kLanes <= logits.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float logit = logits[i + lane];
      lanes[lane] = logit > lanes[lane] ? logit : lanes[lane];  // false for NaN, which so never wins
    }
  for (; i < logits.size(); ++i) lanes[0] = logits[i] > lanes[0] ? logits[i] : lanes[0];
  return *std::max_element(lanes.begin(), lanes.end());
}

int mostLikely(std::span<const float> logits) {
  const float max = maxLogit(logits);
  if (max == -kInfinity) return 0;
  return static_cast<int>(std::find(logits.begin(), logits.end(), max) - logits.begin());
}

double sumOfExponentials(std::span<const float> logits, float max, float scale) {
  std::array<double, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= logits.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += static_cast<double>(expOfNegative((logits[i + lane] - max) * scale));
  for (; i < logits.size(); ++i) lanes[0] += static_cast<double>(expOfNegative((logits[i] - max) * scale));
  double sum = 0;
  for (double lane : lanes) sum += lane;
  return sum;
}

// With w = exp(logit - max) and S their sum: H = ln S - sum(w * (logit - max)) / S, in nats.
double entropyBits(std::span<const float> logits) {
  const float max = maxLogit(logits);
  if (max == kInfinity) return std::log2(static_cast<double>(std::ranges::count(logits, kInfinity)));
  if (!std::isfinite(max)) return 0;
  double sum = 0, weighted = 0;
  for (const float logit : logits) {
    const float below = logit - max;
    const auto weight = static_cast<double>(expOfNegative(below));
    if (weight <= 0) continue;  // also NaN and -inf
    sum += weight;
    weighted += weight * static_cast<double>(below);
  }
  return std::max(0.0, (std::log(sum) - weighted / sum) / std::log(2.0));
}

LogNormaliser::LogNormaliser(std::span<const float> logits) : m_max(maxLogit(logits)) {
  if (m_max == kInfinity)
    m_logSum = std::log(static_cast<double>(std::count(logits.begin(), logits.end(), kInfinity)));
  else
    m_logSum = std::isfinite(m_max) ? std::log(sumOfExponentials(logits, m_max, 1.0f)) : 0;
}

double LogNormaliser::logprob(float logit) const {
  if (std::isnan(logit) || logit == -kInfinity) return -std::numeric_limits<double>::infinity();
  if (logit == m_max) return -m_logSum;
  return static_cast<double>(logit) - static_cast<double>(m_max) - m_logSum;  // -inf beside a +inf
}

}  // namespace vitrine

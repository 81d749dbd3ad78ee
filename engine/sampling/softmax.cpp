#include "sampling/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vitrine {
namespace {

constexpr std::size_t kLanes = 8;  // of a search for the largest
constexpr float kInfinity = std::numeric_limits<float>::infinity();

double addLanes(std::array<double, kSumLanes>& lanes) {
  for (std::size_t half = kSumLanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  return lanes[0];
}

// Four lanes at a time, as many floats as a vector of every 64-bit processor has, down the whole block.
double sumOfBlock(std::span<const float, kSumBlock> block, float max, float scale) {
  constexpr std::size_t kTogether = 4;
  std::array<double, kSumLanes> lanes;
  for (std::size_t first = 0; first < kSumLanes; first += kTogether) {
    std::array<double, kTogether> sums{};
    for (std::size_t row = first; row < kSumBlock; row += kSumLanes)
      for (std::size_t lane = 0; lane < kTogether; ++lane)
        sums[lane] += static_cast<double>(expOfNegative((block[row + lane] - max) * scale));
    std::ranges::copy(sums, lanes.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return addLanes(lanes);
}

double sumOfPart(std::span<const float> part, float max, float scale) {
  std::array<double, kSumLanes> lanes{};
  for (std::size_t i = 0; i < part.size(); ++i)
    lanes[i % kSumLanes] += static_cast<double>(expOfNegative((part[i] - max) * scale));
  return addLanes(lanes);
}

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

TokenId mostLikely(const LogitsRow& row) {
  if (const LogitsDigest* digest = row.digest()) return digest->mostLikely;
  const std::span<const float> logits = row.whole();
  const float max = maxLogit(logits);
  if (max == -kInfinity) return 0;
  return static_cast<TokenId>(std::find(logits.begin(), logits.end(), max) - logits.begin());
}

double sumOfExponentials(std::span<const float> logits, float max, float scale) {
  double sum = 0;
  for (; logits.size() >= kSumBlock; logits = logits.subspan(kSumBlock))
    sum += sumOfBlock(logits.first<kSumBlock>(), max, scale);
  if (!logits.empty()) sum += sumOfPart(logits, max, scale);
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

LogNormaliser::LogNormaliser(const LogitsRow& row) {
  if (const LogitsDigest* digest = row.digest()) {
    m_max = digest->max;
    m_logSum = std::log(digest->sum);
    return;
  }
  const std::span<const float> logits = row.whole();
  m_max = maxLogit(logits);
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

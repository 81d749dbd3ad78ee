// The sums behind a softmax: exponentials over a whole vocabulary.
//
// The exponential is written out (range reduction to [-ln2/2, ln2/2], then a polynomial, Cody & Waite 1980),
// so that a compiler turns the loop into SIMD and the weights do not depend on the C library. A sum has eight
// double lanes and always the same order. Thread: any; no state. Read next: candidates.h.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace vitrine {

// exp(x) for x <= 0 to about two units in the last place; 0 below -87, where float32 runs out, and for NaN.
inline float expOfNegative(float x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  const float inside = x < -87.0f ? -87.0f : x;
  const float shifted = inside * 1.44269504f + kRound;
  const float n = shifted - kRound;
  const float r = (inside - n * 0.693359375f) + n * 2.12194440e-4f;  // ln 2 in two parts
  float poly = 1.0f / 5040;
  poly = poly * r + 1.0f / 720;
  poly = poly * r + 1.0f / 120;
  poly = poly * r + 1.0f / 24;
  poly = poly * r + 1.0f / 6;
  poly = poly * r + 0.5f;
  poly = poly * r + 1.0f;
  poly = poly * r + 1.0f;
  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(shifted) + 127u) << 23;
  const float result = poly * std::bit_cast<float>(exponent);
  return x >= -87.0f ? result : 0.0f;
}

// The largest logit; NaN counts as -inf.
float maxLogit(std::span<const float> logits);

// The smallest id with the largest logit; 0 when no logit is above -inf.
int mostLikely(std::span<const float> logits);

// Sum of exp((logit - max) * scale). Requires a finite max that is not below any logit; NaN counts as -inf.
double sumOfExponentials(std::span<const float> logits, float max, float scale);

// Shannon's entropy of softmax(logits), in bits: 0 for one certain token, log2(n) for n equal ones. NaN
// counts as -inf. Logits of +inf share the whole probability; 0 when no logit is above -inf.
double entropyBits(std::span<const float> logits);

// Turns a logit into a logprob by the log of the sum of all exponentials. Logits of +inf share the whole
// probability.
struct LogNormaliser {
  explicit LogNormaliser(std::span<const float> logits);
  double logprob(float logit) const;

 private:
  float m_max;
  double m_logSum;
};

}  // namespace vitrine

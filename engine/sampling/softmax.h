// The sums behind a softmax: exponentials over a whole vocabulary.
//
// A sum has always the order of core/exponential.h, so the numbers are the same on any processor, and the
// same as in a digest that a GPU has made of a row. Thread: any; no state. Read next: candidates.h.
#pragma once

#include <span>

#include "core/exponential.h"
#include "core/logits_row.h"

namespace vitrine {

// The largest logit; NaN counts as -inf.
float maxLogit(std::span<const float> logits);

// The smallest id with the largest logit; 0 when no logit is above -inf.
TokenId mostLikely(const LogitsRow& logits);

// Sum of exp((logit - max) * scale). Requires a finite max that is not below any logit; NaN counts as -inf.
double sumOfExponentials(std::span<const float> logits, float max, float scale);

// Shannon's entropy of softmax(logits), in bits: 0 for one certain token, log2(n) for n equal ones. NaN
// counts as -inf. Logits of +inf share the whole probability; 0 when no logit is above -inf.
double entropyBits(std::span<const float> logits);

// Turns a logit into a logprob by the log of the sum of all exponentials. Logits of +inf share the whole
// probability.
struct LogNormaliser {
  explicit LogNormaliser(const LogitsRow& row);
  double logprob(float logit) const;

 private:
  float m_max;
  double m_logSum;
};

}  // namespace vitrine

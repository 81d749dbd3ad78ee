// Acceptance: whether a drafted token may stay, and what stands in its place when it may not, so that the
// tokens that come out follow the model's own distribution p whatever the drafter's q was.
//
// Speculative sampling (Leviathan et al., arXiv 2211.17192; Chen et al., 2302.01318): a token drawn from q
// stays with probability min(1, p/q); otherwise one is drawn from the residual max(0, p - q), normalised.
// Both are distributions after every stage of the sampler. All functions are pure. Thread: any. Read next:
// sampler.h.
#pragma once

#include <cstdint>
#include <span>

#include "vitrine/tokenizer.h"

namespace vitrine {

// Which of a position's random numbers is used for what (core/philox.h); all are independent.
enum class DrawUse : std::uint32_t { kSample, kDraft, kAccept, kResidual };

// Probabilities [vocabulary] that sum to one. q may be empty: a drafter that is certain, q = 1 at its token.
struct AcceptanceTest {
  double p, q;    // of the drafted token
  bool accepted;  // uniform < p / q
};
AcceptanceTest testDraft(TokenId drafted, std::span<const double> p, std::span<const double> q,
                         double uniform);

// Draws from max(0, p - q), normalised; from p where rounding leaves nothing of it. Requires a rejection.
TokenId drawResidual(TokenId drafted, std::span<const double> p, std::span<const double> q, double uniform);

// The inverse of the cumulative distribution in order of ids; weights need not sum to one.
TokenId drawFrom(std::span<const double> weights, double uniform);

}  // namespace vitrine

// Acceptance by rejection sampling (DraftAcceptance::kRejection): decides whether a draft token is accepted,
// and draws its replacement when it is rejected, so that the tokens follow the model's own distribution p for
// every distribution q of the drafter.
//
// Speculative sampling (Leviathan et al., arXiv 2211.17192; Chen et al., 2302.01318): a token drawn from q is
// accepted with probability min(1, p/q); otherwise one is drawn from the residual max(0, p - q), normalised.
// p and q are taken after all stages of the sampler. All functions are pure and allocate nothing. Thread:
// any. Read next: draw_key.h, sampler.h.
#pragma once

#include <span>

#include "vitrine/tokenizer.h"

namespace vitrine {

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

#include "sampling/acceptance.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"

namespace vitrine {
namespace {

// The first token at which the sum of the weights exceeds the target.
template <typename Weight>
TokenId drawBy(std::size_t tokens, const Weight& weight, double target) {
  double reached = 0;
  std::size_t drawn = 0;
  for (std::size_t token = 0; token < tokens; ++token) {
    const double w = weight(token);
    if (w <= 0) continue;
    drawn = token;  // rounding may leave the target just beyond the last one
    reached += w;
    if (reached > target) break;
  }
  return static_cast<TokenId>(drawn);
}

}  // namespace

AcceptanceTest testDraft(TokenId drafted, std::span<const double> p, std::span<const double> q,
                         double uniform) {
  const auto token = static_cast<std::size_t>(drafted);
  VITRINE_CHECK(drafted >= 0 && token < p.size() && (q.empty() || q.size() == p.size()));
  // [why:draft-rejection]
  const double model = p[token], draft = q.empty() ? 1 : q[token];
  return {model, draft, uniform * draft < model};
  // [/why:draft-rejection]
}

TokenId drawResidual(TokenId drafted, std::span<const double> p, std::span<const double> q, double uniform) {
  const auto residual = [&](std::size_t token) {
    if (q.empty()) return token == static_cast<std::size_t>(drafted) ? 0.0 : p[token];
    return std::max(0.0, p[token] - q[token]);
  };
  double total = 0;
  for (std::size_t token = 0; token < p.size(); ++token) total += residual(token);
  return total > 0 ? drawBy(p.size(), residual, uniform * total) : drawFrom(p, uniform);
}

TokenId drawFrom(std::span<const double> weights, double uniform) {
  VITRINE_CHECK(!weights.empty());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  return drawBy(
      weights.size(), [&](std::size_t token) { return weights[token]; }, uniform * total);
}

}  // namespace vitrine

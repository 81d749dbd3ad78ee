#include "sampling/acceptance.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/check.h"

namespace vitrine {

AcceptanceTest testDraft(TokenId drafted, std::span<const double> p, std::span<const double> q,
                         double uniform) {
  const auto token = static_cast<std::size_t>(drafted);
  VITRINE_CHECK(drafted >= 0 && token < p.size() && (q.empty() || q.size() == p.size()));
  const double model = p[token], draft = q.empty() ? 1 : q[token];
  return {model, draft, uniform * draft < model};
}

TokenId drawResidual(TokenId drafted, std::span<const double> p, std::span<const double> q, double uniform) {
  std::vector<double> residual(p.begin(), p.end());
  if (q.empty())
    residual[static_cast<std::size_t>(drafted)] = 0;
  else
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = std::max(0.0, p[i] - q[i]);
  const bool nothing = std::ranges::all_of(residual, [](double weight) { return weight <= 0; });
  return drawFrom(nothing ? p : residual, uniform);
}

TokenId drawFrom(std::span<const double> weights, double uniform) {
  VITRINE_CHECK(!weights.empty());
  const double target = uniform * std::accumulate(weights.begin(), weights.end(), 0.0);
  double mass = 0;
  std::size_t token = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    token = i;  // rounding may leave the target just beyond the last one
    mass += weights[i];
    if (mass > target) break;
  }
  return static_cast<TokenId>(token);
}

}  // namespace vitrine

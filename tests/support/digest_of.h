// The digest of a row of logits by the host's own functions: what a backend's must equal, to the bit.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/logits_row.h"
#include "sampling/softmax.h"

namespace vitrine::test {

inline LogitsDigest digestOf(std::span<const float> logits, const RowWish& wish) {
  LogitsDigest digest;
  digest.isFinite = std::ranges::all_of(logits, [](float logit) { return std::isfinite(logit); });
  if (!digest.isFinite) return digest;
  digest.max = maxLogit(logits);
  digest.mostLikely = mostLikely(logits);
  digest.sum = sumOfExponentials(logits, digest.max, 1);
  digest.scale = wish.scale;
  digest.scaledSum = sumOfExponentials(logits, digest.max, wish.scale);
  for (std::size_t i = 0; i < logits.size(); ++i) digest.top.push_back({logits[i], static_cast<TokenId>(i)});
  const std::size_t kept = std::min(logits.size(), static_cast<std::size_t>(wish.candidates));
  std::ranges::partial_sort(digest.top, digest.top.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const RankedLogit& a, const RankedLogit& b) {
                              return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
                            });
  digest.top.resize(kept);
  return digest;
}

}  // namespace vitrine::test

// LogitsRow: the logits of one token, as the sampler sees them: all of them, or a digest that was made where
// they lie, with a way to get the others.
//
// A digest tells what most draws need: the sums behind a softmax and the most likely tokens. Its numbers are
// those that the host would compute from the whole row, to the bit, so a token does not depend on which of
// the two it was drawn from. Thread: values; fetching is the engine's thread's. Read next:
// backends/backend.h, which makes digests; sampling/candidates.h, which uses them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

inline constexpr int kMostDigestCandidates = 512;

// What is wanted of a row.
struct RowWish {
  static constexpr int kWhole = -1;
  float scale = 1;     // of LogitsDigest::scaledSum
  int candidates = 0;  // most likely tokens, up to kMostDigestCandidates; kWhole: the row, and no digest

  static RowWish whole() { return {1, kWhole}; }
  bool isWhole() const { return candidates == kWhole; }
};

struct RankedLogit {
  float logit;
  TokenId token;
};

struct LogitsDigest {
  bool isFinite = false;  // all logits are finite numbers; otherwise nothing else is known
  float max = 0;
  TokenId mostLikely = 0;  // the smallest id with the largest logit
  // Sums of exp((logit - max) * scale), at scale 1 and at the wish's, in the order of core/exponential.h.
  double sum = 0, scaledSum = 0;
  float scale = 1;
  // Most likely first, the smaller id first on a tie; as many as were wished for and as there are, or none.
  std::vector<RankedLogit> top;
};

class LogitsRow {
 public:
  using Fetch = std::function<std::span<const float>()>;

  // The whole row, which must stay valid.
  template <typename Floats>
  requires std::convertible_to<const Floats&, std::span<const float>> LogitsRow(const Floats& logits)
      : m_whole(logits), m_size(m_whole.size()) {}
  // The digest must stay valid; `fetch` gives the row of `size` logits.
  LogitsRow(const LogitsDigest& digest, std::size_t size, Fetch fetch)
      : m_size(size), m_digest(&digest), m_fetch(std::move(fetch)) {}

  std::size_t size() const { return m_size; }
  bool empty() const { return m_size == 0; }
  // Null: there is none, or the row is not all finite numbers.
  const LogitsDigest* digest() const {
    return m_digest != nullptr && m_digest->isFinite ? m_digest : nullptr;
  }
  std::span<const float> whole() const { return m_fetch ? m_fetch() : m_whole; }
  float logit(TokenId token) const {
    if (const LogitsDigest* known = digest()) {
      if (token == known->mostLikely) return known->max;
      const auto found = std::ranges::find(known->top, token, &RankedLogit::token);
      if (found != known->top.end()) return found->logit;
    }
    return whole()[static_cast<std::size_t>(token)];
  }

 private:
  std::span<const float> m_whole;
  std::size_t m_size;
  const LogitsDigest* m_digest = nullptr;
  Fetch m_fetch;  // empty: m_whole is the row
};

}  // namespace vitrine

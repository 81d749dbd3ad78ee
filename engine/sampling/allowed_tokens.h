// AllowedTokens: the tokens that may come next where a grammar says so (grammar/token_masks.h).
//
// Thread: values, of memory that belongs to the grammar's side. Read next: stages.h.
#pragma once

#include <cstdint>
#include <span>

#include "vitrine/ids.h"

namespace vitrine {

struct AllowedTokens {
  static constexpr std::size_t kBits = 64;

  std::span<const std::uint64_t> bits = {};  // a bit for each token, the first one lowest
  std::span<const TokenId> also = {};        // and these: the end tokens, where the answer may end

  bool has(TokenId token) const {
    const auto index = static_cast<std::size_t>(token);
    if (index / kBits < bits.size() && (bits[index / kBits] >> index % kBits & 1) != 0) return true;
    for (const TokenId one : also)
      if (one == token) return true;
    return false;
  }
};

// masked[i] = logits[i] of the tokens that are allowed, and -inf of all others. Where the model itself gives
// none of the allowed ones a chance, all of them get the same. Both: [vocabulary].
void maskLogits(const AllowedTokens& allowed, std::span<const float> logits, std::span<float> masked);

}  // namespace vitrine

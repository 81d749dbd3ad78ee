#include "sampling/allowed_tokens.h"

#include <algorithm>
#include <limits>

#include "sampling/softmax.h"

namespace vitrine {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

}  // namespace

// Most words of a mask are all ones or all zeros.
void maskLogits(const AllowedTokens& allowed, std::span<const float> logits, std::span<float> masked) {
  for (std::size_t begin = 0; begin < logits.size(); begin += AllowedTokens::kBits) {
    const std::size_t count = std::min(AllowedTokens::kBits, logits.size() - begin);
    const std::size_t word = begin / AllowedTokens::kBits;
    const std::uint64_t bits = word < allowed.bits.size() ? allowed.bits[word] : 0;
    const std::span<const float> from = logits.subspan(begin, count);
    const std::span<float> to = masked.subspan(begin, count);
    if (bits == 0)
      std::ranges::fill(to, kNever);
    else
      for (std::size_t i = 0; i < count; ++i) to[i] = (bits >> i & 1) != 0 ? from[i] : kNever;
  }
  for (const TokenId token : allowed.also)
    if (const auto index = static_cast<std::size_t>(token); index < masked.size())
      masked[index] = logits[index];
  if (maxLogit(masked) > kNever) return;
  for (std::size_t i = 0; i < masked.size(); ++i)
    if (allowed.has(static_cast<TokenId>(i))) masked[i] = 0;
}

}  // namespace vitrine

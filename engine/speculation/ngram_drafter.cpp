#include "speculation/ngram_drafter.h"

#include <algorithm>

namespace vitrine {

std::size_t NgramDrafter::findContinuation(std::span<const TokenId> tokens, int longest) {
  if (tokens.size() < 2) return 0;
  for (std::size_t n = std::min(static_cast<std::size_t>(longest), tokens.size() - 1); n > 0; --n) {
    const std::span<const TokenId> ending = tokens.last(n);
    for (std::size_t next = tokens.size() - 1; next >= n; --next)
      if (std::ranges::equal(tokens.subspan(next - n, n), ending)) return next;
  }
  return 0;
}

// The last token alone is looked up too, so without a match it is new to the text.
DraftOffer NgramDrafter::canPropose(const Sequence& sequence, int most) {
  if (findContinuation(sequence.tokens, m_longest) > 0) return {.tokens = most};
  return {.reason = NoDraftReason::kNoMatch};
}

// The copy may reach tokens of the draft itself: periodic text continues with its period.
void NgramDrafter::propose(const StepPlan&, std::span<Draft> drafts) {
  for (Draft& draft : drafts) {
    const std::vector<TokenId>& tokens = draft.sequence->tokens;
    const std::size_t next = findContinuation(tokens, m_longest);
    for (std::size_t i = 0; i < static_cast<std::size_t>(draft.wanted); ++i) {
      const std::size_t from = next + i;
      draft.tokens.push_back(from < tokens.size() ? tokens[from] : draft.tokens[from - tokens.size()]);
    }
  }
}

}  // namespace vitrine

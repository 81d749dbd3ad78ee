// NgramDrafter: finds an earlier position in the sequence with the same last tokens, and proposes the tokens
// that followed it.
//
// Prompt lookup decoding (Saxena 2023; the idea of REST, arXiv 2311.08252, within one context). It needs no
// model, so its tokens cost nothing; it helps where text repeats itself: code, summaries, lists. Thread: the
// engine's.
#pragma once

#include "speculation/drafter.h"

namespace vitrine {

class NgramDrafter final : public Drafter {
 public:
  // longest: the most last tokens that are looked up, >= 1.
  explicit NgramDrafter(int longest) : m_longest(longest) {}

  DraftOffer canPropose(const Sequence& sequence, int most) override;
  void propose(const StepPlan& plan, std::span<Draft> drafts) override;

  // Looks for the longest run of last tokens (at most `longest`) that occurs earlier, and takes its latest
  // occurrence. Returns the index of the token that followed it; 0: there is none.
  static std::size_t findContinuation(std::span<const TokenId> tokens, int longest);

 private:
  const int m_longest;
};

}  // namespace vitrine

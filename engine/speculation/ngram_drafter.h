// NgramDrafter: looks for an earlier place in the sequence that ended as it ends now, and proposes what came
// then.
//
// Prompt lookup decoding (Saxena 2023; the idea of REST, arXiv 2311.08252, within one context). No model: its
// tokens cost nothing, and pay where text repeats itself: code, summaries, lists. Thread: the engine's.
#pragma once

#include "speculation/drafter.h"

namespace vitrine {

class NgramDrafter final : public Drafter {
 public:
  explicit NgramDrafter(int longest) : m_longest(longest) {}  // tokens of an ending that is looked up, >= 1

  int canPropose(const Sequence& sequence, int most) override;
  void propose(const StepPlan& plan, std::span<Draft> drafts) override;

  // Where the latest earlier occurrence of the longest known ending (at most `longest` tokens) ends: the
  // place of the token that followed it. 0: there is none.
  static std::size_t findContinuation(std::span<const TokenId> tokens, int longest);

 private:
  const int m_longest;
};

}  // namespace vitrine

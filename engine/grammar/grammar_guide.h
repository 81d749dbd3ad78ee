// GrammarGuide: one grammar with one vocabulary: where answers are in it, and which tokens they may draw.
//
// Answers with the same grammar share a guide, and so what it has found out. An answer's place is a pure
// function of its tokens: GrammarPlace only spares reading them again. Errors: those of Automaton. Thread:
// one object, one thread. Read next: grammar_matcher.h, token_masks.h.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "grammar/token_masks.h"

namespace vitrine {

// Belongs to one answer, and is copied with its text.
struct GrammarPlace {
  GrammarMatcher::State state = GrammarMatcher::kDead;
  std::size_t tokens = 0;    // read so far
  std::uint64_t memory = 0;  // of the guide, when it read them; 0: none yet
};

class GrammarGuide {
 public:
  using State = GrammarMatcher::State;

  GrammarGuide(const Grammar& grammar, std::shared_ptr<const TokenTrie> trie);
  GrammarGuide(const GrammarGuide&) = delete;
  GrammarGuide& operator=(const GrammarGuide&) = delete;

  // Behind all tokens of the output; kDead: the grammar does not have them. Reads those that the place has
  // not read. A state is good until the next call of this function.
  State stateAfter(GrammarPlace& place, std::span<const TokenId> output);
  // Behind one more token. `tokens`: how many came before it.
  State advance(State state, TokenId token, std::size_t tokens) {
    return m_masks.advance(state, token, tokens == 0);
  }
  // What may come next, behind so many tokens; good until the next call of any function.
  const TokenMask& allowed(State state, std::size_t tokens) { return m_masks.allowed(state, tokens == 0); }

  bool mayEnd(State state) const { return m_matcher.mayEnd(state); }  // the text is whole
  bool isOver(State state) const { return m_matcher.isOver(state); }  // and nothing may follow

  const GrammarMatcher& matcher() const { return m_matcher; }

 private:
  static constexpr std::size_t kMostStates = 100'000;  // some hundred bytes each

  void forget();

  const Automaton m_automaton;
  const std::shared_ptr<const TokenTrie> m_trie;
  GrammarMatcher m_matcher;
  TokenMasks m_masks;
  std::uint64_t m_memory = 1;
};

}  // namespace vitrine

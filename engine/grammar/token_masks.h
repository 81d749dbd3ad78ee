// TokenMasks: which tokens a grammar allows next.
//
// A token is allowed when its bytes lead from the state to another one, so the vocabulary's tree is walked.
// Most of that work does not depend on the state but on its nodes alone, and is kept for each node, as
// XGrammar does (arXiv 2411.15100): a walk from the node with unknown calls behind it finds the tokens that
// stay within its rule, and the places where a token leaves the rule. Only below those places the tokens are
// looked at for each state. A state's mask is kept as well. Both stores are emptied when they are full, which
// changes no mask.
//
// Thread: one object, one thread. Read next: grammar_guide.h.
#pragma once

#include <unordered_map>
#include <vector>

#include "grammar/grammar_matcher.h"
#include "grammar/token_trie.h"

namespace vitrine {

using TokenMask = std::vector<std::uint64_t>;  // a bit for each token, the first one lowest

class TokenMasks {
 public:
  TokenMasks(GrammarMatcher& matcher, const TokenTrie& trie);  // both must outlive it

  // The tokens that may come next; good until the next call. In the state before the first token, what
  // TokenTrie::dropsFirstSpace() says is minded.
  const TokenMask& allowed(GrammarMatcher::State state, bool isFirst);
  // The state behind a token, kDead where it is not allowed.
  GrammarMatcher::State advance(GrammarMatcher::State state, TokenId token, bool isFirst);

  void forget();  // the matcher's states have other numbers now

 private:
  using State = GrammarMatcher::State;
  struct Local {
    TokenMask mask;
    std::vector<int> open;  // nodes of the tree at which a token has left the rule
  };
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of each store

  // Adds the tokens below a node of the tree that lead somewhere from the state there.
  void walk(State state, int top, TokenMask& mask, std::vector<int>* open);
  TokenMask firstMask(State state);
  TokenMask maskOf(State state);
  const Local& localOf(int node);
  std::size_t mostKept() const;

  GrammarMatcher& m_matcher;
  const TokenTrie& m_trie;
  const std::size_t m_words;
  std::unordered_map<int, Local> m_locals;
  std::unordered_map<State, TokenMask> m_masks;
  TokenMask m_first;
  std::vector<State> m_path;  // [depth] of walk()
};

}  // namespace vitrine

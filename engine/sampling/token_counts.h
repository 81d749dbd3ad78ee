// TokenCounts: visits each token of a history once, for the penalties of sampling and of beam search.
//
// Invariant: all counts are zero between calls. Keeps its memory, so that a step allocates nothing.
// Thread: one object, one thread. Read next: sampler.h.
#pragma once

#include <span>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

// The tokens of a sequence so far.
struct TokenHistory {
  std::span<const TokenId> prompt = {};
  std::span<const TokenId> output = {};
  std::span<const TokenId> draft = {};  // a draft's tokens so far, which continue the output

  std::size_t size() const { return prompt.size() + output.size() + draft.size(); }
};

class TokenCounts {
 public:
  // Calls visit(token's index, its count in output and draft) once for each token of the history. Ids outside
  // 0 .. vocabulary - 1 are passed over.
  template <typename Visit>
  void forEach(const TokenHistory& history, std::size_t vocabulary, const Visit& visit) {
    constexpr int kVisited = -1;
    m_counts.resize(vocabulary, 0);
    for (std::span<const TokenId> tokens : {history.output, history.draft})
      for (TokenId token : tokens)
        if (isKnown(token)) ++m_counts[static_cast<std::size_t>(token)];
    for (std::span<const TokenId> tokens : {history.output, history.draft, history.prompt})
      for (TokenId token : tokens) {
        if (!isKnown(token)) continue;
        const auto index = static_cast<std::size_t>(token);
        if (m_counts[index] != kVisited) visit(index, m_counts[index]);
        m_counts[index] = kVisited;
      }
    for (std::span<const TokenId> tokens : {history.output, history.draft, history.prompt})
      for (TokenId token : tokens)
        if (isKnown(token)) m_counts[static_cast<std::size_t>(token)] = 0;
  }

 private:
  bool isKnown(TokenId token) const {
    return token >= 0 && static_cast<std::size_t>(token) < m_counts.size();
  }

  std::vector<int> m_counts;  // [vocabulary]
};

}  // namespace vitrine

// TokenTrie: a vocabulary as a tree of bytes, so that what a grammar forbids of a beginning is decided once
// for all tokens that begin so.
//
// The nodes lie in one list, each before those below it: a subtree is a range. Tokens without bytes (special
// ones) and those that end an answer are not in it. Thread: immutable. Read next: token_masks.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vitrine/tokenizer.h"

namespace vitrine {

class TokenTrie {
 public:
  struct Node {
    std::uint8_t byte = 0;
    int depth = 0;  // bytes from the root to here
    int end = 0;    // behind the last node below this one
    int firstToken = 0, tokens = 0;
  };

  // endTokens: those that end an answer. They are no text of it, also where the tokenizer gives them some.
  TokenTrie(const Tokenizer& tokenizer, int vocabularySize, std::span<const TokenId> endTokens);
  // For tests: the bytes of each token; empty: it is not in the tree.
  explicit TokenTrie(std::vector<std::string> tokens, bool dropsFirstSpace = false);

  int vocabularySize() const { return static_cast<int>(m_bytes.size()); }
  const std::vector<Node>& nodes() const { return m_nodes; }  // [0] is the root
  std::span<const TokenId> tokensAt(const Node& node) const {
    return std::span(m_tokens).subspan(static_cast<std::size_t>(node.firstToken),
                                       static_cast<std::size_t>(node.tokens));
  }
  const std::string& bytesOf(TokenId token) const { return m_bytes[static_cast<std::size_t>(token)]; }
  // Whether a space at the beginning of an answer's first token is not written, as SentencePiece has it.
  bool dropsFirstSpace() const { return m_dropsFirstSpace; }

 private:
  void build();

  std::vector<std::string> m_bytes;  // [vocabulary]
  std::vector<Node> m_nodes;
  std::vector<TokenId> m_tokens;
  bool m_dropsFirstSpace = false;
};

}  // namespace vitrine

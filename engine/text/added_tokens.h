// AddedTokens: the tokens looked for in the text itself, before the model sees it.
//
// Source: the added vocabulary of Hugging Face's tokenizers library: leftmost, then longest; first the tokens
// that are matched as written, then, in the normalized text between them, the ones that are matched
// normalized. Thread: immutable after prepare(). Read next: pipeline_tokenizer.h.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/normalizer.h"
#include "text/pre_tokenizer.h"

namespace vitrine {

struct AddedToken {
  std::string content;
  TokenId id = -1;
  bool singleWord = false;  // only where no word character touches it
  bool lstrip = false;      // swallows the white space to its left
  bool rstrip = false;
  bool normalized = false;  // looked for in the normalized text, itself normalized
  bool special = false;     // left out of decoded text
};

class AddedTokens {
 public:
  // Takes the place of an earlier token of the same id.
  void add(AddedToken token);

  // Must be called once after the last add().
  void prepare(const Normalizer& normalizer);

  // Splits the text at added tokens, and normalizes the parts between them. A special token that touches a
  // `written` range is left as text. Requires valid UTF-8. Throws what normalizing throws.
  std::vector<Piece> split(std::string_view text, std::span<const TextRange> written,
                           const Normalizer& normalizer, WorkLimit& limit) const;
  // The same, normalizing nothing.
  std::vector<Piece> split(std::string_view text, std::span<const TextRange> written) const;

  const AddedToken* find(TokenId id) const;
  const AddedToken* find(std::string_view content) const;
  bool empty() const { return m_tokens.empty(); }
  TokenId last() const { return m_tokens.empty() ? -1 : m_tokens.rbegin()->first; }

  // How a decoder is to see the token: normalized, if it is matched so.
  const std::string& decodedText(TokenId id) const { return m_decoded.at(id); }

 private:
  // All contents as one tree of bytes, to find the longest at a place in one walk.
  class Tree {
   public:
    void insert(std::string_view content, TokenId id);
    bool empty() const { return m_next.empty(); }
    struct Match {
      std::size_t begin = 0, end = 0;
      TokenId id = -1;
    };
    // The first match at or after `from`; id -1 when there is none.
    Match find(std::string_view text, std::size_t from) const;

   private:
    std::unordered_map<std::uint64_t, std::uint32_t> m_next;  // node << 8 | byte
    std::vector<TokenId> m_ids{-1};                           // by node; the root is 0
    std::bitset<256> m_firstBytes;
  };

  void splitPiece(const Piece& piece, std::span<const TextRange> written, const Tree& tree,
                  std::vector<Piece>& out) const;

  std::map<TokenId, AddedToken> m_tokens;
  std::unordered_map<std::string, TokenId> m_byContent;
  std::unordered_map<TokenId, std::string> m_decoded;
  Tree m_asWritten, m_normalized;
  bool m_normalizesSpecial = false;  // a special token is among those matched normalized
};

}  // namespace vitrine

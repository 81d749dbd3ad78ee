// BpeModel: byte pair encoding of one word.
//
// Source: Sennrich et al. 2016, arXiv 1508.07909; byte fallback from SentencePiece. The pair with the lowest
// rank is merged first, the leftmost of equals; a heap keeps that O(n log n) for a word of n characters, and
// a text that is not cut into words is one long word. Thread: immutable once built. Read next:
// pipeline_tokenizer.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/json_field.h"
#include "text/vocabulary.h"

namespace vitrine {

class BpeModel {
 public:
  struct Options {
    std::string unknownToken;   // empty: unknown characters are left out
    bool fuseUnknown = false;   // neighbours that are unknown become one token
    bool byteFallback = false;  // an unknown character becomes the tokens "<0x..>" of its bytes
    bool ignoreMerges = false;  // a word that is a token needs no merges to become it
  };

  BpeModel(Vocabulary vocabulary, Options options);  // without merges yet
  explicit BpeModel(const JsonField& description);   // the "model" of a tokenizer.json

  // Appends merges "a b" in the order of their ranks. Returns the first that is no two tokens of the
  // vocabulary that make a third, where it stops; none: all were added.
  std::optional<std::size_t> addMerges(std::span<const std::string> lines);

  // Appends the ids of one word. Throws EngineError(kFileCorrupt) when the unknown token is needed but
  // absent.
  void encode(std::string_view word, std::vector<TokenId>& ids) const;

  const Vocabulary& vocabulary() const { return m_vocabulary; }

 private:
  struct Merge {
    std::uint32_t rank;
    TokenId merged;
  };
  struct Symbol {
    TokenId id;
    int previous, next;  // -1 at the ends
    bool gone = false;
  };

  void readMerges(const JsonField& merges);
  bool addMerge(std::string_view left, std::string_view right);  // the next in rank; false: unknown tokens
  std::vector<Symbol> symbolsOf(std::string_view word) const;
  bool addBytes(std::string_view character, std::vector<Symbol>& symbols) const;
  TokenId unknownId() const;
  void mergeAll(std::vector<Symbol>& symbols) const;
  const Merge* mergeOf(TokenId left, TokenId right) const;

  Vocabulary m_vocabulary;
  Options m_options;
  std::optional<TokenId> m_unknown;
  std::vector<std::optional<TokenId>> m_bytes;  // the tokens "<0x00>" to "<0xFF>"
  std::unordered_map<std::uint64_t, Merge> m_merges;
  std::uint32_t m_nextRank = 0;
  std::string m_joined;  // room for addMerge()
};

}  // namespace vitrine

// LetterTokenizer: one letter a token, for tests of the engine that need text and no files.
#pragma once

#include <string>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

class LetterTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  explicit LetterTokenizer(TokenId eos = 7) : m_eos(eos) {}

  int vocabularySize() const override { return 61; }
  using Tokenizer::encode;
  std::vector<TokenId> encode(std::string_view text, bool, std::span<const TextRange>) const override {
    std::vector<TokenId> ids;
    for (char letter : text) {
      const std::size_t id = kLetters.find(letter);
      if (id == std::string_view::npos) throw EngineError(ErrorCode::kInvalidArgument, "not a letter");
      ids.push_back(static_cast<TokenId>(id));
    }
    return ids;
  }
  std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens) const override {
    std::string text;
    for (TokenId id : ids) {
      if (!(skipSpecialTokens && isSpecial(id))) text += piece(id);
    }
    return text;
  }
  std::string piece(TokenId id) const override {
    return id < 0 || id >= vocabularySize() ? "" : std::string(1, kLetters[static_cast<std::size_t>(id)]);
  }
  std::optional<TokenId> find(std::string_view piece) const override {
    return piece.size() == 1 ? std::optional(encode(piece, false)[0]) : std::nullopt;
  }
  bool isSpecial(TokenId id) const override { return id == m_eos; }
  std::optional<TokenId> bosToken() const override { return std::nullopt; }
  std::optional<TokenId> eosToken() const override { return m_eos; }

 private:
  const TokenId m_eos;
};

}  // namespace vitrine

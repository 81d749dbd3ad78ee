// PipelineTokenizer: the tokenizer a tokenizer.json describes, in the order the text goes through it:
// added tokens and normalizer, pre-tokenizer, BPE, special tokens around; and the decoder on the way back.
//
// Source: Hugging Face's tokenizers library. Thread: immutable. Read next: added_tokens.h, bpe_model.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/added_tokens.h"
#include "text/bpe_model.h"
#include "text/normalizer.h"
#include "text/pre_tokenizer.h"
#include "text/token_decoder.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

struct TokenizerParts {
  Normalizer normalizer;
  PreTokenizer preTokenizer;
  std::optional<BpeModel> model;  // must be set in the end
  AddedTokens added;              // not yet prepared
  TokenDecoder decoder;
  std::vector<TokenId> before, after;  // what addSpecialTokens puts around a text
  std::optional<TokenId> bos, eos;

  std::optional<TokenId> find(std::string_view text) const;
  // The id is kept if the text has one already; otherwise the next free one.
  void addToken(AddedToken token);
};

class PipelineTokenizer : public Tokenizer {
 public:
  explicit PipelineTokenizer(TokenizerParts parts);

  int vocabularySize() const override { return m_size; }
  using Tokenizer::encode;
  std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens,
                              std::span<const TextRange> written) const override;
  std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens) const override;
  std::string piece(TokenId id) const override;
  std::optional<TokenId> find(std::string_view piece) const override { return m_parts.find(piece); }
  bool isSpecial(TokenId id) const override;
  std::optional<TokenId> bosToken() const override { return m_parts.bos; }
  std::optional<TokenId> eosToken() const override { return m_parts.eos; }

 private:
  TokenizerParts m_parts;
  int m_size;
};

// Throws EngineError(kInvalidArgument) for a text that is not valid UTF-8.
void mustBeUtf8(std::string_view text);

}  // namespace vitrine

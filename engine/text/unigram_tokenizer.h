// UnigramTokenizer: a SentencePiece unigram model (Kudo 2018, arXiv 1804.10959), encoded by libsentencepiece.
//
// Thread: immutable. Read next: sentencepiece_model.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/added_tokens.h"
#include "text/segmenter_module.h"
#include "text/sentencepiece_model.h"
#include "text/tokenizer_config.h"
#include "text/vocabulary.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

class UnigramTokenizer : public Tokenizer {
 public:
  // Throws EngineError(kFileCorrupt) when libsentencepiece does not take the model.
  UnigramTokenizer(SentencePieceModel model, const std::string& file, const TokenizerConfig& config);

  int vocabularySize() const override { return m_size; }
  std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens) const override;
  std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens) const override;
  std::string piece(TokenId id) const override;
  std::optional<TokenId> find(std::string_view piece) const override;
  bool isSpecial(TokenId id) const override;
  std::optional<TokenId> bosToken() const override { return m_bos; }
  std::optional<TokenId> eosToken() const override { return m_eos; }

 private:
  bool has(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < m_model.pieces.size(); }
  void addTokens(const TokenizerConfig& config);
  void addToken(AddedToken token);
  std::string surface(TokenId id, bool& atStart) const;

  SentencePieceModel m_model;
  std::unique_ptr<Segmenter> m_segmenter;
  Vocabulary m_vocabulary;
  AddedTokens m_added;
  std::optional<TokenId> m_bos, m_eos;
  bool m_addBos = true, m_addEos = false;
  int m_size = 0;
};

}  // namespace vitrine

#include "text/sentencepiece_tokenizer.h"

#include "text/pipeline_tokenizer.h"
#include "text/sentencepiece_model.h"
#include "text/tokenizer_json.h"
#include "text/unigram_tokenizer.h"
#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

// Every cut of a piece into two pieces is a merge. Rank: by the merged piece's id, then the shorter left part
// first.
void addMerges(BpeModel& model) {
  const Vocabulary& vocabulary = model.vocabulary();
  for (TokenId id = 0; id < vocabulary.end(); ++id) {
    const std::string text = vocabulary.text(id);
    for (std::size_t cut = utf8::decode(text).length; cut < text.size();
         cut += utf8::decode(std::string_view(text).substr(cut)).length) {
      const auto left = vocabulary.find(std::string_view(text).substr(0, cut));
      const auto right = left ? vocabulary.find(std::string_view(text).substr(cut)) : std::nullopt;
      if (right) model.addMerge(*left, *right, id);
    }
  }
}

std::unique_ptr<Tokenizer> bpeTokenizer(const SentencePieceModel& model, TokenizerConfig config) {
  Vocabulary vocabulary;
  for (std::size_t id = 0; id < model.pieces.size(); ++id)
    vocabulary.add(model.pieces[id].text, static_cast<TokenId>(id));
  TokenizerParts parts;
  parts.model.emplace(std::move(vocabulary), BpeModel::Options{"", true, true, false});
  addMerges(*parts.model);
  const bool prefix = config.addPrefixSpace.value_or(true);
  const PrependScheme scheme = !prefix                         ? PrependScheme::kNever
                               : config.legacy.value_or(false) ? PrependScheme::kAlways
                                                               : PrependScheme::kFirst;
  parts.preTokenizer = PreTokenizer::metaspace(scheme, /*split=*/false);
  parts.decoder = TokenDecoder::byteFallback(/*stripFirstSpace=*/prefix);
  const auto pieceAt = [&](int id) {
    const bool valid = id >= 0 && static_cast<std::size_t>(id) < model.pieces.size();
    return valid ? std::optional<std::string>(model.pieces[static_cast<std::size_t>(id)].text) : std::nullopt;
  };
  if (!config.bos) config.bos = pieceAt(model.bosId);
  if (!config.eos) config.eos = pieceAt(model.eosId);
  if (!config.addBos) config.addBos = true;  // a Llama tokenizer does unless it is told not to
  for (const auto& [text, score, kind] : model.pieces) {
    if (kind == PieceKind::kNormal || kind == PieceKind::kByte || kind == PieceKind::kUnused) continue;
    AddedToken token;
    token.content = text;
    token.special = kind != PieceKind::kUserDefined;
    parts.addToken(std::move(token));
  }
  applyConfig(parts, config);
  return std::make_unique<PipelineTokenizer>(std::move(parts));
}

}  // namespace

std::unique_ptr<Tokenizer> parseSentencePiece(std::string_view bytes, const std::string& file,
                                              const TokenizerConfig& config) {
  SentencePieceModel model = SentencePieceModel::parse(bytes, file);
  switch (model.algorithm) {
    case SentencePieceAlgorithm::kBpe:
      return bpeTokenizer(model, config);
    case SentencePieceAlgorithm::kUnigram:
      return std::make_unique<UnigramTokenizer>(std::move(model), file, config);
    case SentencePieceAlgorithm::kWord:
    case SentencePieceAlgorithm::kCharacter:
      break;
  }
  throw EngineError(ErrorCode::kUnsupported, file + " is a SentencePiece model of words or characters",
                    "Vitrine reads unigram and BPE models.");
}

}  // namespace vitrine

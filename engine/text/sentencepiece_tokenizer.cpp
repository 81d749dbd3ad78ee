#include "text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "text/added_tokens.h"
#include "text/pipeline_tokenizer.h"
#include "text/segmenter_module.h"
#include "text/sentencepiece_model.h"
#include "text/token_decoder.h"
#include "text/utf8.h"
#include "text/vocabulary.h"
#include "vitrine/error.h"
#include "vitrine/module.h"

namespace vitrine {
namespace {

constexpr std::string_view kMeta = "\xE2\x96\x81";  // ▁

std::unique_ptr<Segmenter> makeSegmenter(const std::string& model, const std::string& file) {
  const Module module =
      Module::open("libvitrine_sentencepiece.so", "SentencePiece's models are",
                   "build Vitrine whole (packaging/run does), or set VITRINE_MODULE_PATH to the "
                   "folder of libvitrine_sentencepiece.so");
  std::string error;
  std::unique_ptr<Segmenter> segmenter(module.symbol<MakeSegmenter>(kMakeSegmenter)(model, error));
  if (!segmenter)
    throw EngineError(ErrorCode::kFileCorrupt, file + ": " + error,
                      "The file is damaged or no SentencePiece model; fetch it again.");
  return segmenter;
}

class SentencePieceTokenizer final : public Tokenizer {
 public:
  SentencePieceTokenizer(SentencePieceModel model, const std::string& file, const TokenizerConfig& config);

  int vocabularySize() const override { return m_size; }
  using Tokenizer::encode;
  std::vector<TokenId> encode(std::string_view text, bool addSpecialTokens,
                              std::span<const TextRange> written) const override;
  std::string decode(std::span<const TokenId> ids, bool skipSpecialTokens) const override;
  std::string piece(TokenId id) const override;
  std::optional<TokenId> find(std::string_view piece) const override;
  bool isSpecial(TokenId id) const override;
  std::optional<TokenId> bosToken() const override { return m_bos; }
  std::optional<TokenId> eosToken() const override { return m_eos; }

 private:
  bool has(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < m_model.pieces.size(); }
  bool isBpe() const { return m_model.algorithm == SentencePieceAlgorithm::kBpe; }
  const SentencePieceModel::Entry& entry(TokenId id) const {
    return m_model.pieces[static_cast<std::size_t>(id)];
  }
  bool isWritten(TokenId id, bool skipSpecialTokens) const {
    return (has(id) || m_added.find(id)) && !(skipSpecialTokens && isSpecial(id));
  }
  bool isMark(PieceKind kind) const;
  void addTokens(const TokenizerConfig& config);
  void addToken(AddedToken token);
  std::string decodedAsLlama(std::span<const TokenId> ids, bool skipSpecialTokens) const;
  std::string surface(TokenId id, bool& atStart) const;

  SentencePieceModel m_model;
  std::unique_ptr<Segmenter> m_segmenter;
  std::unique_ptr<Segmenter> m_afterToken;  // without the space in front; null: the other one
  TokenDecoder m_decoder;
  Vocabulary m_vocabulary;
  AddedTokens m_added;
  std::optional<TokenId> m_bos, m_eos;
  bool m_addBos = true, m_addEos = false;
  int m_size = 0;
};

SentencePieceTokenizer::SentencePieceTokenizer(SentencePieceModel model, const std::string& file,
                                               const TokenizerConfig& config)
    : m_model(std::move(model)) {
  const bool prefix = config.addPrefixSpace.value_or(m_model.addDummyPrefix);
  m_model.addDummyPrefix = prefix;
  m_segmenter = makeSegmenter(m_model.serialized(), file);
  if (prefix && !config.legacy.value_or(!isBpe())) {
    SentencePieceModel bare = m_model;
    bare.addDummyPrefix = false;
    m_afterToken = makeSegmenter(bare.serialized(), file);
  }
  m_decoder = TokenDecoder::byteFallback(/*stripFirstSpace=*/prefix);
  for (std::size_t id = 0; id < m_model.pieces.size(); ++id)
    m_vocabulary.add(m_model.pieces[id].text, static_cast<TokenId>(id));
  if (has(m_model.bosId)) m_bos = m_model.bosId;
  if (has(m_model.eosId)) m_eos = m_model.eosId;
  addTokens(config);
  if (config.bos) m_bos = find(*config.bos);
  if (config.eos) m_eos = find(*config.eos);
  m_addBos = config.addBos.value_or(true);  // a Llama tokenizer adds it unless the config says otherwise
  m_addEos = config.addEos.value_or(false);
  m_added.prepare(Normalizer());
  m_size = std::max(m_vocabulary.end(), m_added.last() + 1);
}

// Whether pieces of this kind are recognised in a text. "<unk>" written in a text is text to SentencePiece,
// and comes back as its own surface, not as nothing; transformers reads BPE models otherwise.
bool SentencePieceTokenizer::isMark(PieceKind kind) const {
  return kind == PieceKind::kControl ||
         (isBpe() && (kind == PieceKind::kUnknown || kind == PieceKind::kUserDefined));
}

void SentencePieceTokenizer::addToken(AddedToken token) {
  if (token.content.empty()) return;
  const auto id = find(token.content);
  if (id && has(*id) && entry(*id).kind == PieceKind::kUnknown && !isMark(PieceKind::kUnknown)) return;
  token.id = id ? *id : std::max(m_vocabulary.end(), m_added.last() + 1);
  token.normalized = false;  // the normalizer here is libsentencepiece's own
  m_added.add(std::move(token));
}

void SentencePieceTokenizer::addTokens(const TokenizerConfig& config) {
  for (const auto& [text, score, kind] : m_model.pieces) {
    if (!isMark(kind)) continue;
    AddedToken token;
    token.content = text;
    token.special = kind != PieceKind::kUserDefined;
    addToken(std::move(token));
  }
  for (const AddedToken& token : config.added) addToken(token);
  for (const AddedToken& token : config.furtherTokens()) {
    if (!m_added.find(token.content)) addToken(token);
  }
}

std::vector<TokenId> SentencePieceTokenizer::encode(std::string_view text, bool addSpecialTokens,
                                                    std::span<const TextRange> written) const {
  mustBeUtf8(text);
  std::vector<TokenId> ids;
  if (addSpecialTokens && m_addBos && m_bos) ids.push_back(*m_bos);
  for (const Piece& piece : m_added.split(text, written)) {
    if (!piece.isText()) {
      ids.push_back(piece.token);
      continue;
    }
    const Segmenter& segmenter = m_afterToken && !piece.atStart ? *m_afterToken : *m_segmenter;
    std::vector<int> found;
    std::string error;
    if (!segmenter.encode(piece.text, found, error))
      throw EngineError(ErrorCode::kFileCorrupt, "the SentencePiece model cannot encode this text: " + error);
    ids.insert(ids.end(), found.begin(), found.end());
  }
  if (addSpecialTokens && m_addEos && m_eos) ids.push_back(*m_eos);
  return ids;
}

// The text of one piece. The space that encoding put in front of the text is taken away again, and all spaces
// there if the model removes them anyway.
std::string SentencePieceTokenizer::surface(TokenId id, bool& atStart) const {
  if (entry(id).kind == PieceKind::kUnknown) {
    atStart = false;
    return m_model.unknownSurface;
  }
  std::string_view rest = entry(id).text;
  if (atStart && (m_model.addDummyPrefix || m_model.removeExtraWhitespace)) {
    const bool hasPrefix = rest.substr(0, kMeta.size()) == kMeta;
    if (hasPrefix) rest.remove_prefix(kMeta.size());
    if (hasPrefix && !m_model.removeExtraWhitespace) atStart = false;
  }
  if (!rest.empty()) atStart = false;
  return Replacement(std::string(kMeta), " ").apply(rest);
}

std::string SentencePieceTokenizer::decodedAsLlama(std::span<const TokenId> ids,
                                                   bool skipSpecialTokens) const {
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  for (const TokenId id : ids) {
    if (isWritten(id, skipSpecialTokens)) tokens.push_back(piece(id));
  }
  return m_decoder.decode(std::move(tokens));
}

std::string SentencePieceTokenizer::decode(std::span<const TokenId> ids, bool skipSpecialTokens) const {
  if (isBpe()) return decodedAsLlama(ids, skipSpecialTokens);
  std::string text, bytes;
  bool atStart = true;
  for (const TokenId id : ids) {
    if (!isWritten(id, skipSpecialTokens)) continue;
    const AddedToken* added = m_added.find(id);
    if (!added && entry(id).kind == PieceKind::kByte) {
      bytes.push_back(static_cast<char>(std::max(0, byteOfToken(entry(id).text))));
      atStart = false;
      continue;
    }
    text += utf8::repaired(bytes);
    bytes.clear();
    text += added ? added->content : surface(id, atStart);
    if (added) atStart = false;
  }
  return text + utf8::repaired(bytes);
}

std::string SentencePieceTokenizer::piece(TokenId id) const {
  if (const AddedToken* token = m_added.find(id)) return token->content;
  return has(id) ? entry(id).text : std::string();
}

std::optional<TokenId> SentencePieceTokenizer::find(std::string_view piece) const {
  if (const AddedToken* token = m_added.find(piece)) return token->id;
  return m_vocabulary.find(piece);
}

bool SentencePieceTokenizer::isSpecial(TokenId id) const {
  const AddedToken* token = m_added.find(id);
  return token && token->special;
}

}  // namespace

std::unique_ptr<Tokenizer> parseSentencePiece(std::string_view bytes, const std::string& file,
                                              const TokenizerConfig& config) {
  SentencePieceModel model = SentencePieceModel::parse(bytes, file);
  if (model.algorithm != SentencePieceAlgorithm::kBpe && model.algorithm != SentencePieceAlgorithm::kUnigram)
    throw EngineError(ErrorCode::kUnsupported, file + " is a SentencePiece model of words or characters",
                      "Vitrine reads unigram and BPE models.");
  return std::make_unique<SentencePieceTokenizer>(std::move(model), file, config);
}

}  // namespace vitrine

#include "text/unigram_tokenizer.h"

#include <algorithm>

#include "core/module.h"
#include "text/pipeline_tokenizer.h"
#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

constexpr std::string_view kMeta = "\xE2\x96\x81";  // ▁

std::optional<TokenId> validId(int id, std::size_t pieces) {
  return id >= 0 && static_cast<std::size_t>(id) < pieces ? std::optional<TokenId>(id) : std::nullopt;
}

std::unique_ptr<Segmenter> makeSegmenter(const std::string& model, const std::string& file) {
  const Module module =
      Module::open("libvitrine_sentencepiece.so", "SentencePiece's unigram models are",
                   "build Vitrine whole (packaging/run does), or set VITRINE_MODULE_PATH to the "
                   "folder of libvitrine_sentencepiece.so");
  std::string error;
  std::unique_ptr<Segmenter> segmenter(module.symbol<MakeSegmenter>(kMakeSegmenter)(model, error));
  if (!segmenter)
    throw EngineError(ErrorCode::kFileCorrupt, file + ": " + error,
                      "The file is damaged or no SentencePiece model; fetch it again.");
  return segmenter;
}

}  // namespace

UnigramTokenizer::UnigramTokenizer(SentencePieceModel model, const std::string& file,
                                   const TokenizerConfig& config)
    : m_model(std::move(model)), m_segmenter(makeSegmenter(m_model.serialized(), file)) {
  for (std::size_t id = 0; id < m_model.pieces.size(); ++id)
    m_vocabulary.add(m_model.pieces[id].text, static_cast<TokenId>(id));
  m_bos = validId(m_model.bosId, m_model.pieces.size());
  m_eos = validId(m_model.eosId, m_model.pieces.size());
  addTokens(config);
  if (config.bos) m_bos = find(*config.bos);
  if (config.eos) m_eos = find(*config.eos);
  m_addBos = config.addBos.value_or(true);
  m_addEos = config.addEos.value_or(false);
  m_added.prepare(Normalizer());
  m_size = std::max(m_vocabulary.end(), m_added.last() + 1);
}

void UnigramTokenizer::addToken(AddedToken token) {
  if (token.content.empty()) return;
  const auto id = find(token.content);
  // "<unk>" written in a text is text to SentencePiece, and comes back as its own surface, not as nothing.
  if (id && has(*id) && m_model.pieces[static_cast<std::size_t>(*id)].kind == PieceKind::kUnknown) return;
  token.id = id ? *id : std::max(m_vocabulary.end(), m_added.last() + 1);
  token.normalized = false;  // the normalizer here is libsentencepiece's own
  m_added.add(std::move(token));
}

void UnigramTokenizer::addTokens(const TokenizerConfig& config) {
  for (const auto& [text, score, kind] : m_model.pieces) {
    if (kind != PieceKind::kControl) continue;
    AddedToken token;
    token.content = text;
    token.special = true;
    addToken(std::move(token));
  }
  for (const AddedToken& token : config.added) addToken(token);
  for (const AddedToken& token : config.furtherTokens()) {
    if (!m_added.find(token.content)) addToken(token);
  }
}

std::vector<TokenId> UnigramTokenizer::encode(std::string_view text, bool addSpecialTokens) const {
  mustBeUtf8(text);
  std::vector<TokenId> ids;
  if (addSpecialTokens && m_addBos && m_bos) ids.push_back(*m_bos);
  for (const Piece& piece : m_added.split(text)) {
    if (!piece.isText()) {
      ids.push_back(piece.token);
      continue;
    }
    std::vector<int> found;
    std::string error;
    if (!m_segmenter->encode(piece.text, found, error))
      throw EngineError(ErrorCode::kFileCorrupt, "the SentencePiece model cannot encode this text: " + error);
    ids.insert(ids.end(), found.begin(), found.end());
  }
  if (addSpecialTokens && m_addEos && m_eos) ids.push_back(*m_eos);
  return ids;
}

// The text of one piece. The space that encoding put in front of the text is taken away again, and all spaces
// there if the model removes them anyway.
std::string UnigramTokenizer::surface(TokenId id, bool& atStart) const {
  const auto& entry = m_model.pieces[static_cast<std::size_t>(id)];
  if (entry.kind == PieceKind::kUnknown) {
    atStart = false;
    return m_model.unknownSurface;
  }
  std::string_view rest = entry.text;
  if (atStart && (m_model.addDummyPrefix || m_model.removeExtraWhitespace)) {
    const bool hasPrefix = rest.substr(0, kMeta.size()) == kMeta;
    if (hasPrefix) rest.remove_prefix(kMeta.size());
    if (hasPrefix && !m_model.removeExtraWhitespace) atStart = false;
  }
  if (!rest.empty()) atStart = false;
  return Replacement(std::string(kMeta), " ").apply(rest);
}

std::string UnigramTokenizer::decode(std::span<const TokenId> ids, bool skipSpecialTokens) const {
  std::string text, bytes;
  bool atStart = true;
  for (const TokenId id : ids) {
    const AddedToken* added = m_added.find(id);
    if ((!added && !has(id)) || (added && added->special && skipSpecialTokens)) continue;
    if (!added && m_model.pieces[static_cast<std::size_t>(id)].kind == PieceKind::kByte) {
      bytes.push_back(
          static_cast<char>(std::max(0, byteOfToken(m_model.pieces[static_cast<std::size_t>(id)].text))));
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

std::string UnigramTokenizer::piece(TokenId id) const {
  if (const AddedToken* token = m_added.find(id)) return token->content;
  return has(id) ? m_model.pieces[static_cast<std::size_t>(id)].text : std::string();
}

std::optional<TokenId> UnigramTokenizer::find(std::string_view piece) const {
  if (const AddedToken* token = m_added.find(piece)) return token->id;
  return m_vocabulary.find(piece);
}

bool UnigramTokenizer::isSpecial(TokenId id) const {
  const AddedToken* token = m_added.find(id);
  return token && token->special;
}

}  // namespace vitrine

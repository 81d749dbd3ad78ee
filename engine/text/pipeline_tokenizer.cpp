#include "text/pipeline_tokenizer.h"

#include <algorithm>

#include "core/check.h"
#include "text/utf8.h"
#include "vitrine/error.h"

namespace vitrine {

std::optional<TokenId> TokenizerParts::find(std::string_view text) const {
  if (const AddedToken* token = added.find(text)) return token->id;
  return model ? model->vocabulary().find(text) : std::nullopt;
}

void TokenizerParts::addToken(AddedToken token) {
  if (token.content.empty()) return;
  if (const auto id = find(token.content)) {
    token.id = *id;
  } else {
    // Not one past the largest id but one past the number of entries, as the reference counts.
    const auto entries = static_cast<TokenId>(model->vocabulary().entries());
    token.id = std::max(entries, added.last() + 1);
  }
  added.add(std::move(token));
}

PipelineTokenizer::PipelineTokenizer(TokenizerParts parts) : m_parts(std::move(parts)) {
  VITRINE_CHECK(m_parts.model.has_value());
  m_parts.added.prepare(m_parts.normalizer);
  m_size = std::max(m_parts.model->vocabulary().end(), m_parts.added.last() + 1);
}

void mustBeUtf8(std::string_view text) {
  if (utf8::isValid(text)) return;
  throw EngineError(ErrorCode::kInvalidArgument, "the text to encode is not valid UTF-8",
                    "Convert the text to UTF-8.");
}

std::vector<TokenId> PipelineTokenizer::encode(std::string_view text, bool addSpecialTokens,
                                               std::span<const TextRange> written) const {
  mustBeUtf8(text);
  WorkLimit limit(text.size());
  std::vector<Piece> pieces = m_parts.added.split(text, written, m_parts.normalizer, limit);
  m_parts.preTokenizer.apply(pieces, limit);
  std::vector<TokenId> ids;
  if (addSpecialTokens) ids = m_parts.before;
  for (const Piece& piece : pieces) {
    if (piece.isText()) {
      m_parts.model->encode(piece.text, ids);
    } else {
      ids.push_back(piece.token);
    }
  }
  if (addSpecialTokens) ids.insert(ids.end(), m_parts.after.begin(), m_parts.after.end());
  return ids;
}

std::string PipelineTokenizer::decode(std::span<const TokenId> ids, bool skipSpecialTokens) const {
  std::vector<std::string_view> tokens;
  tokens.reserve(ids.size());
  for (const TokenId id : ids) {
    if (m_parts.added.find(id)) {
      if (!skipSpecialTokens || !isSpecial(id)) tokens.push_back(m_parts.added.decodedText(id));
    } else if (m_parts.model->vocabulary().has(id)) {
      tokens.push_back(m_parts.model->vocabulary().text(id));
    }
  }
  return m_parts.decoder.decode(tokens);
}

std::string PipelineTokenizer::piece(TokenId id) const {
  if (const AddedToken* token = m_parts.added.find(id)) return token->content;
  return m_parts.model->vocabulary().has(id) ? m_parts.model->vocabulary().text(id) : std::string();
}

bool PipelineTokenizer::isSpecial(TokenId id) const {
  // A special token that normalizing changes is no longer known as one when it comes back: so in the
  // reference.
  const AddedToken* token = m_parts.added.find(id);
  return token && token->special && m_parts.added.decodedText(id) == token->content;
}

}  // namespace vitrine

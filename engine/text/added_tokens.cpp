#include "text/added_tokens.h"

#include <algorithm>

#include "text/unicode.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

bool isWordCharacter(std::string_view character) {
  static const Regex word(R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}])");
  const auto stretches = word.stretches(character);
  return !stretches.empty() && stretches.front().isMatch;
}

bool standsAlone(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view before = text.substr(0, begin), after = text.substr(end);
  const auto last = utf8::decodeLast(before);
  if (last.length > 0 && isWordCharacter(before.substr(before.size() - last.length))) return false;
  const auto first = utf8::decode(after);
  return first.length == 0 || !isWordCharacter(after.substr(0, first.length));
}

std::size_t spaceBefore(std::string_view text, std::size_t begin) {
  while (begin > 0) {
    const auto step = utf8::decodeLast(text.substr(0, begin));
    if (!unicode::isWhitespace(step.codePoint)) break;
    begin -= step.length;
  }
  return begin;
}

std::size_t spaceAfter(std::string_view text, std::size_t end) {
  while (end < text.size()) {
    const auto step = utf8::decode(text.substr(end));
    if (!unicode::isWhitespace(step.codePoint)) break;
    end += step.length;
  }
  return end;
}

bool touches(std::span<const TextRange> ranges, std::size_t begin, std::size_t end) {
  const auto first = std::partition_point(ranges.begin(), ranges.end(),
                                          [&](const TextRange& range) { return range.end <= begin; });
  return first != ranges.end() && first->begin < end;
}

// The parts of the ranges within [begin, end), counted from its beginning.
std::vector<TextRange> rangesWithin(std::span<const TextRange> ranges, std::size_t begin, std::size_t end) {
  std::vector<TextRange> within;
  for (const TextRange& range : ranges) {
    if (range.end > begin && range.begin < end)
      within.push_back({std::max(range.begin, begin) - begin, std::min(range.end, end) - begin});
  }
  return within;
}

// Where the ranges lie once the text is normalized. A place in it is the length of what stands before,
// normalized.
void normalize(std::vector<TextRange>& ranges, std::string_view text, const Normalizer& normalizer) {
  const auto placeOf = [&](std::size_t byte) {
    WorkLimit limit(byte);
    return normalizer.apply(text.substr(0, byte), limit).size();
  };
  for (TextRange& range : ranges) range = {placeOf(range.begin), placeOf(range.end)};
}

}  // namespace

void AddedTokens::Tree::insert(std::string_view content, TokenId id) {
  if (content.empty()) return;
  m_firstBytes.set(static_cast<unsigned char>(content[0]));
  std::uint32_t node = 0;
  for (const char c : content) {
    const std::uint64_t key = (static_cast<std::uint64_t>(node) << 8) | static_cast<unsigned char>(c);
    const auto [place, isNew] = m_next.try_emplace(key, static_cast<std::uint32_t>(m_ids.size()));
    if (isNew) m_ids.push_back(-1);
    node = place->second;
  }
  m_ids[node] = id;
}

AddedTokens::Tree::Match AddedTokens::Tree::find(std::string_view text, std::size_t from) const {
  for (std::size_t begin = from; begin < text.size(); ++begin) {
    if (!m_firstBytes.test(static_cast<unsigned char>(text[begin]))) continue;
    Match longest;
    std::uint32_t node = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
      const auto next =
          m_next.find((static_cast<std::uint64_t>(node) << 8) | static_cast<unsigned char>(text[at]));
      if (next == m_next.end()) break;
      node = next->second;
      if (m_ids[node] >= 0) longest = {begin, at + 1, m_ids[node]};
    }
    if (longest.id >= 0) return longest;
  }
  return {};
}

void AddedTokens::add(AddedToken token) {
  const TokenId id = token.id;
  m_byContent[token.content] = id;
  m_tokens[id] = std::move(token);
}

void AddedTokens::prepare(const Normalizer& normalizer) {
  std::size_t bytes = 0;
  for (const auto& [id, token] : m_tokens) bytes += token.content.size();
  WorkLimit limit(bytes);
  for (const auto& [id, token] : m_tokens) {
    const std::string seen = token.normalized ? normalizer.apply(token.content, limit) : token.content;
    (token.normalized ? m_normalized : m_asWritten).insert(seen, id);
    m_decoded[id] = seen;
    m_normalizesSpecial |= token.normalized && token.special;
  }
}

const AddedToken* AddedTokens::find(TokenId id) const {
  if (m_tokens.empty() || id < m_tokens.begin()->first || id > last()) return nullptr;  // most tokens
  const auto found = m_tokens.find(id);
  return found == m_tokens.end() ? nullptr : &found->second;
}

const AddedToken* AddedTokens::find(std::string_view content) const {
  const auto found = m_byContent.find(std::string(content));
  return found == m_byContent.end() ? nullptr : find(found->second);
}

void AddedTokens::splitPiece(const Piece& piece, std::span<const TextRange> written, const Tree& tree,
                             std::vector<Piece>& out) const {
  const std::string_view text = piece.text;
  const auto put = [&](std::size_t begin, std::size_t end, TokenId id) {
    if (begin < end)
      out.push_back({std::string(text.substr(begin, end - begin)), id, piece.atStart && begin == 0});
  };
  std::size_t settled = 0;
  std::size_t next = 0;
  for (auto match = tree.find(text, next); match.id >= 0; match = tree.find(text, next)) {
    const AddedToken& token = m_tokens.at(match.id);
    if (token.special && touches(written, match.begin, match.end)) {
      next = match.begin + 1;  // another token may begin inside this one
      continue;
    }
    next = match.end;
    if (token.singleWord && !standsAlone(text, match.begin, match.end)) continue;
    const std::size_t begin = token.lstrip ? std::max(spaceBefore(text, match.begin), settled) : match.begin;
    const std::size_t end = token.rstrip ? spaceAfter(text, match.end) : match.end;
    put(settled, begin, -1);
    put(begin, end, match.id);
    settled = end;
  }
  put(settled, text.size(), -1);
}

std::vector<Piece> AddedTokens::split(std::string_view text, std::span<const TextRange> written) const {
  WorkLimit limit(text.size());
  return split(text, written, Normalizer(), limit);
}

std::vector<Piece> AddedTokens::split(std::string_view text, std::span<const TextRange> written,
                                      const Normalizer& normalizer, WorkLimit& limit) const {
  std::vector<Piece> pieces, result;
  splitPiece({std::string(text), -1, true}, written, m_asWritten, pieces);
  std::size_t begin = 0;
  for (Piece& piece : pieces) {
    const std::size_t end = begin + piece.text.size();
    if (!piece.isText()) {
      result.push_back(std::move(piece));
    } else {
      std::vector<TextRange> within;
      if (m_normalizesSpecial) {
        within = rangesWithin(written, begin, end);
        if (!normalizer.empty()) normalize(within, piece.text, normalizer);
      }
      if (!normalizer.empty()) piece.text = normalizer.apply(piece.text, limit);
      splitPiece(piece, within, m_normalized, result);
    }
    begin = end;
  }
  return result;
}

}  // namespace vitrine

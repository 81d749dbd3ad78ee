#include "vitrine/text_stream.h"

#include <algorithm>

#include "text/token_decoder.h"
#include "text/utf8.h"
#include "vitrine/thought.h"
#include "vitrine/tool_call.h"

namespace vitrine {
namespace {

// A character has at most four bytes, so tokens further back than this cannot be part of an unfinished one.
constexpr std::size_t kLongWindow = 16, kContext = 8;

// How many bytes at the end of the text may be the beginning of the stop string.
std::size_t possibleBeginning(std::string_view text, std::string_view stop) {
  std::size_t length = std::min(text.size(), stop.size() - 1);
  while (length > 0 && text.substr(text.size() - length) != stop.substr(0, length)) --length;
  return length;
}

bool endsWithReplacement(std::string_view text) {
  const std::string_view mark = utf8::kReplacementText;
  return text.size() >= mark.size() && text.substr(text.size() - mark.size()) == mark;
}

}  // namespace

TextStream::TextStream(const Tokenizer* tokenizer, std::vector<std::string> stopStrings)
    : m_tokenizer(tokenizer), m_stopStrings(std::move(stopStrings)) {
  std::erase(m_stopStrings, std::string());
  if (!m_tokenizer) return;
  for (const std::string_view token :
       thoughtTokens([&](std::string_view piece) { return m_tokenizer->find(piece).has_value(); }))
    m_thoughtTokens.push_back(*m_tokenizer->find(token));
}

// Of a special token.
bool TextStream::isMark(TokenId token, std::string_view piece) const {
  return isToolMark(piece) || std::ranges::find(m_thoughtTokens, token) != m_thoughtTokens.end();
}

bool TextStream::isStopString(std::string_view piece) const {
  return std::find(m_stopStrings.begin(), m_stopStrings.end(), piece) != m_stopStrings.end();
}

std::string TextStream::push(TokenId token, bool last) {
  if (!m_tokenizer || m_stopped) return {};
  const std::string piece = m_tokenizer->piece(token);
  const bool special = m_tokenizer->isSpecial(token);
  if (!piece.empty() && special && isStopString(piece)) {
    std::string rest = finish();
    m_stopped = true;
    return rest;
  }
  if (special && isMark(token, piece)) {
    if (!m_window.empty()) readWindow(true);
    m_window.clear();
    m_read = 0;
    m_pending += piece;
    return last ? finish() : release(false);
  }
  // A special token has no text, and must not come between the tokens around it; an unknown one has none
  // either.
  if (!piece.empty() && !special)
    m_window.push_back(token);
  else if (!last)
    return {};
  if (last) return finish();
  // Byte tokens become text as a run: a later wrong byte would change the earlier ones.
  if (byteOfToken(piece) >= 0) return {};
  readWindow(false);
  return release(false);
}

std::string TextStream::finish() {
  if (!m_tokenizer || m_stopped) return {};
  if (!m_window.empty()) readWindow(true);
  m_window.clear();
  m_read = 0;
  return release(true);
}

void TextStream::readWindow(bool final) {
  const std::string text = m_tokenizer->decode(m_window, true);
  // U+FFFD at the end is either an unfinished character or a wrong byte; the next token decides.
  const std::size_t held = !final && endsWithReplacement(text) ? utf8::kReplacementText.size() : 0;
  const std::size_t end = text.size() - held;
  if (end > m_read) {
    m_pending.append(text, m_read, end - m_read);
    m_read = end;
  }
  if (!final) shortenWindow(held);
}

// Keeps the last tokens only, but enough that what follows decodes as it would after all of them: some text
// to stand behind (a decoder treats the first token apart), and the whole of an unfinished character.
void TextStream::shortenWindow(std::size_t heldBytes) {
  if (heldBytes > 0 && m_window.size() <= kLongWindow) return;
  // One token is enough unless its text is nothing but the space a decoder takes from the front.
  const std::size_t least = heldBytes > 0 ? kContext : 1;
  for (std::size_t keep = least; keep <= least + 1 && keep < m_window.size(); ++keep) {
    const std::string text = m_tokenizer->decode(std::span(m_window).last(keep), true);
    if (text.size() <= heldBytes) continue;
    m_window.erase(m_window.begin(), m_window.end() - static_cast<std::ptrdiff_t>(keep));
    m_read = text.size() - heldBytes;
    return;
  }
}

std::string TextStream::release(bool final) {
  std::size_t stopAt = std::string::npos, held = 0;
  for (const std::string& stop : m_stopStrings) {
    stopAt = std::min(stopAt, m_pending.find(stop));
    held = std::max(held, possibleBeginning(m_pending, stop));
  }
  std::string result;
  if (stopAt != std::string::npos) {
    m_stopped = true;
    result = m_pending.substr(0, stopAt);
    m_pending.clear();
  } else {
    const std::size_t end = final ? m_pending.size() : m_pending.size() - held;
    result = m_pending.substr(0, end);
    m_pending.erase(0, end);
  }
  m_text += result;
  return result;
}

}  // namespace vitrine

#include "vitrine/prompt_spans.h"

#include <algorithm>

#include "vitrine/blanks.h"
#include "vitrine/token_text.h"

namespace vitrine {
namespace {

constexpr std::string_view kNoCharacter =
    "\xEF\xBF\xBD";                      // stands for bytes that are no character by themselves
constexpr std::size_t kLongestGap = 64;  // of bytes that a tokenizer leaves out between two tokens
constexpr std::size_t kMostForOne = 4;   // tokens of one character

class Reader {
 public:
  Reader(const Tokenizer& tokenizer, std::string_view text) : m_tokenizer(tokenizer), m_text(text) {}

  void read(TokenId id) {
    m_unread.push_back(id);
    const std::string text =
        m_unread.size() == 1 ? tokenText(m_tokenizer, id) : m_tokenizer.decode(m_unread, false);
    if (text.find(kNoCharacter) != std::string::npos && m_unread.size() < kMostForOne && !stands(text))
      return;
    place(text);
    m_unread.clear();
  }
  std::vector<TextRange> ranges() && {
    m_ranges.insert(m_ranges.end(), m_unread.size(), TextRange{m_at, m_at});
    fill(m_text.size());
    return std::move(m_ranges);
  }

 private:
  bool stands(std::string_view text) const { return m_text.substr(m_at).starts_with(text); }

  void place(std::string_view text) {
    // A space with which the tokenizer, not the text, begins a word.
    if (!stands(text) && text.starts_with(' ')) text.remove_prefix(1);
    const std::size_t found = m_text.substr(m_at, text.size() + kLongestGap).find(text);
    TextRange range{m_at, m_at};
    if (found != std::string_view::npos) {
      if (fill(m_at + found)) range.begin = m_at + found;
      range.end = m_at = m_at + found + text.size();
    }
    m_ranges.insert(m_ranges.end(), m_unread.size(), range);
  }

  // What no token says, up to there, is what the tokens without a place stand for: an unknown letter. Whether
  // there are any.
  bool fill(std::size_t end) {
    bool filled = false;
    for (auto range = m_ranges.rbegin();
         range != m_ranges.rend() && range->begin == m_at && range->end == m_at; ++range) {
      range->end = end;
      filled = true;
    }
    return filled;
  }

  const Tokenizer& m_tokenizer;
  const std::string_view m_text;
  std::size_t m_at = 0;
  std::vector<TokenId> m_unread;
  std::vector<TextRange> m_ranges;
};

}  // namespace

std::vector<TextRange> tokenRanges(const Tokenizer& tokenizer, std::string_view text,
                                   std::span<const TokenId> ids) {
  Reader reader(tokenizer, text);
  for (const TokenId id : ids) reader.read(id);
  return std::move(reader).ranges();
}

std::vector<PromptSpan> promptSpans(const PromptText& prompt, std::span<const TextRange> tokens) {
  std::vector<PromptSpan> spans;
  std::size_t part = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    while (part + 1 < prompt.parts.size() && prompt.parts[part].range.end <= tokens[i].begin) ++part;
    PromptSpan span{-1, false, static_cast<int>(i), 1};
    if (part < prompt.parts.size()) {
      span.message = prompt.parts[part].message;
      span.written = prompt.parts[part].written;
    }
    if (!spans.empty() && spans.back().message == span.message && spans.back().written == span.written)
      ++spans.back().tokens;
    else
      spans.push_back(span);
  }
  return spans;
}

std::vector<int> messagesLeftOut(const PromptText& prompt) {
  std::vector<bool> stands(prompt.roles.size(), false);
  for (const PromptPart& part : prompt.parts) {
    if (part.message < 0 || part.message >= std::ssize(stands)) continue;
    const std::string_view text =
        std::string_view(prompt.text).substr(part.range.begin, part.range.end - part.range.begin);
    // A loop over the messages may write a line break for each, also for one that it passes over.
    if (part.written || !trimmed(text).empty()) stands[static_cast<std::size_t>(part.message)] = true;
  }
  std::vector<int> leftOut;
  for (std::size_t message = 0; message < stands.size(); ++message)
    if (!stands[message]) leftOut.push_back(static_cast<int>(message));
  return leftOut;
}

}  // namespace vitrine

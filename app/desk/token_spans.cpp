#include "desk/token_spans.h"

#include <algorithm>

#include "vitrine/thought.h"
#include "widgets/conversation/chat_words.h"

namespace vitrine {
namespace {

// Where a byte of a whole text is in its answer; one between two messages belongs to the break between them.
std::size_t placeInAnswer(const AnswerParts& parts, const std::string& whole, std::size_t byte) {
  std::size_t place = 0;
  for (const std::string_view message : parts.said) {
    if (place > 0) place += kBetweenMessages.size();
    const auto begin = static_cast<std::size_t>(message.data() - whole.data());
    if (byte <= begin) return place;
    place += std::min(byte - begin, message.size());
    if (byte <= begin + message.size()) return place;
  }
  return place;
}

}  // namespace

std::vector<TokenSpan> tokenSpans(const std::vector<std::string>& texts, const std::string& shown,
                                  const std::string& prompt) {
  std::string whole;
  for (const std::string& text : texts) whole += text;
  const AnswerParts parts = answerParts(whole, openedThought(prompt), true);
  const std::string answer = answerWords(parts).answer.toStdString();
  if (!answer.starts_with(shown) || !parts.answer.ends_with(answer)) return {};
  const std::size_t first = parts.answer.size() - answer.size(), last = first + shown.size();
  const auto inShown = [&](std::size_t byte) {
    return std::clamp(placeInAnswer(parts, whole, byte), first, last) - first;
  };
  std::vector<TokenSpan> spans;
  std::size_t at = 0;
  for (const std::string& text : texts) {
    spans.push_back({inShown(at), inShown(at + text.size())});
    at += text.size();
  }
  return spans;
}

std::optional<int> tokenAt(const std::vector<TokenSpan>& spans, std::size_t byte) {
  std::optional<int> found;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].begin == spans[i].end) continue;
    if (found && spans[i].begin > byte) break;
    found = static_cast<int>(i);
  }
  return found;
}

}  // namespace vitrine

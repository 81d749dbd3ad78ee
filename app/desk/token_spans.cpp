#include "desk/token_spans.h"

#include <algorithm>

#include "widgets/models/chat_words.h"

namespace vitrine {

std::vector<TokenSpan> tokenSpans(const std::vector<std::string>& texts, const std::string& shown,
                                  const std::string& prompt) {
  std::string whole;
  for (const std::string& text : texts) whole += text;
  const std::string answer = answerWords(whole, prompt, true).answer.toStdString();
  const std::size_t first = whole.rfind(answer);  // a closing mark may stand behind it
  if (!answer.starts_with(shown) || first == std::string::npos) return {};
  const std::size_t last = first + shown.size();
  const auto inShown = [&](std::size_t byte) { return std::clamp(byte, first, last) - first; };
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

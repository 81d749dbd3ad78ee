#include "text/chat_stops.h"

#include <algorithm>
#include <string_view>

#include "text/blanks.h"

namespace vitrine {
namespace {

// What the template writes between the answer and the second question.
std::string_view between(const PromptText& prompt) {
  std::size_t begin = std::string::npos, end = begin;
  for (const PromptPart& part : prompt.parts) {
    if (part.written && part.message == 1) begin = part.range.end;
    if (part.written && part.message == 2 && end == std::string::npos) end = part.range.begin;
  }
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return std::string_view(prompt.text).substr(begin, end - begin);
}

// "<|user|>", "[INST]", "### Question:"; not "user", which an answer may say.
bool isMark(std::string_view text) {
  constexpr std::string_view kEnds = ">]:";
  return text.size() > 1 && kEnds.find(text.back()) != std::string_view::npos;
}

// "User:" alone may stand in any answer, at the beginning of a line hardly.
std::string markAfter(std::string_view text) {
  const std::string_view mark = trimmed(text);
  if (!isMark(mark)) return {};
  const bool isWord = mark.back() == ':' && text.front() == '\n';
  return (isWord ? "\n" : "") + std::string(mark);
}

}  // namespace

std::vector<std::string> turnMarks(const PromptText& prompt, const Tokenizer& tokenizer) {
  std::string_view rest = between(prompt);
  std::vector<std::string> marks;
  for (const TokenId id : tokenizer.encode(rest, false)) {
    if (!tokenizer.isSpecial(id)) continue;
    const std::string piece = tokenizer.piece(id);
    const std::size_t place = rest.find(piece);
    if (place == std::string_view::npos) continue;
    rest.remove_prefix(place + piece.size());
    if (marks.size() < 2 && std::ranges::find(marks, piece) == marks.end()) marks.push_back(piece);
  }
  if (std::string mark = markAfter(rest); !mark.empty()) marks.push_back(std::move(mark));
  return marks;
}

}  // namespace vitrine

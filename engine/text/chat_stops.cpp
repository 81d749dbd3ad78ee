#include "text/chat_stops.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "vitrine/blanks.h"
#include "vitrine/error.h"

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

struct PlacedToken {
  std::string piece;
  std::size_t begin = 0;

  std::size_t end() const { return begin + piece.size(); }
};

std::vector<PlacedToken> specialTokens(std::string_view text, const Tokenizer& tokenizer) {
  std::vector<PlacedToken> found;
  std::size_t from = 0;
  for (const TokenId id : tokenizer.encode(text, false)) {
    if (!tokenizer.isSpecial(id)) continue;
    std::string piece = tokenizer.piece(id);
    const std::size_t place = text.find(piece, from);
    if (place == std::string_view::npos) continue;
    from = place + piece.size();
    found.push_back({std::move(piece), place});
  }
  return found;
}

std::size_t commonBeginning(std::string_view one, std::string_view other) {
  return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

}  // namespace

std::string textBehindThought(const PromptTemplate& chatTemplate) {
  constexpr std::string_view kThought = "Pondered", kAnswer = "Answered";
  Conversation conversation;
  // The fields are those of all families. gpt-oss keeps the thought of an answer that ends a conversation.
  conversation.messages = R"([{"role":"user","content":"q"},{"role":"assistant","content":"Answered",)"
                          R"("reasoning_content":"Pondered","reasoning":"Pondered","thinking":"Pondered"}])";
  conversation.variables = R"({"enable_thinking":true,"thinking":true})";
  conversation.addGenerationPrompt = false;
  try {
    const std::string text = chatTemplate.render(conversation).text;
    const std::size_t answer = text.rfind(kAnswer), thought = text.rfind(kThought, answer);
    if (answer == std::string::npos || thought == std::string::npos) return {};
    const std::size_t begin = thought + kThought.size();
    return text.substr(begin, answer - begin);
  } catch (const EngineError&) {
    return {};  // a template that takes no such answer writes none
  }
}

std::vector<std::string> turnMarks(const PromptText& prompt, std::string_view behindThought,
                                   const Tokenizer& tokenizer) {
  const std::string_view text = between(prompt);
  const std::vector<PlacedToken> tokens = specialTokens(text, tokenizer);
  const std::size_t common = commonBeginning(text, behindThought);
  std::vector<std::string> marks;
  std::string_view rest = text, question;
  for (const PlacedToken& token : tokens) {
    rest = text.substr(token.end());
    const auto isToken = [&](const std::string& mark) { return mark == token.piece; };
    if (token.end() <= common) question = text.substr(token.begin);
    if (behindThought.find(token.piece) != std::string_view::npos) continue;
    if (marks.size() < 2 && std::ranges::none_of(marks, isToken)) marks.push_back(token.piece);
  }
  if (!question.empty()) marks.emplace_back(trimmed(question));
  if (std::string mark = markAfter(rest); !mark.empty()) marks.push_back(std::move(mark));
  return marks;
}

}  // namespace vitrine

#include "vitrine/thought.h"

#include <algorithm>
#include <array>

namespace vitrine {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// DeepSeek, Qwen and most others; Mistral; Seed-OSS; Cohere.
constexpr std::array kMarks = {ThoughtMarks{"<think>", "</think>"}, ThoughtMarks{"[THINK]", "[/THINK]"},
                               ThoughtMarks{"<seed:think>", "</seed:think>"},
                               ThoughtMarks{"<|START_THINKING|>", "<|END_THINKING|>"}};

std::string_view withoutBlanksBefore(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

std::string_view withoutBlanksBehind(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string_view withoutBeginningOf(std::string_view mark, std::string_view text) {
  for (std::size_t length = std::min(mark.size() - 1, text.size()); length > 0; --length)
    if (mark.starts_with(text.substr(text.size() - length))) return text.substr(0, text.size() - length);
  return text;
}

// What stands behind the opening mark.
AnswerParts partsOf(std::string_view text, const ThoughtMarks& marks, bool ended) {
  const std::size_t end = text.find(marks.close);
  const bool thinks = end == std::string_view::npos;
  const std::string_view thought = !thinks ? text.substr(0, end)
                                   : ended ? text
                                           : withoutBeginningOf(marks.close, text);
  return {withoutBlanksBehind(withoutBlanksBefore(thought)),
          thinks ? std::string_view() : text.substr(end + marks.close.size()), &marks, thinks};
}

}  // namespace

const ThoughtMarks* openedThought(std::string_view prompt) {
  prompt = withoutBlanksBehind(prompt);
  const auto found =
      std::ranges::find_if(kMarks, [&](const ThoughtMarks& marks) { return prompt.ends_with(marks.open); });
  return found == kMarks.end() ? nullptr : &*found;
}

bool isThoughtMark(std::string_view piece) {
  return std::ranges::any_of(
      kMarks, [&](const ThoughtMarks& marks) { return piece == marks.open || piece == marks.close; });
}

AnswerParts answerParts(std::string_view text, const ThoughtMarks* opened, bool ended) {
  const std::string_view begun = withoutBlanksBefore(text);
  if (begun.empty() && !ended) return {};
  for (const ThoughtMarks& marks : kMarks) {
    if (begun.starts_with(marks.open)) return partsOf(begun.substr(marks.open.size()), marks, ended);
    if (!ended && marks.open.starts_with(begun)) return {};
  }
  if (opened != nullptr) return partsOf(text, *opened, ended);
  return {{}, text};
}

}  // namespace vitrine

#include "vitrine/thought.h"

#include <algorithm>
#include <array>

#include "core/begun_mark.h"
#include "core/channel_messages.h"
#include "vitrine/blanks.h"

namespace vitrine {
namespace {

constexpr ThoughtMarks kChannelMarks{"<|channel|>analysis<|message|>", "<|end|>",
                                     "<|start|>assistant<|channel|>final<|message|>", "<|start|>assistant"};

constexpr ThoughtMarks kSolarMarks{"<|think|>", "<|end|>", "<|begin|>assistant<|content|>",
                                   "<|begin|>assistant", "<|begin|>assistant<|tool_calls|>"};

// No opening mark, and no beginning of an answer, is the beginning of another one.
constexpr std::array kMarks = {kChannelMarks,
                               ThoughtMarks{"<think>", "</think>"},
                               ThoughtMarks{"<think:opensource>", "</think:opensource>"},
                               ThoughtMarks{"<thinking>", "</thinking>"},
                               ThoughtMarks{"<mm:think>", "</mm:think>"},
                               ThoughtMarks{"<seed:think>", "</seed:think>"},
                               ThoughtMarks{"[THINK]", "[/THINK]"},
                               ThoughtMarks{"<|START_THINKING|>", "<|END_THINKING|>"},
                               ThoughtMarks{"<|inner_prefix|>", "<|inner_suffix|>"},
                               ThoughtMarks{"<|channel>thought", "<channel|>"},
                               kSolarMarks};

std::string_view behind(std::string_view mark, std::string_view text) { return text.substr(mark.size()); }

// What begins an answer's message where the prompt has written the beginning.
std::string_view answerAlone(const ThoughtMarks& marks) { return behind(marks.prompted, marks.answer); }

// "<|channel|>", "[THINK]": the first token of a mark; empty: it begins with a word.
std::string_view firstToken(std::string_view mark) {
  return mark.starts_with('<') || mark.starts_with('[') ? mark.substr(0, mark.find_first_of(">]") + 1)
                                                        : std::string_view();
}

void addTokens(std::string_view mark, std::vector<std::string_view>& tokens) {
  while (!mark.empty()) {
    const std::string_view token = firstToken(mark);
    if (!token.empty() && std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
    mark.remove_prefix(std::max(token.size(), std::size_t{1}));
  }
}

// A text that is so far the beginning of a mark. At the end of an answer it is still none of the answer's
// words when it has the mark's whole first token: a limit cut the mark.
bool isBeginningOf(std::string_view mark, std::string_view text, bool ended, const ThoughtMarks& marks) {
  return mark.starts_with(text) && (!ended || (!marks.answer.empty() && text.starts_with(firstToken(mark))));
}

void join(std::string& text, std::string_view message) {
  if (!text.empty() && !message.empty()) text += kBetweenMessages;
  text += message;
}

void say(std::string_view message, AnswerParts& parts) {
  if (message.empty()) return;
  join(parts.answer, message);
  parts.said.push_back(message);
}

AnswerParts saying(std::string_view answer) {
  AnswerParts parts;
  say(answer, parts);
  return parts;
}

// What Solar's message of an answer says, and the calls of the message behind it.
AnswerParts messagesIn(std::string_view text, const ThoughtMarks& marks, bool ended) {
  const std::size_t end = text.find(marks.close);
  if (end == std::string_view::npos)
    return saying(ended ? text : withoutBegunMark(text, std::array{marks.close}));
  AnswerParts parts = saying(text.substr(0, end));
  const std::string_view next = behind(marks.close, text.substr(end));
  if (!marks.calls.empty() && next.starts_with(marks.calls)) say(next, parts);
  return parts;
}

// What the text behind a thought says.
AnswerParts saidBehind(std::string_view text, const ThoughtMarks& marks, bool ended) {
  if (marks.answer.empty()) return saying(text);
  if (text.starts_with(marks.answer)) return messagesIn(behind(marks.answer, text), marks, ended);
  return saying(isBeginningOf(marks.answer, text, ended, marks) ? std::string_view() : text);
}

// What stands behind the opening mark.
AnswerParts partsOf(std::string_view text, const ThoughtMarks& marks, bool ended) {
  const std::size_t end = text.find(marks.close);
  const bool thinks = end == std::string_view::npos;
  const std::string_view thought = !thinks ? text.substr(0, end)
                                   : ended ? text
                                           : withoutBegunMark(text, std::array{marks.close});
  AnswerParts parts =
      thinks ? AnswerParts() : saidBehind(behind(marks.close, text.substr(end)), marks, ended);
  parts.thinking = trimmed(thought);
  parts.marks = &marks;
  parts.thinks = thinks;
  return parts;
}

AnswerParts partsOf(const std::vector<ChannelMessage>& messages) {
  AnswerParts parts;
  for (const ChannelMessage& message : messages) {
    const bool isThought = message.kind == ChannelMessage::Kind::kThought;
    parts.thinks = isThought && !message.hasEnded;
    if (isThought) {
      parts.marks = &kChannelMarks;
      join(parts.thinking, trimmed(message.text));
      continue;
    }
    say(parts.answer.empty() ? withoutBlanksBefore(message.text) : message.text, parts);
  }
  return parts;
}

}  // namespace

const ThoughtMarks* openedThought(std::string_view prompt) {
  prompt = withoutBlanksBehind(prompt);
  const auto found =
      std::ranges::find_if(kMarks, [&](const ThoughtMarks& marks) { return prompt.ends_with(marks.open); });
  return found == kMarks.end() ? nullptr : &*found;
}

std::vector<std::string_view> thoughtTokens(const std::function<bool(std::string_view)>& isInVocabulary) {
  std::vector<std::string_view> all;
  for (const ThoughtMarks& marks : kMarks) {
    std::vector<std::string_view> tokens;
    for (const std::string_view mark : {marks.open, marks.close, marks.answer}) addTokens(mark, tokens);
    if (std::ranges::all_of(tokens, isInVocabulary)) all.insert(all.end(), tokens.begin(), tokens.end());
  }
  return all;
}

AnswerParts answerParts(std::string_view text, const ThoughtMarks* opened, bool ended) {
  const std::string_view begun = withoutBlanksBefore(text);
  if (begun.empty() && !ended) return {};
  const bool opensChannel = opened != nullptr && opened->open == kChannelMarks.open;
  if (const auto messages = channelMessages(text, opensChannel, ended)) return partsOf(*messages);
  for (const ThoughtMarks& marks : kMarks) {
    if (begun.starts_with(marks.open)) return partsOf(behind(marks.open, begun), marks, ended);
    if (isBeginningOf(marks.open, begun, ended, marks)) return {};
    if (marks.answer.empty()) continue;
    for (const std::string_view lead : {answerAlone(marks), marks.answer}) {
      if (begun.starts_with(lead)) return messagesIn(behind(lead, begun), marks, ended);
      if (isBeginningOf(lead, begun, ended, marks)) return {};
    }
  }
  if (opened != nullptr) return partsOf(text, *opened, ended);
  return saying(text);
}

}  // namespace vitrine

// What a reasoning model thinks before it answers, in the text of its answer.
//
// Each family has its own marks around it. A template may write the opening mark into the prompt itself (QwQ,
// DeepSeek-R1's distilled models, Qwen3-Thinking): what the model writes then is thought from its first token
// on, and holds the closing mark alone. Thread: pure functions; the views are of the text given. Read next:
// chat_format.h.
#pragma once

#include <string_view>

namespace vitrine {

struct ThoughtMarks {
  std::string_view open, close;
};

// The marks whose opening one a prompt ends in, blanks aside; null: the answer begins with what is said.
const ThoughtMarks* openedThought(std::string_view prompt);

// Whether a vocabulary's token of this spelling is such a mark. It counts as text then, though it is special.
bool isThoughtMark(std::string_view piece);

struct AnswerParts {
  std::string_view thinking, answer;    // without the marks, and without blanks around the thought
  const ThoughtMarks* marks = nullptr;  // of the thought; null: there is none
  bool thinks = false;                  // the thought has not ended
};

// Of an answer as far as it is written. Until it has ended, an end of the text that may be the beginning of a
// mark belongs to neither part: the parts of a text that grows only grow.
AnswerParts answerParts(std::string_view text, const ThoughtMarks* opened, bool ended);

}  // namespace vitrine

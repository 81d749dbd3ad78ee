// NewestWords: the end of a sequence's prompt and answer, as much as a card or a lane can show.
//
// A long text is cut at multiples of a fixed length, so that its lines keep their breaks while words are
// added to the end. Thread: values. Read next: request_list_model.h.
#pragma once

#include <QString>
#include <string_view>

namespace vitrine {

struct NewestWords {
  // Prompt and answer with ink for all that has none (flowingToken()), without the markers that a chat
  // template puts around the prompt.
  QString text;
  int answer = 0;         // where the answer begins in `text`
  int fresh = 0;          // where the tokens of the step shown begin; the end of `text` without any
  bool cutFront = false;  // text is missing before `text`
  bool cutBack = false;   // text is missing behind it: the beginning of a long prompt without an answer

  bool operator==(const NewestWords&) const = default;
};

// `fresh`: what the step shown added to the answer.
NewestWords newestWords(std::string_view answer, std::string_view prompt, std::string_view fresh);

}  // namespace vitrine

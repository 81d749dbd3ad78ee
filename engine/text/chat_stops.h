// The strings after which an answer has ended, read from what a template writes around one.
//
// Thread: pure functions. Read next: vitrine/chat_format.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vitrine/prompt_template.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// What the template writes between what an answer thought and what it says; empty where it writes no
// thoughts.
std::string textBehindThought(const PromptTemplate& chatTemplate);

// Of a conversation of a question, its answer and a second question. The special token behind the answer ends
// a turn, the next one begins one; a mark that is no special token, as "[INST]" of older models or "User:",
// stands at the end. A token that stands behind a thought as well ends no answer: the mark is then the
// beginning of the question, from the last such token on ("<|start|>user<|message|>").
std::vector<std::string> turnMarks(const PromptText& prompt, std::string_view behindThought,
                                   const Tokenizer& tokenizer);

}  // namespace vitrine

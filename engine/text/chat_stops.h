// The strings after which an answer has ended, read from what a template writes around one.
//
// Thread: pure functions. Read next: vitrine/chat_format.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/prompt_template.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// Of a conversation of a question, its answer and a second question. The special token behind the answer ends
// a turn, the next one begins one; a mark that is no special token, as "[INST]" of older models or "User:",
// stands at the end.
std::vector<std::string> turnMarks(const PromptText& prompt, const Tokenizer& tokenizer);

}  // namespace vitrine

// Where the tokens of a prompt stand in its text, and which of them belong to which message.
//
// Thread: pure functions. Read next: prompt_template.h.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "vitrine/prompt_template.h"
#include "vitrine/tokenizer.h"

namespace vitrine {

// The part of the text that each token stands for, in order and without gaps up to the last. Tokens that make
// one character together share its range; so do tokens that the text does not spell (an unknown letter, one
// that the tokenizer replaces), with all of it up to the next that it does.
std::vector<TextRange> tokenRanges(const Tokenizer& tokenizer, std::string_view text,
                                   std::span<const TokenId> ids);

// Neighbouring tokens of one message that are all from the conversation, or all the template's own.
struct PromptSpan {
  int message = -1;  // as PromptPart's
  bool written = false;
  int firstToken = 0, tokens = 0;

  bool operator==(const PromptSpan&) const = default;
};

// A token belongs to the part in which it begins. The spans cover all tokens.
std::vector<PromptSpan> promptSpans(const PromptText& prompt, std::span<const TextRange> tokens);

// The messages of which nothing stands in the prompt, in ascending order. A message that the template moves,
// joins with another one or writes as JSON stands there. So does one of which the template writes no word,
// but something of its own, such as the role.
std::vector<int> messagesLeftOut(const PromptText& prompt);

}  // namespace vitrine

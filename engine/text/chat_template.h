// Reading a chat_template without running it: the strings it writes, and what stands around a message.
//
// A template is Jinja: {{ 'text' + message['content'] + eos_token }} writes. Each such expression becomes a
// list of terms, a string or a piece of code, which is all that recognition needs. Thread: pure functions.
// Read next: chat_format.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine::chat_template {

struct Term {
  std::string text;  // a string with its escapes undone, or code without its spaces and with ' as quotes
  bool isString = false;
};
using Expression = std::vector<Term>;  // terms joined by "+"

// Every {{ ... }} and the value of every {% set name = ... %}, in order.
std::vector<Expression> expressions(std::string_view chatTemplate);

// Whether the code mentions a message's content: message['content'], message.content, content.
bool isContent(const Term& term);

}  // namespace vitrine::chat_template

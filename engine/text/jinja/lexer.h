// The lexer: the tokens of a template's text.
//
// White space is settled here, as transformers sets Jinja up: trim_blocks, lstrip_blocks, and the signs - and
// + at tags. What remains between the tags is one token each. Thread: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/place.h"

namespace vitrine::jinja {

struct Token {
  enum class Type {
    kText,  // between tags
    kVariableBegin,
    kVariableEnd,
    kBlockBegin,
    kBlockEnd,
    kName,
    kString,
    kInteger,
    kReal,
    kOperator,
    kEnd,  // of the template
  };

  Type type;
  Place place;
  std::string text = {};   // a string literal's without quotes and escapes
  std::int64_t whole = 0;  // kInteger
  double real = 0;         // kReal

  bool isName(std::string_view name) const { return type == Type::kName && text == name; }
  bool isOperator(std::string_view sign) const { return type == Type::kOperator && text == sign; }
};

// The last token is kEnd. Throws TemplateError(kSyntax).
std::vector<Token> tokensOf(std::string_view source);

}  // namespace vitrine::jinja

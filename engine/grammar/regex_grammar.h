// regexGrammar(): a grammar from a regular expression, of which the whole answer is a match.
//
// The syntax is the common part of Python's re and ECMA-262, and where the two differ an answer is a match
// for both as far as that can be: . is no line end, \d and \w are those of ASCII, \s is ECMA-262's. A lazy
// suffix changes no language, so it has no effect; groups only bracket. What is no regular language
// (look-around, back references) and what would change the meaning of letters (flags) is refused.
//
// A pattern that is refused throws EngineError(kInvalidArgument), which names the thing and its place,
// counted in code points from 1. Thread: pure functions. Read next: grammar.h.
#pragma once

#include <string_view>

#include "grammar/grammar.h"

namespace vitrine {

enum class PatternFit {
  kWhole,  // all of the text is a match; ^ and $ at its ends say nothing new
  kPart,   // a part of the text is one, as JSON schema has it; ^ and $ at the ends tie it to the text's ends
};

// Without rules, within kMostGrammarNodes.
Expression patternExpression(std::string_view pattern, PatternFit fit);

Grammar regexGrammar(std::string_view pattern);

}  // namespace vitrine

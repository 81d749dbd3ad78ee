// GBNF: grammars as llama.cpp writes them, the form in which most are shared.
//
//   root   ::= answer "\n"
//   answer ::= "yes" | "no" | number
//   number ::= "-"? [0-9]{1,3}      # * + ? {n} {n,} {n,m} repeat what stands before them
//
// A rule begins at its name and ends where the next one begins, so its alternatives may stand on several
// lines. Text in quotes knows \n \r \t \\ \" \xHH \uHHHH \UHHHHHHHH, a class in brackets also \] \[ and ^ for
// any other character; a dot is any character. The answer is what the rule `root` writes. Thread: pure
// functions. Read next: grammar.h.
#pragma once

#include <string_view>

#include "grammar/grammar.h"

namespace vitrine {

// Throws EngineError(kInvalidArgument), which names the line and what was expected there.
Grammar parseGbnf(std::string_view source);

}  // namespace vitrine

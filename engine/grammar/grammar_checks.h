// Checks of a grammar that a front end made: how large it is, whether each rule comes to an end, whether a
// rule begins with itself. The compiled automaton relies on all three.
//
// Thread: pure functions.
#pragma once

#include <cstdint>

#include "grammar/grammar.h"

namespace vitrine {

// Nodes with each repetition written out and a text as its bytes. It stops counting at 2^40.
std::int64_t writtenNodes(const Expression& expression);
std::int64_t writtenNodes(const Grammar& grammar);

// How many code points a text of the expression has, which refers to no rule. most is Expression::kEndless
// where there is no end. Both stop at 2^30.
struct TextLengths {
  int least = 0, most = 0;
};
TextLengths lengthsOf(const Expression& expression);

inline constexpr int kNoRule = -1;
// A rule of which no text ever ends, as in a = "(" a ")"; kNoRule when there is none.
int endlessRule(const Grammar& grammar);
// A rule that needs itself before it has read anything, as in a = a "x" | "y"; kNoRule when there is none.
int selfBeginningRule(const Grammar& grammar);

}  // namespace vitrine

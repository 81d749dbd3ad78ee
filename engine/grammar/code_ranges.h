// Sets of code points as lists of ranges: in order, none touches another, no surrogates.
//
// oneOf() and noneOf() (grammar.h) make expressions of such lists and need a code point in them; here a list
// may be empty. Thread: pure functions.
#pragma once

#include <vector>

#include "grammar/grammar.h"

namespace vitrine {

inline constexpr CodeRange kAllCodes{0, 0x10FFFF};
inline constexpr CodeRange kSurrogates{0xD800, 0xDFFF};

// All that are in no range; the ranges may stand in any order.
std::vector<CodeRange> complementOf(std::vector<CodeRange> ranges);

// Those of both lists.
std::vector<CodeRange> commonOf(const std::vector<CodeRange>& one, const std::vector<CodeRange>& other);

}  // namespace vitrine

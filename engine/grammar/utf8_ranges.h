// The bytes of UTF-8 for a range of code points.
//
// A range becomes a few sequences of byte ranges, each of which holds exactly the characters between its
// ends: U+00E9..U+0800 is [C3][A9-BF], [C4-DF][80-BF] and [E0][A0][80]. Thread: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "grammar/grammar.h"

namespace vitrine {

struct Utf8Range {
  std::array<std::pair<std::uint8_t, std::uint8_t>, 4> bytes = {};  // first and last, both included
  int length = 0;
};

// Requires a range without surrogates, up to U+10FFFF.
std::vector<Utf8Range> utf8RangesOf(CodeRange range);

}  // namespace vitrine

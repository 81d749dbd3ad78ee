// The numbers of a range, digit by digit. Numbers have 15 significant digits at most: two different ones are
// then two different doubles, in the same order, so that what stands here within a range is within it for
// every reader.
//
// Thread: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "grammar/grammar.h"

namespace vitrine {

inline constexpr std::int64_t kMostJsonInteger = 999'999'999'999'999;

// The integers from least to most times 10^zeros; least <= most, and the products within kMostJsonInteger.
Expression integersBetween(std::int64_t least, std::int64_t most, int zeros = 0);

struct NumberRange {
  std::int64_t least = -kMostJsonInteger, most = kMostJsonInteger;
  bool leastIsOut = false, mostIsOut = false;
};
// Numbers with or without up to 7 decimals. Without a value when the range holds none.
std::optional<Expression> numbersBetween(const NumberRange& range);

}  // namespace vitrine

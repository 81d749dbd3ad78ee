#include "grammar/number_ranges.h"

#include <algorithm>
#include <string>

namespace vitrine {
namespace {

constexpr std::int64_t kMostWithDecimals = 99'999'999;  // 8 digits, and 7 behind the point
constexpr int kMostDecimals = 7;

Expression digitBetween(char first, char last) {
  return oneOf({{static_cast<char32_t>(first), static_cast<char32_t>(last)}});
}
Expression digitTimes(std::size_t least, std::size_t most) {
  return repeatOf(digitBetween('0', '9'), static_cast<int>(least), static_cast<int>(most));
}

// Texts of as many digits as both have, from one to the other.
Expression digitsBetween(const std::string& least, const std::string& most) {
  std::size_t same = 0;
  while (same < least.size() && least[same] == most[same]) ++same;
  if (same == least.size()) return textOf(least);
  const std::string low = least.substr(same + 1), high = most.substr(same + 1);
  const std::string zeros(low.size(), '0'), nines(low.size(), '9');
  char first = least[same], last = most[same];
  std::vector<Expression> choices;
  const auto add = [&](char digit, Expression behind) {
    choices.push_back(sequenceOf({digitBetween(digit, digit), std::move(behind)}));
  };
  if (low != zeros) add(first++, digitsBetween(low, nines));
  const bool cutsLast = high != nines;
  if (cutsLast) --last;
  if (first <= last) {
    if (low.empty())
      choices.push_back(digitBetween(first, last));
    else
      choices.push_back(sequenceOf({digitBetween(first, last), digitTimes(low.size(), low.size())}));
  }
  if (cutsLast) add(static_cast<char>(last + 1), digitsBetween(zeros, high));
  Expression rest = choiceOf(std::move(choices));
  if (same == 0) return rest;
  return sequenceOf({textOf(least.substr(0, same)), std::move(rest)});
}

// 0 <= least <= most.
Expression naturalsBetween(std::int64_t least, std::int64_t most) {
  const std::string low = std::to_string(least), high = std::to_string(most);
  if (low.size() == high.size()) return digitsBetween(low, high);
  std::vector<Expression> choices{digitsBetween(low, std::string(low.size(), '9'))};
  if (low.size() + 1 < high.size())
    choices.push_back(sequenceOf({digitBetween('1', '9'), digitTimes(low.size(), high.size() - 2)}));
  choices.push_back(digitsBetween("1" + std::string(high.size() - 1, '0'), high));
  return choiceOf(std::move(choices));
}

Expression withZeros(Expression naturals, int zeros) {
  if (zeros == 0) return naturals;
  return sequenceOf({std::move(naturals), textOf(std::string(static_cast<std::size_t>(zeros), '0'))});
}

Expression decimals() { return sequenceOf({textOf("."), digitTimes(1, kMostDecimals)}); }

// 0 <= least <= most.
void addUnsigned(const NumberRange& range, std::vector<Expression>& choices) {
  const std::int64_t whole = range.leastIsOut ? range.least + 1 : range.least;  // the first with any decimals
  const std::int64_t lastWithDecimals = std::min(range.most - 1, kMostWithDecimals);
  if (whole <= lastWithDecimals)
    choices.push_back(sequenceOf({naturalsBetween(whole, lastWithDecimals), optional(decimals())}));
  const std::int64_t firstPlain = std::max(whole, lastWithDecimals + 1);
  const std::int64_t last = range.mostIsOut ? range.most - 1 : range.most;
  if (firstPlain <= last) choices.push_back(naturalsBetween(firstPlain, last));
  if (range.leastIsOut && range.least < range.most && range.least <= kMostWithDecimals) {
    Expression notZero = sequenceOf({repeatOf(textOf("0"), 0, 3), digitBetween('1', '9'), digitTimes(0, 3)});
    choices.push_back(sequenceOf({textOf(std::to_string(range.least) + '.'), std::move(notZero)}));
  }
}

}  // namespace

Expression integersBetween(std::int64_t least, std::int64_t most, int zeros) {
  std::vector<Expression> choices;
  if (least < 0)
    choices.push_back(sequenceOf(
        {textOf("-"), withZeros(naturalsBetween(std::max<std::int64_t>(1, -most), -least), zeros)}));
  if (least <= 0 && most >= 0) choices.push_back(textOf("0"));
  if (most > 0) choices.push_back(withZeros(naturalsBetween(std::max<std::int64_t>(1, least), most), zeros));
  return choiceOf(std::move(choices));
}

std::optional<Expression> numbersBetween(const NumberRange& range) {
  std::vector<Expression> choices;
  if (range.most < range.least) return std::nullopt;
  if (range.least < 0) {  // without -0, which is 0 below
    std::vector<Expression> sizes;
    const NumberRange mirrored{std::max<std::int64_t>(0, -range.most), -range.least,
                               range.most >= 0 || range.mostIsOut, range.leastIsOut};
    addUnsigned(mirrored, sizes);
    if (!sizes.empty()) choices.push_back(sequenceOf({textOf("-"), choiceOf(std::move(sizes))}));
  }
  if (range.most >= 0) {
    const NumberRange rest{std::max<std::int64_t>(0, range.least), range.most,
                           range.least >= 0 && range.leastIsOut, range.mostIsOut};
    addUnsigned(rest, choices);
  }
  if (choices.empty()) return std::nullopt;
  return choiceOf(std::move(choices));
}

}  // namespace vitrine

#include "grammar/code_ranges.h"

#include <algorithm>

namespace vitrine {

std::vector<CodeRange> complementOf(std::vector<CodeRange> ranges) {
  ranges.push_back(kSurrogates);
  std::ranges::sort(ranges, {}, &CodeRange::first);
  std::vector<CodeRange> others;
  char32_t next = kAllCodes.first;
  for (const CodeRange& range : ranges) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = std::max<char32_t>(next, range.last + 1);
  }
  if (next <= kAllCodes.last) others.push_back({next, kAllCodes.last});
  return others;
}

std::vector<CodeRange> commonOf(const std::vector<CodeRange>& one, const std::vector<CodeRange>& other) {
  std::vector<CodeRange> common;
  for (std::size_t i = 0, j = 0; i < one.size() && j < other.size();) {
    const char32_t first = std::max(one[i].first, other[j].first);
    const char32_t last = std::min(one[i].last, other[j].last);
    if (first <= last) common.push_back({first, last});
    if (one[i].last < other[j].last)
      ++i;
    else
      ++j;
  }
  return common;
}

}  // namespace vitrine

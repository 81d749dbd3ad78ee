#include "grammar/utf8_ranges.h"

#include <algorithm>
#include <string>

#include "text/utf8.h"

namespace vitrine {
namespace {

constexpr int kBitsOfByte = 6;  // that a byte behind the first one carries

void add(CodeRange range, std::vector<Utf8Range>& ranges) {
  // All characters of a sequence have as many bytes.
  for (const char32_t last : {char32_t{0x7F}, char32_t{0x7FF}, char32_t{0xFFFF}}) {
    if (range.first > last || range.last <= last) continue;
    add({range.first, last}, ranges);
    return add({last + 1, range.last}, ranges);
  }
  // And where a byte varies, those behind it take all their values.
  for (int bits = kBitsOfByte; range.last > 0x7F && bits <= 3 * kBitsOfByte; bits += kBitsOfByte) {
    const char32_t mask = (char32_t{1} << bits) - 1;
    if ((range.first & ~mask) == (range.last & ~mask)) continue;
    if ((range.first & mask) != 0) {
      add({range.first, range.first | mask}, ranges);
      return add({(range.first | mask) + 1, range.last}, ranges);
    }
    if ((range.last & mask) != mask) {
      add({range.first, (range.last & ~mask) - 1}, ranges);
      return add({range.last & ~mask, range.last}, ranges);
    }
  }
  std::string first, last;
  utf8::append(first, range.first);
  utf8::append(last, range.last);
  Utf8Range bytes{.length = static_cast<int>(first.size())};
  for (std::size_t i = 0; i < first.size(); ++i)
    bytes.bytes[i] = {static_cast<std::uint8_t>(first[i]), static_cast<std::uint8_t>(last[i])};
  ranges.push_back(bytes);
}

}  // namespace

std::vector<Utf8Range> utf8RangesOf(CodeRange range) {
  std::vector<Utf8Range> ranges;
  add(range, ranges);
  return ranges;
}

}  // namespace vitrine

#include "text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/check.h"
#include "text/utf8.h"

namespace vitrine::unicode {

namespace {

using CodePoints = std::vector<utf8proc_int32_t>;

utf8proc_option_t optionsOf(Form form) {
  int options = UTF8PROC_STABLE;
  options |= form == Form::kNfc || form == Form::kNfkc ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (form == Form::kNfkc || form == Form::kNfkd) options |= UTF8PROC_COMPAT;
  return static_cast<utf8proc_option_t>(options);
}

CodePoints decomposed(std::string_view text, utf8proc_option_t options) {
  CodePoints points;
  points.reserve(text.size() + 1);         // and a spare one for utf8proc_reencode()
  std::array<utf8proc_int32_t, 32> parts;  // of one character; Unicode's longest has 18
  while (!text.empty()) {
    const utf8::Step step = utf8::decode(text);
    VITRINE_CHECK(step.valid);  // callers keep invalid UTF-8 out
    text.remove_prefix(step.length);
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(step.codePoint), parts.data(),
                                               parts.size(), options, nullptr);
    VITRINE_CHECK(count >= 0 && static_cast<std::size_t>(count) <= parts.size());
    points.insert(points.end(), parts.begin(), parts.begin() + count);
  }
  return points;
}

}  // namespace

std::size_t orderMarks(std::span<std::int32_t> codePoints) {
  const auto classOf = [](std::int32_t codePoint) {
    return utf8proc_get_property(codePoint)->combining_class;
  };
  std::size_t comparisons = 0;
  const auto before = [&](std::int32_t a, std::int32_t b) {
    ++comparisons;
    return classOf(a) < classOf(b);
  };
  for (auto begin = codePoints.begin(); begin != codePoints.end();) {
    if (classOf(*begin) == 0) {
      ++begin;
      continue;
    }
    const auto end = std::find_if(begin, codePoints.end(),
                                  [&](std::int32_t codePoint) { return classOf(codePoint) == 0; });
    if (end - begin > 1) std::stable_sort(begin, end, before);
    begin = end;
  }
  return comparisons;
}

std::string normalized(std::string_view text, Form form) {
  const utf8proc_option_t options = optionsOf(form);
  CodePoints points = decomposed(text, options);
  orderMarks(points);
  const auto count = static_cast<utf8proc_ssize_t>(points.size());
  points.push_back(0);
  const auto length = utf8proc_reencode(points.data(), count, options);
  VITRINE_CHECK(length >= 0);
  return {reinterpret_cast<const char*>(points.data()), static_cast<std::size_t>(length)};
}

std::string lowercased(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const utf8::Step step = utf8::decode(text);
    text.remove_prefix(step.length);
    if (step.codePoint == 0x130) {  // the one letter whose lower case is two: dotted capital I
      result += "i\xCC\x87";
    } else {
      utf8::append(result,
                   static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(step.codePoint))));
    }
  }
  return result;
}

const char* categoryOf(char32_t codePoint) {
  return utf8proc_category_string(static_cast<utf8proc_int32_t>(codePoint));
}

bool isWhitespace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool isNumeric(char32_t codePoint) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(codePoint));
  return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL ||
         category == UTF8PROC_CATEGORY_NO;
}

bool isPunctuation(char32_t codePoint) {
  if (codePoint < 0x80) {
    return (codePoint >= '!' && codePoint <= '/') || (codePoint >= ':' && codePoint <= '@') ||
           (codePoint >= '[' && codePoint <= '`') || (codePoint >= '{' && codePoint <= '~');
  }
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(codePoint));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

}  // namespace vitrine::unicode

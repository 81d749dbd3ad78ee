#include "widgets/markdown/line_shape.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmedEnd(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kSpace);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Three or more of one of "*-_", spaces between them allowed.
bool isThematicBreak(std::string_view text) {
  const char mark = text.front();
  if (mark != '*' && mark != '-' && mark != '_') return false;
  const bool pure = std::ranges::all_of(text, [mark](char c) { return c == mark || c == ' ' || c == '\t'; });
  return pure && std::ranges::count(text, mark) >= 3;
}

bool isAtxHeading(std::string_view text) {
  const std::size_t marks = std::min(text.find_first_not_of('#'), text.size());
  return marks >= 1 && marks <= 6 && (marks == text.size() || text[marks] == ' ' || text[marks] == '\t');
}

}  // namespace

LineShape::LineShape(std::string_view line) {
  std::size_t at = 0;
  for (; at < line.size() && (line[at] == ' ' || line[at] == '\t'); ++at)
    indent += line[at] == '\t' ? 4 - indent % 4 : 1;
  const std::string_view text = trimmedEnd(line.substr(at));
  isBlank = text.empty();
  if (!isBlank && indent <= 3) readMarks(text);
}

void LineShape::readMarks(std::string_view text) {
  isQuote = text.front() == '>';
  isHeading = isAtxHeading(text);
  isRule = isThematicBreak(text);
  isUnderline = text.find_first_not_of(text.front() == '=' ? '=' : '-') == std::string_view::npos;
  readFence(text);
  if (!isRule) readListMark(text);
}

void LineShape::readFence(std::string_view text) {
  const char sign = text.front();
  if (sign != '`' && sign != '~') return;
  const std::size_t length = std::min(text.find_first_not_of(sign), text.size());
  const std::string_view after = text.substr(length);
  if (length < 3 || (sign == '`' && after.find('`') != std::string_view::npos)) return;
  fence = sign;
  fenceLength = length;
  info = after.substr(std::min(after.find_first_not_of(kSpace), after.size()));
}

void LineShape::readListMark(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool ordered = digits > 0;
  if (digits > 9 || digits == text.size()) return;
  const char c = text[digits];
  if (ordered ? c != '.' && c != ')' : c != '-' && c != '+' && c != '*') return;
  const std::string_view after = text.substr(digits + 1);
  if (!after.empty() && after.front() != ' ' && after.front() != '\t') return;
  mark = c;
  const std::size_t zeros = std::min(text.find_first_not_of('0'), digits);
  mayInterrupt = !after.empty() && (!ordered || text.substr(zeros, digits - zeros) == "1");
}

}  // namespace vitrine

// Where formulas stand in a piece of a message: \( \), \[ \], $ $, $$ $$, and LaTeX's environments that are
// formulas by themselves, such as \begin{align} \end{align}.
//
// They are found in the source, before the Markdown parser takes a backslash of theirs for an escape. A
// dollar is a price more often than it is maths, so the rules for a pair of single dollars are Pandoc's, and
// a few more: no space inside of them, on one line, no digit or capital after them, no words after a number.
// Code is left alone. One pass; each byte is looked at a bounded number of times.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace vitrine {

inline constexpr std::size_t kMaxDollarBytes = 1024;  // between two single dollars

struct MathsSpan {
  std::size_t begin = 0, end = 0;  // bytes of the piece, delimiters included
  bool display = false;            // \[ \], $$ $$ or an environment
  // One line of a formula that is shown as it is written: its end has not come yet, or marks of a quote stand
  // between its lines.
  bool partial = false;

  bool operator==(const MathsSpan&) const = default;
};

// Ascending, without overlaps. `growing`: the piece is the message's last one, so the end of a formula may
// still come.
std::vector<MathsSpan> findMaths(std::string_view piece, bool growing);

// What ends the display formula that is open after a line, '$', ']' or 'e' for an environment; 0: none is.
// `open`: before the line.
char openMathsAfter(std::string_view line, char open);

// Of a formula with its delimiters: whether it stands on a line of its own.
bool isDisplayMaths(std::string_view formula);

}  // namespace vitrine

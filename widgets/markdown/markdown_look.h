// MarkdownLook: the colours and sizes of a rendered message. Every text reads at 4.5 : 1 at least on what is
// behind it (WCAG), whatever palette it was made of; a test computes it for `pairs()`.
//
// A value, built again when a palette changes. Thread: the window's.
#pragma once

#include <QColor>
#include <QStringList>
#include <array>
#include <utility>
#include <vector>

#include "widgets/markdown/code_highlighter.h"
#include "widgets/support/theme.h"

namespace vitrine {

struct MarkdownLook {
  QColor base, text;
  QColor dim;                           // quotes, addresses beside a text
  QColor link, mark;                    // mark: instead of a character that would not be seen
  QColor codeBackground;                // behind code and the head of a table
  std::array<QColor, kCodeParts> code;  // by CodePart, on codeBackground
  QColor line;                          // borders and rules: no text
  QColor surprise;                      // what the strongest tint is mixed from
  QStringList codeFamilies;             // the system's fixed font unless set
  double gapPx = 8, indentPx = 26;
  double codeHeadPx = 26, codePadPx = 10, codeFootPx = 12;  // around code: room for what a view puts there

  static MarkdownLook of(const Theme& theme);

  // Behind a text of the value 0 (quiet) to 1; the text on it has the colour `text`.
  QColor tint(double value) const;
  // Each text's colour with what may be behind it.
  std::vector<std::pair<QColor, QColor>> pairs() const;

  bool operator==(const MarkdownLook&) const = default;
};

}  // namespace vitrine

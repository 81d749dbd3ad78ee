#include "widgets/support/wrapped_lines.h"

#include <algorithm>
#include <cmath>

#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kRounding = 2;  // pixels; a font may also kern a letter and a space

bool isLetter(QChar letter) { return letter.unicode() < 0x80 && letter.isLetterOrNumber(); }

// Unicode's line breaking (UAX 14) finds no opportunity in it and a plain one before it.
bool isOnePiece(QStringView word) {
  const auto joins = [](QChar letter) { return QStringView(u".,:()'%").contains(letter); };
  return (isLetter(word.front()) || word.front() == u'(') &&
         std::ranges::all_of(word, [&](QChar letter) { return isLetter(letter) || joins(letter); });
}

bool isPrintableAscii(QStringView word) {
  return std::ranges::all_of(word, [](QChar letter) { return letter > u' ' && letter < u'\x7f'; });
}

}  // namespace

std::optional<int> wrappedLines(const QFont& font, const QString& text, double width) {
  const double space = textWidth(font, QStringLiteral(" "));
  int lines = 1;
  double left = 0;
  for (const QStringView word : QStringView(text).tokenize(u' ')) {
    if (word.isEmpty() || !isPrintableAscii(word)) return std::nullopt;
    const double wide = textWidth(font, word.toString());
    if (std::abs(left + wide - width) < kRounding) return std::nullopt;
    if (left + wide > width) {
      if (left == 0 || wide > width - kRounding || !isOnePiece(word)) return std::nullopt;
      ++lines;
      left = 0;
    }
    left += wide + space;
  }
  return lines;
}

}  // namespace vitrine

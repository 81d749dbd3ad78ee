// The letters of formulas: a font of mathematics where the system has one, otherwise the serif font.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "widgets/markdown/maths_tree.h"

namespace vitrine {

// A text in the letters of a formula, as it is drawn. Lengths in pixels; the origin is the baseline's begin.
struct MathsGlyphs {
  QString text;  // in the characters that the font has for these letters
  QFont font;
  double x = 0;      // where the text is drawn
  double width = 0;  // as far as the next letter
  double foot = 0;   // where the ink near the baseline ends
  QRectF ink;
};

// Of the upright letters.
struct MathsHeights {
  double x = 0;     // of an x
  double axis = 0;  // the middle of a plus sign: fractions, operators and delimiters are centred there
};

// Thread: the window's, since what was measured is kept.
class MathsFont {
 public:
  explicit MathsFont(double pixels) : m_pixels(pixels) {}

  QFont font(MathsLetters letters, double scale) const;
  MathsGlyphs glyphs(const std::string& text, MathsLetters letters, double scale) const;
  MathsHeights heights(double scale) const;

 private:
  QString shown(const std::string& text, MathsLetters letters) const;

  double m_pixels;
};

}  // namespace vitrine

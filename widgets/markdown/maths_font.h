// The letters of formulas: a font of mathematics where the system has one, otherwise the serif font.
#pragma once

#include <QFont>
#include <QString>

#include "widgets/markdown/maths_tree.h"

namespace vitrine {

class MathsFont {
 public:
  explicit MathsFont(double pixels);

  // What draws a text in these letters: the font, and the text in the characters that it has for them.
  QFont font(MathsLetters letters, double scale) const;
  QString shown(const std::string& text, MathsLetters letters) const;
  double pixels() const { return m_pixels; }

 private:
  double m_pixels;
};

}  // namespace vitrine

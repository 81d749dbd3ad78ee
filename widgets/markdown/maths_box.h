// A formula that is set: what is drawn where, around a baseline. Lengths in pixels, y downwards.
#pragma once

#include <QFont>
#include <QPainterPath>
#include <QPointF>
#include <QString>
#include <string_view>
#include <vector>

class QPainter;

namespace vitrine {

struct MathsMark {
  QPointF at;
  QString text;  // drawn in `font`, its baseline's begin at `at`
  QFont font;
  QPainterPath path;  // without a text
  double stroke = 0;  // of the path; 0: it is filled
};

struct MathsBox {
  double width = 0, ascent = 0, descent = 0;
  double italic = 0;  // how far its last letter leans over its width
  double tuck = 0;    // how far a subscript goes under the lean of its last letter
  std::vector<MathsMark> marks;

  double height() const { return ascent + descent; }
  // Draws `other` at a place of this box, and grows upwards and downwards so that it holds it.
  void add(const MathsBox& other, double x, double y);
  // In the painter's pen, the baseline's begin at `origin`.
  void paint(QPainter& painter, QPointF origin) const;
};

// Delimiters and signs that grow with what they stand around, drawn as lines. `half`: its height above and
// below the middle, which lies `axis` above the baseline.
MathsBox fenceBox(std::string_view fence, double half, double axis, double em, double rule);
// A brace of this width that lies, its tip upwards or downwards; the box stands on its baseline.
MathsBox lyingBrace(double width, bool tipUp, double em, double rule);

}  // namespace vitrine

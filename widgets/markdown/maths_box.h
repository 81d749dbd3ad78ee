// A formula that is set: what is drawn where, around a baseline. Lengths in pixels, y downwards.
#pragma once

#include <QFont>
#include <QPainterPath>
#include <QPointF>
#include <QString>
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

}  // namespace vitrine

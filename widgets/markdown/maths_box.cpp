#include "widgets/markdown/maths_box.h"

#include <QPainter>
#include <QPen>
#include <algorithm>

namespace vitrine {

void MathsBox::add(const MathsBox& other, double x, double y) {
  for (const MathsMark& mark : other.marks) {
    marks.push_back(mark);
    marks.back().at += QPointF(x, y);
  }
  ascent = std::max(ascent, other.ascent - y);
  descent = std::max(descent, other.descent + y);
}

void MathsBox::paint(QPainter& painter, QPointF origin) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = painter.pen().color();
  for (const MathsMark& mark : marks) {
    if (!mark.text.isEmpty()) {
      painter.setPen(ink);
      painter.setFont(mark.font);
      painter.drawText(origin + mark.at, mark.text);
      continue;
    }
    painter.setPen(mark.stroke > 0 ? QPen(ink, mark.stroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)
                                   : Qt::NoPen);
    painter.setBrush(mark.stroke > 0 ? QBrush(Qt::NoBrush) : QBrush(ink));
    painter.drawPath(mark.path.translated(origin + mark.at));
  }
  painter.restore();
}

}  // namespace vitrine

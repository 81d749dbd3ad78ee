#include "widgets/views/lit.h"

#include <QPainter>

namespace vitrine {

void paintLitGround(QPainter& painter, const QRectF& area, double radius, const Theme& theme) {
  painter.save();
  painter.setPen(QPen(theme.accent(), 1));
  painter.setBrush(mix(theme.base(), theme.accent(), 0.22));
  painter.drawRoundedRect(area, radius, radius);
  painter.restore();
}

// Two lines, one of them in the ground's colour, so that it stands out on every hatch.
void paintLitFrame(QPainter& painter, const QRectF& area, double radius, const Theme& theme) {
  painter.save();
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.base(), 5.5));
  painter.drawRoundedRect(area, radius, radius);
  painter.setPen(QPen(theme.text(), 3));
  painter.drawRoundedRect(area, radius, radius);
  painter.restore();
}

}  // namespace vitrine

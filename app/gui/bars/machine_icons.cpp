#include "gui/bars/machine_icons.h"

#include <QPainter>
#include <QPainterPath>

namespace vitrine {

namespace {

QPainterPath triangle(qreal left, qreal right) {  // pointing from left to right, or back when right < left
  QPainterPath path(QPointF(left, 4));
  path.lineTo(right, 12);
  path.lineTo(left, 20);
  path.closeSubpath();
  return path;
}

// In a square of 24 units.
void draw(QPainter& painter, MachineIcon icon) {
  switch (icon) {
    case MachineIcon::kRun:
      painter.drawPath(triangle(6, 20));
      return;
    case MachineIcon::kPause:
      painter.drawRect(QRectF(6, 5, 4, 14));
      painter.drawRect(QRectF(14, 5, 4, 14));
      return;
    case MachineIcon::kStep:
      painter.drawPath(triangle(4, 15));
      painter.drawRect(QRectF(17, 4, 3, 16));
      return;
    case MachineIcon::kBack:
      painter.drawPath(triangle(20, 9));
      painter.drawRect(QRectF(4, 4, 3, 16));
      return;
    case MachineIcon::kPhase:
      painter.drawPath(triangle(4, 12));
      for (const qreal y : {5.0, 10.5, 16.0}) painter.drawRect(QRectF(15, y, 6, 3));
      return;
    case MachineIcon::kLeave:
      painter.setPen(QPen(painter.brush(), 2.6, Qt::SolidLine, Qt::FlatCap));
      painter.drawLine(QPointF(6, 6), QPointF(18, 18));
      painter.drawLine(QPointF(6, 18), QPointF(18, 6));
      return;
    case MachineIcon::kReset: {
      const QColor colour = painter.brush().color();
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(colour, 2.6, Qt::SolidLine, Qt::FlatCap));
      painter.drawArc(QRectF(5, 5, 14, 14), 20 * 16, 290 * 16);
      painter.setPen(Qt::NoPen);
      painter.setBrush(colour);
      painter.drawPolygon(QPolygonF({QPointF(14.5, 10.5), QPointF(22.5, 10.5), QPointF(19.5, 3.5)}));
      return;
    }
  }
}

QPixmap pixmapOf(MachineIcon icon, const QColor& colour, int pixels) {
  QPixmap pixmap(pixels, pixels);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(pixels / 24.0, pixels / 24.0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  draw(painter, icon);
  return pixmap;
}

}  // namespace

QIcon machineIcon(MachineIcon icon, const QPalette& palette, bool lit) {
  QIcon result;
  const QColor normal =
      palette.color(QPalette::Active, lit ? QPalette::HighlightedText : QPalette::ButtonText);
  const QColor disabled = palette.color(QPalette::Disabled, QPalette::ButtonText);
  for (const int pixels : {16, 24, 32, 48, 64}) {
    result.addPixmap(pixmapOf(icon, normal, pixels), QIcon::Normal);
    result.addPixmap(pixmapOf(icon, disabled, pixels), QIcon::Disabled);
  }
  return result;
}

}  // namespace vitrine

#include "widgets/support/request_style.h"

#include <QPainter>
#include <QPen>
#include <cmath>

#include "widgets/support/theme.h"

namespace vitrine {

QString requestLetter(RequestId request) { return requestStyle(request).letter; }

RequestStyle requestStyle(RequestId request) {
  const prose::RequestMark mark = prose::requestMark(request);
  return {QString::fromStdString(mark.letter), mark.colour, static_cast<Hatch>(mark.hatch)};
}

QString sequenceLetter(RequestId request, int index, int sequences) {
  return QString::fromStdString(prose::sequenceLetter(request, index, sequences));
}

namespace {

void drawSlanted(QPainter& painter, const QRectF& area, double spacing, bool rising) {
  // Lines are anchored to the plane, not to the area, so that the hatches of neighbouring cells join.
  const double low = rising ? area.left() + area.top() : area.left() - area.bottom();
  const double high = rising ? area.right() + area.bottom() : area.right() - area.top();
  for (double c = std::ceil(low / spacing) * spacing; c <= high; c += spacing) {
    if (rising) {
      painter.drawLine(QPointF(c - area.top(), area.top()), QPointF(c - area.bottom(), area.bottom()));
    } else {
      painter.drawLine(QPointF(c + area.top(), area.top()), QPointF(c + area.bottom(), area.bottom()));
    }
  }
}

}  // namespace

void fillHatched(QPainter& painter, const QRectF& area, const QColor& colour, Hatch hatch, double spacing) {
  painter.fillRect(area, colour);
  if (hatch == Hatch::kNone || area.isEmpty()) return;
  painter.save();
  painter.setClipRect(area, Qt::IntersectClip);
  // A shade of the colour itself: visible, and text on it stays readable.
  painter.setPen(QPen(mix(colour, Theme::inkOn(colour), 0.28), 1.2));
  if (hatch == Hatch::kRising || hatch == Hatch::kFalling) {
    drawSlanted(painter, area, spacing * 1.4, hatch == Hatch::kRising);
  } else if (hatch == Hatch::kLevel) {
    for (double y = std::ceil(area.top() / spacing) * spacing; y <= area.bottom(); y += spacing) {
      painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
  } else {
    for (double x = std::ceil(area.left() / spacing) * spacing; x <= area.right(); x += spacing) {
      painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
  }
  painter.restore();
}

}  // namespace vitrine

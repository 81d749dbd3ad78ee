#include "widgets/sampler/draw_bar_painter.h"

#include <QPainter>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr double kBarGap = 8, kNeedleHead = 5;

void paintParts(QPainter& painter, const QRectF& area, const DrawBar& bar, bool preview, const Theme& theme) {
  drawBox(painter, area, 0, Qt::NoPen, theme.panel());
  bool odd = false;
  for (const DrawBar::Part& part : bar.parts) {
    const QRectF piece(area.left() + part.begin * area.width(), area.top(),
                       (part.end - part.begin) * area.width(), area.height());
    const bool chosen = part.token == bar.chosen;
    const QColor colour = mix(theme.base(), theme.accent(), chosen ? 0.75 : odd ? 0.2 : 0.36);
    odd = !odd;
    if (preview)
      fillHatched(painter, piece, colour, Hatch::kRising);
    else
      painter.fillRect(piece, colour);
  }
  drawBox(painter, area, 0, QPen(theme.line(), 1));
}

void paintNeedle(QPainter& painter, const QRectF& area, double number, const Theme& theme) {
  const double x = area.left() + number * area.width();
  painter.setPen(QPen(theme.text(), 2));
  painter.drawLine(QPointF(x, area.top() - 1), QPointF(x, area.bottom() + 2));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.text());
  painter.drawPolygon(QPolygonF({{x - kNeedleHead, area.top() - kNeedleHead},
                                 {x + kNeedleHead, area.top() - kNeedleHead},
                                 {x, area.top() + kNeedleHead}}));
}

}  // namespace

QRectF DrawBarColumns::barIn(const QRectF& row) const {
  return row.adjusted(label + kBarGap, row.height() * 0.28, -token - kBarGap, -row.height() * 0.22);
}

QString drawBarLabel(const DrawBar& bar, bool preview) {
  if (bar.rule == DrawBar::Rule::kGreedy)
    return preview ? Wording::tr("preview: greedy") : Wording::tr("greedy");
  if (bar.rule == DrawBar::Rule::kUntold) return Wording::tr("not told");
  const QString number = formatDecimal(bar.number, 3);
  return (preview ? Wording::tr("preview %1") : Wording::tr("drawn %1")).arg(number);
}

void paintDrawBar(QPainter& painter, const QRectF& row, const DrawBar& bar, bool preview, const Theme& theme,
                  const DrawBarColumns& columns) {
  paintText(painter, QRectF(row.left(), row.top(), columns.label, row.height()), kAtLeft,
            drawBarLabel(bar, preview), theme.text());
  paintText(painter, QRectF(row.right() - columns.token, row.top(), columns.token, row.height()), kAtLeft,
            elidedText(painter.font(), bar.chosenText, columns.token));
  const QRectF area = columns.barIn(row);
  paintParts(painter, area, bar, preview, theme);
  if (bar.number >= 0) paintNeedle(painter, area, bar.number, theme);
}

}  // namespace vitrine

// How FigureView paints: axis, legend, bars or lines with their spreads, and the numbers where they fit.
#include <QPainter>
#include <algorithm>

#include "widgets/plots/figure_view.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

QColor colourOf(int series, const Theme& theme) { return theme.request(series % kRequestColours); }
Hatch hatchOf(int series) { return static_cast<Hatch>(series % kHatches); }

}  // namespace

void FigureView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const auto isExposed = [&](int place) {
    const double half = slotWidth() / 2, x = middleOf(place);
    return x + half >= exposed.left() && x - half <= exposed.right();
  };
  const Figure& figure = m_figure->figure();
  paintGrid(painter, theme);
  paintPlaces(painter, theme);
  for (int series = 0; series < m_figure->seriesCount(); ++series)
    if (figure.lines) paintLine(painter, series, theme);
  for (int place = 0; place < m_figure->places(); ++place)
    for (int series = 0; isExposed(place) && series < m_figure->seriesCount(); ++series) {
      if (!m_figure->value(series, place)) continue;
      if (!figure.lines) paintBar(painter, series, place, theme);
      paintSpread(painter, series, place, theme);
      if (figure.lines) paintPoint(painter, markArea(series, place).center(), series, theme);
      if (m_numbersFit) paintNumber(painter, series, place, theme);
    }
  paintAxis(painter, theme);
  paintLegend(painter, theme);
}

void FigureView::paintGrid(QPainter& painter, const Theme& theme) const {
  const QRectF& area = m_axes.area;
  painter.setPen(QPen(mix(theme.base(), theme.line(), 0.45), 1));
  for (double value = m_axes.step; value <= m_axes.top * 1.0001; value += m_axes.step)
    painter.drawLine(QPointF(area.left(), heightOf(value)), QPointF(area.right(), heightOf(value)));
  painter.setPen(QPen(theme.line(), 1.4));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
}

// It stays in sight while the places scroll, and covers what goes under it.
void FigureView::paintAxis(QPainter& painter, const Theme& theme) const {
  const double line = fontMetrics().height(), left = headingCorner(painter).x();
  const QRectF& area = m_axes.area;
  painter.fillRect(
      QRectF(left, area.top() - line, m_axisWidth - 1, contentSize().height() - area.top() + line),
      theme.base());
  painter.setPen(theme.dimText());
  for (double value = 0; value <= m_axes.top * 1.0001; value += m_axes.step)
    paintText(painter, QRectF(left, heightOf(value) - line / 2, m_axisWidth - kGap, line),
              Qt::AlignRight | Qt::AlignVCenter, figureNumber(value));
  paintText(painter, QRectF(left + kSide, area.top() - 1.5 * line - 3, area.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter, tr("↑ %1").arg(m_figure->figure().yLabel));
  const QRectF foot(left + m_axisWidth, area.bottom() + m_labelLines * line + 7,
                    std::min<double>(viewport()->width(), area.right()) - m_axisWidth - kSide, line);
  paintText(painter, foot, Qt::AlignRight | Qt::AlignVCenter, tr("%1 →").arg(m_figure->figure().xLabel));
}

void FigureView::paintPlaces(QPainter& painter, const Theme& theme) const {
  for (int place = 0; place < m_figure->places(); ++place) {
    painter.setPen(place == currentColumn() && hasFocus() ? theme.accentText() : theme.text());
    const QRectF area = labelArea(place);
    const QString& words = m_figure->figure().places.at(place);
    if (m_labelLines == 1)
      paintText(painter, area, Qt::AlignHCenter | Qt::AlignTop, elidedText(font(), words, area.width()));
    else
      painter.drawText(area, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, words);
  }
}

void FigureView::paintBar(QPainter& painter, int series, int place, const Theme& theme) const {
  const QRectF area = markArea(series, place);
  fillHatched(painter, area, colourOf(series, theme), hatchOf(series));
  const bool current = hasFocus() && series == currentRow() && place == currentColumn();
  if (!current && !theme.isHighContrast()) return;
  painter.setPen(QPen(current ? theme.accent() : theme.text(), current ? 2.5 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area);
}

void FigureView::paintLine(QPainter& painter, int series, const Theme& theme) const {
  painter.setPen(QPen(colourOf(series, theme), 2.2, static_cast<Qt::PenStyle>(Qt::SolidLine + series % 4)));
  for (int place = 1; place < m_figure->places(); ++place) {
    const QRectF from = markArea(series, place - 1), to = markArea(series, place);
    if (!from.isNull() && !to.isNull()) painter.drawLine(from.center(), to.center());
  }
}

// A shape of its own for each series: disc, square, diamond, triangle.
void FigureView::paintPoint(QPainter& painter, const QPointF& at, int series, const Theme& theme) const {
  constexpr double kRadius = 5;
  const bool current = hasFocus() && series == currentRow();
  const QPointF shown = markArea(currentRow(), currentColumn()).center();
  painter.setPen(current && at == shown ? QPen(theme.accent(), 2.5) : QPen(theme.base(), 1));
  painter.setBrush(colourOf(series, theme));
  const double r = kRadius;
  switch (series % 4) {
    case 0:
      painter.drawEllipse(at, r, r);
      return;
    case 1:
      painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
      return;
    case 2:
      painter.drawPolygon(QPolygonF({at + QPointF(0, -1.3 * r), at + QPointF(1.3 * r, 0),
                                     at + QPointF(0, 1.3 * r), at + QPointF(-1.3 * r, 0)}));
      return;
    default:
      painter.drawPolygon(
          QPolygonF({at + QPointF(0, -1.2 * r), at + QPointF(1.2 * r, r), at + QPointF(-1.2 * r, r)}));
  }
}

// From the least to the most that was measured.
void FigureView::paintSpread(QPainter& painter, int series, int place, const Theme& theme) const {
  const FigureValue& value = *m_figure->value(series, place);
  if (value.count < 2) return;
  const double x = markArea(series, place).center().x(), half = std::min(5.0, barWidth() / 3);
  painter.setPen(QPen(theme.text(), 1.5));
  painter.drawLine(QPointF(x, heightOf(value.low)), QPointF(x, heightOf(value.high)));
  for (const double end : {value.low, value.high})
    painter.drawLine(QPointF(x - half, heightOf(end)), QPointF(x + half, heightOf(end)));
}

// Above the spread.
void FigureView::paintNumber(QPainter& painter, int series, int place, const Theme& theme) const {
  const FigureValue& value = *m_figure->value(series, place);
  const QString words = figureNumber(value.middle);
  const double line = fontMetrics().height(), width = textWidth(font(), words) + 2,
               top = heightOf(value.count < 2 ? value.middle : value.high) - line -
                     (m_figure->figure().lines ? 6 : 2);
  painter.setPen(theme.text());
  paintText(painter, QRectF(markArea(series, place).center().x() - width / 2, top, width, line),
            Qt::AlignCenter, words);
}

void FigureView::paintSample(QPainter& painter, const QRectF& area, int series, const Theme& theme) const {
  if (!m_figure->figure().lines) return fillHatched(painter, area, colourOf(series, theme), hatchOf(series));
  painter.setPen(QPen(colourOf(series, theme), 2.2, static_cast<Qt::PenStyle>(Qt::SolidLine + series % 4)));
  painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
  paintPoint(painter, area.center(), series, theme);
}

// One series needs none: the axis names it.
void FigureView::paintLegend(QPainter& painter, const Theme& theme) const {
  if (m_legend.size() < 2) return;
  const double left = headingCorner(painter).x();
  for (int series = 0; series < m_figure->seriesCount(); ++series) {
    const QRectF area = m_legend[static_cast<std::size_t>(series)].translated(left, 0);
    paintSample(painter, QRectF(area.left(), area.center().y() - 6, kSample, 12), series, theme);
    painter.setPen(theme.text());
    paintText(painter, area.adjusted(kSample + kGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
              m_figure->figure().series[static_cast<std::size_t>(series)].name);
  }
}

}  // namespace vitrine

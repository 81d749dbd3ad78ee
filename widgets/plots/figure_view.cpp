#include "widgets/plots/figure_view.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kGroup = 0.8, kMostBar = 72, kLeastBar = 5;
constexpr double kLeastTop = 1e-30;  // of the axis
constexpr int kMostLabelLines = 3, kFigureMostTicks = 6;
constexpr double kFigureAround = 7;  // lines of text above and below the data, about

// 1, 2 or 5 times a power of ten: at most so many of them cover the range.
double niceStep(double range, int most) {
  double step = std::pow(10, std::floor(std::log10(range / most)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (range / step <= most) return step;
    step *= factor;
  }
  return step;
}

// The lines of a text in so much room.
int linesIn(const QString& text, const QFont& font, double width) {
  QTextLayout layout(text, font);
  layout.beginLayout();
  int lines = 0;
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine(), ++lines)
    line.setLineWidth(width);
  layout.endLayout();
  return lines;
}

QColor colourOf(int series, const Theme& theme) { return theme.request(series % kRequestColours); }
Hatch hatchOf(int series) { return static_cast<Hatch>(series % kHatches); }

}  // namespace

FigureView::FigureView(FigureModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kGrid, .ends = true, .always = true}, parent),
      m_figure(model) {}

QString FigureView::emptyText() const {
  return m_figure->isMeasured() ? QString() : tr("This figure has no measured values.");
}

double FigureView::barWidth() const {
  return std::min(kMostBar, kGroup * slotWidth() / std::max(1, m_figure->seriesCount()));
}

double FigureView::heightOf(double value) const {
  return m_axes.area.bottom() - value / m_axes.top * m_axes.area.height();
}

// All of them, or none: a number that is missing would look like one that was not measured.
bool FigureView::numbersFit() const {
  const bool alone = m_figure->seriesCount() == 1;
  if (m_figure->figure().lines && !alone) return false;
  const double room = (alone ? slotWidth() : barWidth()) - 4;
  for (const Figure::Series& series : m_figure->figure().series)
    for (const auto& value : series.values)
      if (value && textWidth(font(), figureNumber(value->middle)) > room) return false;
  return true;
}

// Legend above the data, names of places below it, numbers of the axis at the left.
void FigureView::arrange() {
  const double line = fontMetrics().height(), width = viewport()->width(),
               letter = fontMetrics().averageCharWidth();
  const double most = m_figure->most() > kLeastTop ? m_figure->most() : 1;
  const double height = viewport()->height() - kFigureAround * line;
  m_axes.step = niceStep(most, std::clamp(static_cast<int>(height / (1.8 * line)), 2, kFigureMostTicks));
  m_axes.top = std::ceil(most / m_axes.step * 1.04) * m_axes.step;
  m_axisWidth = kSide + kGap;
  double numbers = 0;
  for (double value = 0; value <= m_axes.top * 1.0001; value += m_axes.step)
    numbers = std::max(numbers, textWidth(font(), figureNumber(value)));
  m_axisWidth += numbers;
  m_legend.clear();
  double x = m_axisWidth, y = 4;
  for (const Figure::Series& series : m_figure->figure().series) {
    const double wide = kSample + kGap + textWidth(font(), series.name) + 3 * kGap;
    if (x + wide > width - kSide && x > m_axisWidth) {
      x = m_axisWidth;
      y += line + 4;
    }
    m_legend.emplace_back(x, y, wide, line);
    x += wide;
  }
  const double slot = std::max({8 * letter, kLeastBar * m_figure->seriesCount() / kGroup, 1.0});
  m_contentWidth = std::max(width, m_axisWidth + kSide + slot * m_figure->places());
  const double top = y + (m_legend.size() > 1 ? line : 0) + 1.5 * line + 6;
  m_axes.area = QRectF(m_axisWidth, top, m_contentWidth - m_axisWidth - kSide, 1);
  m_labelLines = 1;
  for (const QString& place : m_figure->figure().places)
    m_labelLines = std::max(m_labelLines, linesIn(place, font(), slotWidth() - 4));
  m_labelLines = std::min(m_labelLines, kMostLabelLines);
  m_numbersFit = numbersFit();
  const double below = (m_labelLines + 1) * line + 12;
  m_axes.area.setBottom(std::max(top + 4 * line, viewport()->height() - below));
}

QSize FigureView::contentSize() const {
  const double below = (m_labelLines + 1) * fontMetrics().height() + 12;
  return {static_cast<int>(m_contentWidth), static_cast<int>(m_axes.area.bottom() + below)};
}

QRectF FigureView::labelArea(int place) const {
  return {middleOf(place) - slotWidth() / 2 + 2, m_axes.area.bottom() + 5, slotWidth() - 4,
          static_cast<double>(m_labelLines * fontMetrics().height())};
}

QRectF FigureView::markArea(int series, int place) const {
  const std::optional<FigureValue>& value = m_figure->value(series, place);
  if (!value) return {};
  const double y = heightOf(value->middle);
  if (m_figure->figure().lines) return {middleOf(place) - 5, y - 5, 10, 10};
  const double width = barWidth(), left = middleOf(place) + (series - m_figure->seriesCount() / 2.0) * width;
  return {left, y, width * 0.92, m_axes.area.bottom() - y};
}

ViewItem FigureView::itemAt(const QPoint& content) const {
  for (int series = m_figure->seriesCount() - 1; series >= 0; --series)
    for (int place = 0; place < m_figure->places(); ++place) {
      QRectF area = markArea(series, place);
      if (area.isNull()) continue;
      if (!m_figure->figure().lines) area.setTop(area.top() - 6);  // a low bar is hard to meet
      if (area.adjusted(-3, -3, 3, 3).contains(content)) return {series, place};
    }
  return {};
}

QRect FigureView::itemRect(const ViewItem& item) const {
  const QRectF label = labelArea(item.column);
  return label.united(QRectF(label.topLeft(), QSizeF(1, 1))).toRect();
}

QString FigureView::describeItem(const ViewItem& item) const {
  return m_figure->describe(item.row, item.column);
}

void FigureView::contentChanged() {
  CursorView::contentChanged();
  setAccessibleName(m_figure->figure().title);
}

// How FigureView paints: axis, legend, bars or lines with their spreads, and the numbers where they fit.

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
    paintText(painter, QRectF(left, heightOf(value) - line / 2, m_axisWidth - kGap, line), kAtRight,
              figureNumber(value));
  paintText(painter, QRectF(left + kSide, area.top() - 1.5 * line - 3, area.width(), line), kAtLeft,
            tr("↑ %1").arg(m_figure->figure().yLabel));
  const QRectF foot(left + m_axisWidth, area.bottom() + m_labelLines * line + 7,
                    std::min<double>(viewport()->width(), area.right()) - m_axisWidth - kSide, line);
  paintText(painter, foot, kAtRight, tr("%1 →").arg(m_figure->figure().xLabel));
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
  drawBox(painter, area, 0, QPen(current ? theme.accent() : theme.text(), current ? 2.5 : 1));
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
  paintText(painter, QRectF(markArea(series, place).center().x() - width / 2, top, width, line),
            Qt::AlignCenter, words, theme.text());
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
    paintText(painter, area.adjusted(kSample + kGap, 0, 0, 0), kAtLeft,
              m_figure->figure().series[static_cast<std::size_t>(series)].name, theme.text());
  }
}

}  // namespace vitrine

#include "moc_figure_view.cpp"

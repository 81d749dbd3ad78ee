#include "widgets/plots/figure_view.h"

#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
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

}  // namespace

FigureView::FigureView(FigureModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kGrid, .ends = true, .always = true}, parent),
      m_figure(model) {}

QString FigureView::summary() const { return m_figure->figure().title; }

QString FigureView::emptyText() const {
  return m_figure->isMeasured() ? QString() : tr("Nothing of this figure was measured.");
}

double FigureView::slotWidth() const { return m_axes.area.width() / std::max(1, m_figure->places()); }

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

}  // namespace vitrine

#include "moc_figure_view.cpp"

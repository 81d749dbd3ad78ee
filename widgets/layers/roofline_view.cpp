#include "widgets/layers/roofline_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kLeastChart = 300, kMostRadius = 17, kLeastRadius = 3;

}  // namespace

RooflineView::RooflineView(OperationsModel* model, QWidget* parent)
    : CursorView(model, {}, parent), m_operations(model) {
  setAccessibleName(tr("Where the time of the forward goes"));
}

bool RooflineView::hasChart() const {
  return m_operations->roof() != nullptr &&
         viewport()->width() >= kLeastChart + 34 * fontMetrics().averageCharWidth();
}

double RooflineView::listWidth() const {
  const double all = viewport()->width();
  return hasChart()
             ? std::min(all - kLeastChart, std::max(0.46 * all, 34.0 * fontMetrics().averageCharWidth()))
             : all;
}

QRectF RooflineView::rowArea(int row) const {
  return {0, static_cast<double>((row + 1) * rowHeight()), listWidth(), static_cast<double>(rowHeight())};
}

// The chart stays beside the list when that scrolls.
QRectF RooflineView::chartArea() const {
  const double line = fontMetrics().height();
  return {listWidth() + 4.5 * fontMetrics().averageCharWidth(), 6.0 + line + verticalScrollBar()->value(),
          viewport()->width() - listWidth() - 4.5 * fontMetrics().averageCharWidth() - kSide,
          viewport()->height() - 3 * line - 16};
}

QSize RooflineView::contentSize() const {
  if (m_operations->rowCount() == 0) return {};
  const int rows = m_operations->rowCount() + (m_operations->roof() == nullptr ? 2 : 0);
  const int list = static_cast<int>(rowArea(rows - 1).bottom()) + 4;
  return {viewport()->width(), hasChart() ? std::max(list, viewport()->height()) : list};
}

QPointF RooflineView::Axes::at(double intensity, double gflops) const {
  const double x = std::log(intensity / fromIntensity) / std::log(toIntensity / fromIntensity),
               y = std::log(gflops / fromGflops) / std::log(toGflops / fromGflops);
  return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

RooflineView::Axes RooflineView::axes() const {
  const MachineRoof& roof = *m_operations->roof();
  const double highest = roof.highestGflops();
  Axes axes{0.05, 4 * ridge(highest, std::min(roof.memoryGbps(), m_operations->streamGbps())),
            roof.gflops / 100, 2 * highest, chartArea()};
  for (const OperationRow& row : m_operations->rows()) {
    if (row.place.intensity <= 0 || row.place.gflops <= 0) continue;
    axes.fromIntensity = std::min(axes.fromIntensity, row.place.intensity / 1.5);
    axes.toIntensity = std::max(axes.toIntensity, row.place.intensity * 2);
    axes.fromGflops = std::min(axes.fromGflops, row.place.gflops / 1.5);
  }
  // Room above the peak for its words, which would lie over the legend.
  const double room = std::min(0.4, (fontMetrics().height() + 2.0) / std::max(axes.area.height(), 1.0));
  axes.toGflops =
      std::max(axes.toGflops, axes.fromGflops * std::pow(highest / axes.fromGflops, 1 / (1 - room)));
  return axes;
}

QPointF RooflineView::placeOf(int row) const {
  if (!hasChart()) return {};
  const RoofPlace& place = m_operations->at(row).place;
  return place.intensity > 0 && place.gflops > 0 ? axes().at(place.intensity, place.gflops) : QPointF();
}

// It begins where the line of the bandwidth that decides meets it.
QLineF RooflineView::peakLine(int ceiling) const {
  if (!hasChart()) return {};
  const Axes axes = this->axes();
  const double gflops = m_operations->roof()->ceilings()[static_cast<std::size_t>(ceiling)].gflops;
  return {axes.at(std::max(ridge(gflops, m_operations->streamGbps()), axes.fromIntensity), gflops),
          axes.at(axes.toIntensity, gflops)};
}

double RooflineView::radiusOf(int row) const {
  return std::max(kLeastRadius, kMostRadius * std::sqrt(m_operations->at(row).share));
}

ViewItem RooflineView::itemAt(const QPoint& content) const {
  for (int row = 0; row < m_operations->rowCount(); ++row) {
    if (rowArea(row).contains(content)) return {row};
    const QPointF place = placeOf(row), away = place - content;
    if (!place.isNull() && std::hypot(away.x(), away.y()) <= radiusOf(row) + 2) return {row};
  }
  return {};
}

void RooflineView::contentChanged() {
  if (currentRow() >= 0 && currentRow() < m_operations->rowCount()) return;
  placeCursor({m_operations->longest()});
  if (currentRow() < 0) return;
  layoutContent();
  reveal(itemRect(currentItem()));
}

// How RooflineView paints itself: the list, the roof, the marks and their names.

void RooflineView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  if (m_operations->rowCount() > 0) paintHead(painter, theme);
  for (int row = 0; row < m_operations->rowCount(); ++row)
    if (rowArea(row).intersects(exposed)) paintRow(painter, row, theme);
  if (hasChart() && m_operations->rowCount() > 0) paintChart(painter, theme);
  paintNote(painter, theme);
}

// Two lines below the rows.
void RooflineView::paintNote(QPainter& painter, const Theme& theme) const {
  const QString note = m_operations->roofNote();
  if (note.isEmpty()) return;
  const int rows = m_operations->rowCount();
  paintText(painter, rowArea(rows).united(rowArea(rows + 1)).adjusted(kSide, 0, -kSide, 0),
            kAtLeft | Qt::TextWordWrap, note, theme.dimText());
}

RooflineView::Columns RooflineView::columns(const QRectF& row) const {
  const double letter = fontMetrics().averageCharWidth(), name = 11 * letter, share = 8 * letter,
               limit = (hasRoomForWords() ? 17 : 8) * letter;
  const QRectF area = row.adjusted(kSide, 1, -kSide, -1);
  constexpr double kMark = 15;
  return {area.adjusted(0, 0, name - area.width(), 0),
          area.adjusted(name - 5, 0, name - 5 + kMark - area.width(), 0),
          area.adjusted(name + kMark, 0, -share - limit, 0),
          area.adjusted(area.width() - share - limit, 0, -limit, 0),
          area.adjusted(area.width() - limit, 0, 0, 0)};
}

void RooflineView::paintHead(QPainter& painter, const Theme& theme) const {
  const Columns columns = this->columns(rowArea(-1));
  paintText(painter, columns.name.united(columns.bar), kAtLeft, tr("operation"), theme.dimText());
  paintText(painter, columns.share, kAtRight, tr("time"));
  paintText(painter, columns.limit, kAtRight, m_operations->roof() != nullptr ? tr("of limit") : QString());
}

// The bar's length is the share of the forward's time.
void RooflineView::paintRow(QPainter& painter, int row, const Theme& theme) const {
  const OperationRow& shown = m_operations->at(row);
  const Columns columns = this->columns(rowArea(row));
  if (row == currentRow()) {
    drawBox(painter, columns.name.united(columns.limit).adjusted(-5, 0, 5, 0), 5,
            hasFocus() ? QPen(theme.accent(), 1.5) : QPen(Qt::NoPen),
            mix(theme.base(), theme.accent(), 0.14));
  }
  paintText(painter, columns.name, kAtLeft, m_operations->name(row), theme.text());
  const double most = m_operations->at(m_operations->longest()).share;
  painter.setPen(Qt::NoPen);
  painter.setBrush(shown.place.isComputeBound ? theme.good() : theme.accent());
  if (shown.place.limit > 0) paintMark(painter, row, columns.mark.center(), 4);
  if (columns.bar.width() > 8 && most > 0) {
    const double length = std::max(2.0, (columns.bar.width() - 8) * shown.share / most);
    painter.drawRoundedRect(QRectF(columns.bar.left(), columns.bar.center().y() - 4, length, 8), 3, 3);
  }
  paintText(painter, columns.share, kAtRight, formatPercent(shown.share), theme.text());
  painter.setPen(theme.dimText());
  if (shown.place.limit <= 0) return;
  const QString share = formatPercent(shown.place.limit);
  const QString words = shown.place.isComputeBound ? tr("%1 of FLOP/s") : tr("%1 of GB/s");
  paintText(painter, columns.limit, kAtRight, hasRoomForWords() ? words.arg(share) : share);
}

void RooflineView::paintChart(QPainter& painter, const Theme& theme) const {
  const Axes axes = this->axes();
  painter.fillRect(QRectF(listWidth(), verticalScrollBar()->value(), viewport()->width() - listWidth(),
                          viewport()->height()),
                   theme.base());
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(axes.area.bottomLeft(), axes.area.bottomRight());
  painter.drawLine(axes.area.bottomLeft(), axes.area.topLeft());
  const double line = fontMetrics().height();
  paintText(painter, QRectF(axes.area.left(), axes.area.bottom() + line + 3, axes.area.width(), line),
            kAtRight, tr("operations for each byte →"), theme.dimText());
  const double width = axes.area.right() - listWidth();
  const QString legend = tr("↑ GFLOP/s · ◆ memory limits, ● arithmetic limits · area: time");
  paintText(painter, QRectF(listWidth(), axes.area.top() - line - 2, width, line), kAtLeft,
            elidedText(font(), legend, width));
  for (double tick : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
    if (tick < axes.fromIntensity || tick > axes.toIntensity / 3) continue;
    const double x = axes.at(tick, axes.fromGflops).x();
    painter.drawLine(QPointF(x, axes.area.bottom()), QPointF(x, axes.area.bottom() + 3));
    paintText(painter, QRectF(x - 30, axes.area.bottom() + 3, 60, line), Qt::AlignHCenter | Qt::AlignTop,
              QString::number(tick));
  }
  for (double tick : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10'000.0}) {
    if (tick < axes.fromGflops || tick > axes.toGflops) continue;
    const double y = axes.at(axes.fromIntensity, tick).y();
    paintText(painter, QRectF(listWidth(), y - line / 2, axes.area.left() - listWidth() - 4, line),
              kAtRight | Qt::TextDontClip, QString::number(tick));
  }
  paintRoof(painter, axes, theme);
  paintMarks(painter, axes, theme);
}

// The line that decides about weights and KV is solid, those of the other memories are dashed. All of them
// rise to the highest peak; a lower one is the end of what is computed in its arithmetic.
void RooflineView::paintRoof(QPainter& painter, const Axes& axes, const Theme& theme) const {
  const MachineRoof& roof = *m_operations->roof();
  const double highest = roof.highestGflops();
  painter.save();
  painter.setClipRect(axes.area.adjusted(0, -fontMetrics().height(), 0, 0), Qt::IntersectClip);
  const auto paintSlope = [&](double gbps) {
    painter.drawLine(axes.at(axes.fromIntensity, axes.fromIntensity * gbps),
                     axes.at(ridge(highest, gbps), highest));
  };
  painter.setPen(QPen(theme.dimText(), 1, Qt::DashLine));
  for (const RoofLine& other : roof.othersThan(m_operations->streamGbps())) paintSlope(other.gbps);
  painter.setPen(QPen(theme.text(), 1.6));
  paintSlope(m_operations->streamGbps());
  const RoofWords words = roofWords(axes);
  for (std::size_t i = 0; i < words.peaks.size(); ++i) painter.drawLine(peakLine(static_cast<int>(i)));
  painter.restore();
  painter.setPen(theme.text());
  for (const PlacedWords& peak : words.peaks) {
    painter.fillRect(peak.area, theme.base());  // a slope may pass there
    paintText(painter, peak.area, kAtRight | Qt::TextDontClip, peak.words);
  }
  painter.fillRect(words.stream.area, theme.base());
  paintText(painter, words.stream.area, kAtLeft | Qt::TextDontClip, words.stream.words);
}

// The highest peak's words stand above its line, those of a lower one and of the bandwidth below theirs.
RooflineView::RoofWords RooflineView::roofWords(const Axes& axes) const {
  const MachineRoof& roof = *m_operations->roof();
  const double line = fontMetrics().height(), gbps = m_operations->streamGbps();
  RoofWords words;
  for (const QString& whole : m_operations->peakWords()) {
    const auto ceiling = static_cast<int>(words.peaks.size());
    const bool isHighest = roof.ceilings()[static_cast<std::size_t>(ceiling)].gflops >= roof.highestGflops();
    const QString peak = elidedText(font(), whole, axes.area.width());
    const QPointF end = peakLine(ceiling).p2();
    const double width = textWidth(font(), peak);
    words.peaks.push_back({peak, {end.x() - width, end.y() + (isHighest ? -line - 1 : 1), width, line}});
  }
  const double foot = 1.6 * std::max(axes.fromIntensity, 1.15 * axes.fromGflops / gbps);
  const QPointF start = axes.at(foot, foot * gbps);
  const double left = start.x() + 8;
  const QString stream = elidedText(font(), m_operations->streamWords(), axes.area.right() - left);
  words.stream = {stream, {left, start.y() - line / 2, textWidth(font(), stream), line}};
  return words;
}

void RooflineView::paintMark(QPainter& painter, int row, const QPointF& centre, double radius) const {
  if (m_operations->at(row).place.isComputeBound) {
    painter.drawEllipse(centre, radius, radius);
    return;
  }
  const double reach = radius * 1.25;  // of the same area
  painter.drawPolygon(QPolygonF({centre + QPointF(-reach, 0), centre + QPointF(0, -reach),
                                 centre + QPointF(reach, 0), centre + QPointF(0, reach)}));
}

// The largest first, so that small ones lie above it.
void RooflineView::paintMarks(QPainter& painter, const Axes& axes, const Theme& theme) const {
  std::vector<int> order;
  for (int row = 0; row < m_operations->rowCount(); ++row)
    if (!placeOf(row).isNull()) order.push_back(row);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int row) { return m_operations->at(row).share; });
  for (const int row : order) {
    QColor fill = m_operations->at(row).place.isComputeBound ? theme.good() : theme.accent();
    fill.setAlphaF(0.6F);
    painter.setPen(QPen(row == currentRow() ? theme.text() : theme.line(), row == currentRow() ? 2 : 1));
    painter.setBrush(fill);
    paintMark(painter, row, placeOf(row), radiusOf(row));
  }
  painter.setPen(theme.text());
  paintNames(painter, order, roofWords(axes));
}

// A name stands where no other words do, or not at all.
void RooflineView::paintNames(QPainter& painter, const std::vector<int>& order, const RoofWords& roof) const {
  std::vector<QRectF> taken = {roof.stream.area};
  for (const PlacedWords& peak : roof.peaks) taken.push_back(peak.area);
  for (const int row : order) {
    const QPointF place = placeOf(row);
    const double radius = radiusOf(row) + 4, line = fontMetrics().height(),
                 width = textWidth(font(), m_operations->name(row)) + 2;
    const QRectF spots[] = {{place.x() + radius, place.y() - line / 2, width, line},
                            {place.x() - radius - width, place.y() - line / 2, width, line},
                            {place.x() - width / 2, place.y() + radius - 2, width, line},
                            {place.x() - width / 2, place.y() - radius - line + 2, width, line}};
    const auto* const spot = std::ranges::find_if(spots, [&](const QRectF& one) {
      return chartArea().contains(one) &&
             std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(one); });
    });
    if (spot == std::end(spots)) continue;
    taken.push_back(*spot);
    paintText(painter, *spot, kAtLeft | Qt::TextDontClip, m_operations->name(row));
  }
}

}  // namespace vitrine

#include "moc_roofline_view.cpp"

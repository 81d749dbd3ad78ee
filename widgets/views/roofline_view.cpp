#include "widgets/views/roofline_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr double kLeastChart = 300, kMostRadius = 17, kLeastRadius = 3;

// The bandwidth line of a reading ends where the peak begins.
double ridge(const MachineRoof& roof, double gbps) { return gbps > 0 ? roof.gflops / gbps : 0; }

}  // namespace

RooflineView::RooflineView(OperationsModel* model, QWidget* parent)
    : PaintedView(model, parent), m_operations(model) {
  setAccessibleName(tr("Where the time of the forward goes"));
}

bool RooflineView::hasChart() const {
  return m_operations->roof() && viewport()->width() >= kLeastChart + 34 * fontMetrics().averageCharWidth();
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
  const int list = static_cast<int>(rowArea(m_operations->rowCount() - 1).bottom()) + 4;
  return {viewport()->width(), hasChart() ? std::max(list, viewport()->height()) : list};
}

QPointF RooflineView::Axes::at(double intensity, double gflops) const {
  const double x = std::log(intensity / fromIntensity) / std::log(toIntensity / fromIntensity),
               y = std::log(gflops / fromGflops) / std::log(toGflops / fromGflops);
  return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

RooflineView::Axes RooflineView::axes() const {
  const MachineRoof& roof = *m_operations->roof();
  Axes axes{0.05, 4 * ridge(roof, roof.memoryGbps()), roof.gflops / 100, 2 * roof.gflops, chartArea()};
  for (const OperationRow& row : m_operations->rows()) {
    if (row.place.intensity <= 0 || row.place.gflops <= 0) continue;
    axes.fromIntensity = std::min(axes.fromIntensity, row.place.intensity / 1.5);
    axes.toIntensity = std::max(axes.toIntensity, row.place.intensity * 2);
    axes.fromGflops = std::min(axes.fromGflops, row.place.gflops / 1.5);
  }
  return axes;
}

QPointF RooflineView::placeOf(int row) const {
  if (!hasChart()) return {};
  const RoofPlace& place = m_operations->at(row).place;
  return place.intensity > 0 && place.gflops > 0 ? axes().at(place.intensity, place.gflops) : QPointF();
}

double RooflineView::radiusOf(int row) const {
  return std::max(kLeastRadius, kMostRadius * std::sqrt(m_operations->at(row).share));
}

int RooflineView::rowAt(const QPoint& content) const {
  for (int row = 0; row < m_operations->rowCount(); ++row) {
    if (rowArea(row).contains(content)) return row;
    const QPointF place = placeOf(row), away = place - content;
    if (!place.isNull() && std::hypot(away.x(), away.y()) <= radiusOf(row) + 2) return row;
  }
  return -1;
}

void RooflineView::contentChanged() {
  if (m_current < 0 || m_current >= m_operations->rowCount()) m_current = m_operations->longest();
}

void RooflineView::setCurrent(int row) {
  if (m_operations->rowCount() == 0) return;
  m_current = std::clamp(row, 0, m_operations->rowCount() - 1);
  announce(m_operations->describe(m_current));
  reveal(rowArea(m_current).toRect());
  viewport()->update();
}

QString RooflineView::tipAt(const QPoint& content) const {
  const int row = rowAt(content);
  return row < 0 ? QString() : m_operations->describe(row);
}

void RooflineView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return setCurrent(m_current - 1);
    case Qt::Key_Down:
      return setCurrent(m_current + 1);
    default:
      PaintedView::keyPressEvent(event);
  }
}

void RooflineView::mousePressEvent(QMouseEvent* event) {
  if (const int row = rowAt(toContent(event->pos())); row >= 0) setCurrent(row);
}

void RooflineView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  if (m_operations->rowCount() > 0) paintHead(painter, theme);
  for (int row = 0; row < m_operations->rowCount(); ++row)
    if (rowArea(row).intersects(exposed)) paintRow(painter, row, theme);
  if (hasChart() && m_operations->rowCount() > 0) paintChart(painter, theme);
}

bool RooflineView::hasRoomForWords() const { return listWidth() >= 44 * fontMetrics().averageCharWidth(); }

RooflineView::Columns RooflineView::columns(const QRectF& row) const {
  const double letter = fontMetrics().averageCharWidth(), name = 11 * letter, share = 8 * letter,
               limit = (hasRoomForWords() ? 17 : 8) * letter;
  const QRectF area = row.adjusted(kSide, 1, -kSide, -1);
  return {area.adjusted(0, 0, name - area.width(), 0), area.adjusted(name, 0, -share - limit, 0),
          area.adjusted(area.width() - share - limit, 0, -limit, 0),
          area.adjusted(area.width() - limit, 0, 0, 0)};
}

void RooflineView::paintHead(QPainter& painter, const Theme& theme) const {
  const Columns columns = this->columns(rowArea(-1));
  painter.setPen(theme.dimText());
  paintText(painter, columns.name.united(columns.bar), Qt::AlignLeft | Qt::AlignVCenter, tr("operation"));
  paintText(painter, columns.share, Qt::AlignRight | Qt::AlignVCenter, tr("time"));
  paintText(painter, columns.limit, Qt::AlignRight | Qt::AlignVCenter,
            m_operations->roof() ? tr("of limit") : QString());
}

// The bar's length is the share of the forward's time.
void RooflineView::paintRow(QPainter& painter, int row, const Theme& theme) const {
  const OperationRow& shown = m_operations->at(row);
  const Columns columns = this->columns(rowArea(row));
  if (row == m_current) {
    painter.setPen(hasFocus() ? QPen(theme.accent(), 1.5) : QPen(Qt::NoPen));
    painter.setBrush(mix(theme.base(), theme.accent(), 0.14));
    painter.drawRoundedRect(columns.name.united(columns.limit).adjusted(-5, 0, 5, 0), 5, 5);
  }
  painter.setPen(theme.text());
  paintText(painter, columns.name, Qt::AlignLeft | Qt::AlignVCenter, m_operations->name(row));
  const double most = m_operations->at(m_operations->longest()).share;
  if (columns.bar.width() > 8 && most > 0) {
    const double length = std::max(2.0, (columns.bar.width() - 8) * shown.share / most);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shown.place.isComputeBound ? theme.good() : theme.accent());
    painter.drawRoundedRect(QRectF(columns.bar.left(), columns.bar.center().y() - 4, length, 8), 3, 3);
  }
  painter.setPen(theme.text());
  paintText(painter, columns.share, Qt::AlignRight | Qt::AlignVCenter, formatPercent(shown.share));
  painter.setPen(theme.dimText());
  if (shown.place.limit <= 0) return;
  const QString share = formatPercent(shown.place.limit);
  const QString words = shown.place.isComputeBound ? tr("%1 of FLOP/s") : tr("%1 of GB/s");
  paintText(painter, columns.limit, Qt::AlignRight | Qt::AlignVCenter,
            hasRoomForWords() ? words.arg(share) : share);
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
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(axes.area.left(), axes.area.bottom() + line + 3, axes.area.width(), line),
            Qt::AlignRight | Qt::AlignVCenter, tr("operations for each byte →"));
  paintText(painter, QRectF(listWidth(), axes.area.top() - line - 2, axes.area.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter, tr("↑ GFLOP/s · area: time"));
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
              Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, QString::number(tick));
  }
  paintRoof(painter, axes, theme);
  paintCircles(painter, theme);
}

// The memory's line is solid, those of the caches dashed: bytes that stay near are read faster.
void RooflineView::paintRoof(QPainter& painter, const Axes& axes, const Theme& theme) const {
  const MachineRoof& roof = *m_operations->roof();
  painter.save();
  painter.setClipRect(axes.area.adjusted(0, -fontMetrics().height(), 0, 0), Qt::IntersectClip);
  for (const MachineRoof::Reading& reading : roof.readings) {
    const bool memory = &reading == &roof.readings.back();
    painter.setPen(memory ? QPen(theme.text(), 1.6) : QPen(theme.dimText(), 1, Qt::DashLine));
    painter.drawLine(axes.at(axes.fromIntensity, axes.fromIntensity * reading.gbps),
                     axes.at(ridge(roof, reading.gbps), roof.gflops));
  }
  painter.setPen(QPen(theme.text(), 1.6));
  const double nearest = roof.readings.empty() ? axes.fromIntensity : ridge(roof, roof.readings.front().gbps);
  painter.drawLine(axes.at(std::max(nearest, axes.fromIntensity), roof.gflops),
                   axes.at(axes.toIntensity, roof.gflops));
  painter.restore();
  painter.setPen(theme.text());
  paintText(painter, peakWords(axes), Qt::AlignRight | Qt::AlignVCenter,
            tr("%1 GFLOP/s").arg(formatDecimal(roof.gflops, 0)));
  paintText(painter, memoryWords(axes), Qt::AlignLeft | Qt::AlignVCenter,
            tr("memory %1 GB/s").arg(formatDecimal(roof.memoryGbps(), 0)));
}

QRectF RooflineView::peakWords(const Axes& axes) const {
  const double line = fontMetrics().height();
  const QPointF end = axes.at(axes.toIntensity, m_operations->roof()->gflops);
  return {end.x() - 220, end.y() - line - 1, 220, line};
}

// Beside the foot of the memory's line.
QRectF RooflineView::memoryWords(const Axes& axes) const {
  const MachineRoof& roof = *m_operations->roof();
  const double line = fontMetrics().height(),
               foot = std::max(axes.fromIntensity, 1.15 * axes.fromGflops / roof.memoryGbps());
  const QPointF start = axes.at(foot * 1.6, foot * 1.6 * roof.memoryGbps());
  return {start.x() + 8, start.y() - line / 2, 160, line};
}

// The largest first, so that small ones lie above it; a name stands where no other one does, or not at all.
void RooflineView::paintCircles(QPainter& painter, const Theme& theme) const {
  std::vector<int> order;
  for (int row = 0; row < m_operations->rowCount(); ++row)
    if (!placeOf(row).isNull()) order.push_back(row);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int row) { return m_operations->at(row).share; });
  std::vector<QRectF> taken = {peakWords(axes()), memoryWords(axes())};
  for (const int row : order) {
    const QPointF place = placeOf(row);
    const double radius = radiusOf(row);
    QColor fill = m_operations->at(row).place.isComputeBound ? theme.good() : theme.accent();
    fill.setAlphaF(0.6F);
    painter.setPen(QPen(row == m_current ? theme.text() : theme.line(), row == m_current ? 2 : 1));
    painter.setBrush(fill);
    painter.drawEllipse(place, radius, radius);
  }
  painter.setPen(theme.text());
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
    paintText(painter, *spot, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, m_operations->name(row));
  }
}

}  // namespace vitrine

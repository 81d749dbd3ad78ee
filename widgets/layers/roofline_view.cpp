#include "widgets/layers/roofline_view.h"

#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace vitrine {
namespace {

constexpr double kLeastChart = 300, kMostRadius = 17, kLeastRadius = 3;

}  // namespace

RooflineView::RooflineView(OperationsModel* model, QWidget* parent)
    : CursorView(model, {}, parent), m_operations(model) {
  setAccessibleName(tr("Where the time of the forward goes"));
}

double RooflineView::ridge(const MachineRoof& roof, double gbps) { return gbps > 0 ? roof.gflops / gbps : 0; }

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
  Axes axes{0.05, 4 * ridge(roof, std::min(roof.memoryGbps(), m_operations->streamGbps())), roof.gflops / 100,
            2 * roof.gflops, chartArea()};
  for (const OperationRow& row : m_operations->rows()) {
    if (row.place.intensity <= 0 || row.place.gflops <= 0) continue;
    axes.fromIntensity = std::min(axes.fromIntensity, row.place.intensity / 1.5);
    axes.toIntensity = std::max(axes.toIntensity, row.place.intensity * 2);
    axes.fromGflops = std::min(axes.fromGflops, row.place.gflops / 1.5);
  }
  // Room above the peak for its words, which would lie over the legend.
  const double room = std::min(0.4, (fontMetrics().height() + 2.0) / std::max(axes.area.height(), 1.0));
  axes.toGflops =
      std::max(axes.toGflops, axes.fromGflops * std::pow(roof.gflops / axes.fromGflops, 1 / (1 - room)));
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

}  // namespace vitrine

#include "moc_roofline_view.cpp"

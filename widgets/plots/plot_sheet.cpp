#include "widgets/plots/plot_sheet.h"

#include <QScrollBar>
#include <algorithm>

#include "widgets/plots/plot_pane.h"

namespace vitrine {

PlotSheet::PlotSheet(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // one that comes and goes would change the columns
  viewport()->setBackgroundRole(QPalette::Base);
  setWidget(new QWidget);
  widget()->setAutoFillBackground(true);
  widget()->setBackgroundRole(QPalette::Base);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &PlotSheet::uncovered);
}

void PlotSheet::setPanes(std::vector<PlotPane*> panes) {
  m_panes = std::move(panes);
  for (PlotPane* pane : m_panes) pane->setParent(widget());
  arrange();
}

void PlotSheet::arrange() {
  if (m_panes.empty()) return;
  QSize least;
  for (const PlotPane* pane : m_panes) least = least.expandedTo(pane->leastSize());
  const QSize room = viewport()->size();
  const int count = static_cast<int>(m_panes.size());
  m_columns = std::clamp(room.width() / std::max(1, least.width()), 1, count);
  const int rows = (count + m_columns - 1) / m_columns;
  const int width = room.width() / m_columns, height = std::max(least.height(), room.height() / rows);
  widget()->resize(room.width(), rows * height);
  for (int i = 0; i < count; ++i)
    m_panes[static_cast<std::size_t>(i)]->setGeometry(i % m_columns * width, i / m_columns * height, width,
                                                      height);
  verticalScrollBar()->setSingleStep(height / 4);
  emit uncovered();
}

void PlotSheet::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

}  // namespace vitrine

#include "moc_plot_sheet.cpp"

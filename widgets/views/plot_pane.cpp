#include "widgets/views/plot_pane.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {

// Ticks 1, 2, 5, 10, 20, ... apart: the smallest of these that makes no more than `most`.
void setRange(QCPAxis* axis, double low, double high, int most) {
  double step = 1;
  for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  axis->setRange(low, high);
  static_cast<QCPAxisTickerFixed*>(axis->ticker().data())->setTickStep(step);
}

// Steps, sequences and blocks are integers: no tick between two of them.
void setWholeNumbers(QCPAxis* axis) {
  axis->setNumberFormat(QStringLiteral("f"));
  axis->setNumberPrecision(0);
  axis->setTicker(QSharedPointer<QCPAxisTickerFixed>::create());
  axis->setLayer(QStringLiteral("axes"));
}

void applyTo(QCPAxis* axis, const Theme& theme, const QFont& font) {
  axis->setTickLabelFont(font);
  axis->setLabelFont(font);
  axis->setTickLabelColor(theme.dimText());
  axis->setLabelColor(theme.text());
  for (const auto& set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen}) {
    (axis->*set)(QPen(theme.line(), 1));
  }
  axis->grid()->setPen(QPen(theme.panel(), 1));
  axis->grid()->setZeroLinePen(QPen(theme.line(), 1));
}

QColor withAlpha(QColor colour, int alpha) {
  colour.setAlpha(alpha);
  return colour;
}

}  // namespace

PlotPane::PlotPane(QCustomPlot* plot, int column, const Content& content)
    : m_rect(new QCPAxisRect(plot)), m_values{content.line, content.second} {
  plot->plotLayout()->addElement(0, column, m_rect);
  m_rect->setMinimumMargins(QMargins(4, 4, 10, 4));
  QCPAxis* x = m_rect->axis(QCPAxis::atBottom);
  QCPAxis* y = m_rect->axis(QCPAxis::atLeft);
  y->setLabel(content.label);
  setWholeNumbers(x);
  setWholeNumbers(y);
  m_graphs[0] = addGraph(plot, content.line);
  m_cursor = new QCPItemStraightLine(plot);
  for (QCPItemPosition* point : {m_cursor->point1, m_cursor->point2}) point->setAxes(x, y);
  m_cursor->setClipAxisRect(m_rect);
  if (!content.second.value) return;
  m_graphs[1] = addGraph(plot, content.second);
  addLegend();
}

QCPGraph* PlotPane::addGraph(QCustomPlot* plot, const Line& line) {
  QCPGraph* graph = plot->addGraph(m_rect->axis(QCPAxis::atBottom), m_rect->axis(QCPAxis::atLeft));
  graph->setName(line.name);
  graph->setLineStyle(line.stepped ? QCPGraph::lsStepCenter : QCPGraph::lsLine);
  return graph;
}

// A legend names two lines in words, since dashes alone do not distinguish them.
void PlotPane::addLegend() {
  m_legend = new QCPLegend;
  m_rect->insetLayout()->addElement(m_legend, Qt::AlignTop | Qt::AlignLeft);
  m_legend->setLayer(QStringLiteral("legend"));
  for (QCPGraph* graph : m_graphs) m_legend->addItem(new QCPPlottableLegendItem(m_legend, graph));
  m_legend->setRowSpacing(0);
  m_legend->setBorderPen(Qt::NoPen);
}

void PlotPane::applyTheme(const Theme& theme, const QFont& font) {
  for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) applyTo(m_rect->axis(side), theme, font);
  m_graphs[0]->setPen(QPen(theme.accent(), 2));
  m_graphs[0]->setBrush(withAlpha(theme.accent(), 36));
  if (m_graphs[1]) m_graphs[1]->setPen(QPen(theme.dimText(), 1.6, Qt::DashLine));
  m_cursor->setPen(QPen(theme.text(), 1, Qt::DashLine));
  if (!m_legend) return;
  m_legend->setBrush(withAlpha(theme.base(), 200));
  m_legend->setFont(font);
  m_legend->setTextColor(theme.text());
}

void PlotPane::clear() {
  for (QCPGraph* graph : m_graphs)
    if (graph) graph->data()->clear();
}

void PlotPane::restart() {
  clear();
  m_tallest = 1;
}

void PlotPane::addBucket(const std::deque<MetricsRow>& rows, std::size_t from, std::size_t to) {
  for (int line = 0; line < 2; ++line) {
    if (!m_graphs[line]) continue;
    const Value valueOf = m_values[line].value;
    std::size_t least = from, most = from;
    for (std::size_t i = from; i < to; ++i) {
      if (valueOf(rows[i]) < valueOf(rows[least])) least = i;
      if (valueOf(rows[i]) > valueOf(rows[most])) most = i;
    }
    m_tallest = std::max(m_tallest, valueOf(rows[most]));
    for (const std::size_t i : {std::min(least, most), std::max(least, most)}) {
      m_graphs[line]->addData(rows[i].step, valueOf(rows[i]));
      if (least == most) break;
    }
  }
}

void PlotPane::setSteps(int first, int last) {
  setRange(m_rect->axis(QCPAxis::atBottom), first - 0.5, last + 0.5, 5);
  // The lines leave room for the legend.
  setRange(m_rect->axis(QCPAxis::atLeft), 0, m_tallest * (m_legend ? 1.5 : 1.15), 3);
}

void PlotPane::setCursor(int step, bool visible) {
  m_cursor->setVisible(visible);
  m_cursor->point1->setCoords(step, 0);
  m_cursor->point2->setCoords(step, 1);
}

int PlotPane::points() const { return m_graphs[0]->dataCount(); }

int PlotPane::stepAt(const QPoint& at) const {
  return static_cast<int>(std::lround(m_rect->axis(QCPAxis::atBottom)->pixelToCoord(at.x())));
}

}  // namespace vitrine

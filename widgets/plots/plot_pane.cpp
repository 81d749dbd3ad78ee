#include "widgets/plots/plot_pane.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/painting/plot_axes.h"
#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kIconWidth = 18;
constexpr int kPlotAround = 12;          // beside the legend
constexpr double kPlotLeastLines = 7.5;  // of text, high

QColor withAlpha(QColor colour, int alpha) {
  colour.setAlpha(alpha);
  return colour;
}

void applyTo(QCPGraph* graph, PlotLine::Style style, const Theme& theme) {
  switch (style) {
    case PlotLine::Style::kMain:
      graph->setPen(QPen(theme.accent(), 2));
      graph->setBrush(withAlpha(theme.accent(), 36));
      break;
    case PlotLine::Style::kPart:
      graph->setPen(QPen(theme.accent(), 1));
      graph->setBrush(withAlpha(theme.accent(), 140));
      break;
    case PlotLine::Style::kSecond:
      graph->setPen(QPen(theme.text(), 1.4, Qt::DashLine));
      break;
    case PlotLine::Style::kLimit:
      graph->setPen(QPen(theme.dimText(), 1.4, Qt::DotLine));
      break;
  }
}

}  // namespace

PlotPane::PlotPane(PlotContent content, QWidget* parent)
    : QWidget(parent), m_content(std::move(content)), m_plot(new QCustomPlot(this)) {
  setMouseTracking(true);
  // The pane takes the mouse itself: QCustomPlot would accept every press and wheel.
  m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_plot->setAttribute(Qt::WA_NoMousePropagation, false);  // its menu is the pane's
  m_plot->setFocusPolicy(Qt::NoFocus);                     // the view of all panes has it
  m_plot->plotLayout()->clear();
  m_plot->plotLayout()->setRowSpacing(0);
  m_rect = new QCPAxisRect(m_plot);
  m_plot->plotLayout()->addElement(1, 0, m_rect);
  m_rect->setMinimumMargins(QMargins(4, 4, 12, 2));
  useRoundSteps(*m_rect->axis(QCPAxis::atBottom), false);
  useRoundSteps(*m_rect->axis(QCPAxis::atLeft), m_content.unit == PlotUnit::kMilliseconds);
  makeLines();
  makeHeader();
  makeMarks();
  tell(nullptr);
}

void PlotPane::makeLines() {
  for (const PlotLine& line : m_content.lines) {
    QCPGraph* graph = m_plot->addGraph(m_rect->axis(QCPAxis::atBottom), m_rect->axis(QCPAxis::atLeft));
    graph->setName(line.name);
    // Numbers of a step do not grow between two of them; times and shares of the run do.
    graph->setLineStyle(m_content.unit == PlotUnit::kCount ? QCPGraph::lsStepCenter : QCPGraph::lsLine);
    m_graphs.push_back(graph);
  }
}

// Title and legend stand above the data, which nothing covers.
void PlotPane::makeHeader() {
  m_header = new QCPLayoutGrid;
  m_plot->plotLayout()->addElement(0, 0, m_header);
  m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
  m_title = new QCPTextElement(m_plot, m_content.title);
  m_title->setTextFlags(kAtLeft);
  m_title->setMargins(QMargins(8, 0, 4, 0));
  m_legend = new QCPLegend;
  m_header->setRowSpacing(0);
  m_header->addElement(0, 0, m_title);
  m_header->addElement(0, 1, m_legend);
  m_legend->setLayer(QStringLiteral("legend"));
  m_legend->setFillOrder(QCPLegend::foColumnsFirst);
  m_legend->setIconSize(kIconWidth, 10);
  m_legend->setBorderPen(Qt::NoPen);
  m_legend->setBrush(Qt::NoBrush);
  m_legend->setMargins(QMargins(0, 0, 0, 0));
  for (QCPGraph* graph : m_graphs) m_legend->addItem(new QCPPlottableLegendItem(m_legend, graph));
}

void PlotPane::makeMarks() {
  for (QCPItemStraightLine** mark : {&m_pointed, &m_shown}) {
    *mark = new QCPItemStraightLine(m_plot);
    for (QCPItemPosition* point : {(*mark)->point1, (*mark)->point2})
      point->setAxes(m_rect->axis(QCPAxis::atBottom), m_rect->axis(QCPAxis::atLeft));
    (*mark)->setClipAxisRect(m_rect);
  }
  setMarks(-1, -1);
}

int PlotPane::legendWidth() const {
  int width = 8;
  for (int i = 0; i < m_legend->itemCount(); ++i) width += m_legend->item(i)->minimumSize().width() + 6;
  return width;
}

// The legend stands beside the title, or below it in a narrow plot.
void PlotPane::placeLegend() {
  const bool beside = m_title->minimumSize().width() + legendWidth() + kPlotAround <= width();
  if (std::exchange(m_beside, beside) == beside) return;
  m_header->take(m_legend);
  m_header->addElement(beside ? 0 : 1, beside ? 1 : 0, m_legend);
  m_header->simplify();
}

QString PlotPane::legendText(const PlotLine& line, const QString& number) const {
  return number.isEmpty() ? line.name : QStringLiteral("%1 %2").arg(line.name, number);
}

void PlotPane::applyTheme(const Theme& theme, const QFont& font) {
  m_plot->setBackground(theme.base());
  for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) applyThemeTo(*m_rect->axis(side), theme, font);
  for (std::size_t i = 0; i < m_graphs.size(); ++i) applyTo(m_graphs[i], m_content.lines[i].style, theme);
  m_shown->setPen(QPen(theme.text(), 1.4, Qt::DashLine));
  m_pointed->setPen(QPen(theme.dimText(), 1));
  const QFont bold = boldened(font);
  m_title->setFont(bold);
  m_title->setTextColor(theme.text());
  const QFontMetrics metrics(font);
  const int title = QFontMetrics(bold).horizontalAdvance(m_content.title) + 16;
  m_title->setMinimumSize(title, 0);
  m_title->setMaximumSize(title, QWIDGETSIZE_MAX);
  m_legend->setFont(font);
  m_legend->setTextColor(theme.dimText());
  // With room for its largest number, so that nothing moves when the number changes.
  for (int i = 0; i < m_legend->itemCount(); ++i) {
    const double most = m_content.unit == PlotUnit::kPercent ? 100 : 8888;
    const QString widest =
        legendText(m_content.lines[static_cast<std::size_t>(i)], plotNumber(most, m_content.unit));
    m_legend->item(i)->setFont(font);
    m_legend->item(i)->setTextColor(theme.dimText());
    m_legend->item(i)->setMinimumSize(kIconWidth + 8 + metrics.horizontalAdvance(widest), 0);
  }
  placeLegend();
}

QSize PlotPane::leastSize() const {
  return {std::max(m_title->minimumSize().width(), legendWidth()) + kPlotAround,
          static_cast<int>(kPlotLeastLines * QFontMetrics(m_legend->font()).height())};
}

void PlotPane::clear() {
  for (QCPGraph* graph : m_graphs) graph->data()->clear();
}

void PlotPane::restart() {
  clear();
  m_tallest = 0;
}

void PlotPane::addBucket(const std::deque<MetricsRow>& rows, std::size_t from, std::size_t to) {
  for (std::size_t line = 0; line < m_graphs.size(); ++line) {
    const PlotLine::Value valueOf = m_content.lines[line].height;
    std::size_t least = to, most = to;
    for (std::size_t i = from; i < to; ++i) {
      const double value = valueOf(rows[i]);
      if (std::isnan(value)) continue;
      if (least == to || value < valueOf(rows[least])) least = i;
      if (most == to || value > valueOf(rows[most])) most = i;
    }
    if (least == to) continue;
    m_tallest = std::max(m_tallest, valueOf(rows[most]));
    m_graphs[line]->addData(rows[std::min(least, most)].step, valueOf(rows[std::min(least, most)]));
    if (least != most)
      m_graphs[line]->addData(rows[std::max(least, most)].step, valueOf(rows[std::max(least, most)]));
  }
}

void PlotPane::setSteps(double begin, double end) {
  setRoundRange(*m_rect->axis(QCPAxis::atBottom), begin, end, 5);
  double top = std::max(m_least, m_tallest * 1.1);
  if (m_content.unit == PlotUnit::kPercent) top = 105;
  if (top <= 0) top = 1;
  const bool fractions = m_content.unit == PlotUnit::kMilliseconds;
  setRoundRange(*m_rect->axis(QCPAxis::atLeft), 0, top, 3,
                fractions ? std::pow(10, std::floor(std::log10(top)) - 1) : 1);
}

void PlotPane::setMarks(int shown, int pointed) {
  const auto place = [](QCPItemStraightLine* mark, int step) {
    mark->setVisible(step >= 0);
    mark->point1->setCoords(step, 0);
    mark->point2->setCoords(step, 1);
  };
  place(m_shown, shown);
  place(m_pointed, pointed == shown ? -1 : pointed);
}

void PlotPane::tell(const MetricsRow* row) {
  m_numbers.clear();
  for (std::size_t i = 0; i < m_graphs.size(); ++i) {
    const PlotLine& line = m_content.lines[i];
    const PlotLine::Value value = line.told ? line.told : line.height;
    m_numbers << (row ? plotNumber(value(*row), m_content.unit) : QString());
    m_graphs[i]->setName(legendText(line, m_numbers.back()));
  }
}

QString PlotPane::told() const {
  QStringList parts;
  for (const QCPGraph* graph : m_graphs) parts << graph->name();
  return QStringLiteral("%1: %2").arg(m_content.title, parts.join(QStringLiteral(", ")));
}

void PlotPane::replot() {
  if (!m_plot->visibleRegion().isEmpty()) m_plot->replot(QCustomPlot::rpQueuedReplot);
}

int PlotPane::points() const { return m_graphs.front()->dataCount(); }

double PlotPane::stepAt(int x) const { return m_rect->axis(QCPAxis::atBottom)->pixelToCoord(x); }

// QCustomPlot draws through its own painter; a QPicture transfers the drawing as vectors.
void PlotPane::paintOn(QPainter& painter, const QRect& box) const {
  QPicture drawing;
  QCPPainter plotPainter(&drawing);
  m_plot->toPainter(&plotPainter, box.width(), box.height());
  plotPainter.end();
  painter.drawPicture(box.topLeft(), drawing);
}

void PlotPane::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton)
    emit chosen(static_cast<int>(std::lround(stepAt(event->pos().x()))));
  else
    event->ignore();
}

void PlotPane::mouseMoveEvent(QMouseEvent* event) {
  const int step = static_cast<int>(std::lround(stepAt(event->pos().x())));
  emit pointed(step);
  if (event->buttons() & Qt::LeftButton) emit chosen(step);
}

void PlotPane::contextMenuEvent(QContextMenuEvent* event) { emit menuRequested(event->globalPos()); }

// Without Ctrl or Shift the wheel scrolls the sheet of plots.
void PlotPane::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier)
    emit zoomed(std::pow(1.25, turned.y() / 120.0), stepAt(qRound(event->position().x())));
  else if (turned.x() != 0 || event->modifiers() & Qt::ShiftModifier)
    emit panned(-(turned.x() != 0 ? turned.x() : turned.y()) / 1200.0);
  else
    event->ignore();
}

void PlotPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_plot->resize(size());
  placeLegend();
}

}  // namespace vitrine

#include "moc_plot_pane.cpp"

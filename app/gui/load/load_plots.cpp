#include "gui/load/load_plots.h"

#include <qcustomplot.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gui/load/load_figures.h"
#include "gui/load/load_watcher.h"
#include "widgets/painting/plot_axes.h"
#include "widgets/support/request_style.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

using namespace std::chrono_literals;

constexpr auto kDrawnTogether = 100ms;  // answers that come within it
constexpr double kShownMinutes = 10;
constexpr int kLoadPlotLetters = 34, kLoadPlotLines = 8;  // least width and height of a plot
constexpr int kMostNameLetters = 32;                      // of a server in the legend
constexpr int kLoadSample = 26;                           // pixels of a line in the legend
constexpr double kThinLine = 1.6, kThickLine = 3.2;

// Of a server's line in all plots: colour and dashes together tell more servers apart than either alone.
QPen penOf(int mark, bool isThick, const Theme& theme) {
  return {theme.request(mark % kRequestColours), isThick ? kThickLine : kThinLine,
          static_cast<Qt::PenStyle>(Qt::SolidLine + mark % 4)};
}

std::optional<double> heightOf(const LoadFigures& figures, LoadPlots::Plot plot) {
  const auto percent = [](std::optional<double> share) {
    return share ? std::optional(100 * *share) : share;
  };
  switch (plot) {
    case LoadPlots::kRequests:
      return figures.running ? std::optional(*figures.running + figures.waiting.value_or(0)) : std::nullopt;
    case LoadPlots::kCache:
      return percent(figures.cacheShare);
    case LoadPlots::kHits:
      return percent(figures.hitShare);
    default:
      return figures.generatedPerSecond;
  }
}

}  // namespace

QString LoadPlots::titleOf(Plot plot) {
  switch (plot) {
    case kRequests:
      return tr("requests, running and waiting");
    case kCache:
      return tr("KV cache in use, %");
    case kHits:
      return tr("prefix hits, last minute, %");
    default:
      return tr("generated tok/s");
  }
}

LoadPlots::LoadPlots(const LoadWatcher& watcher, QWidget* parent)
    : QScrollArea(parent),
      m_watcher(watcher),
      m_plot(new QCustomPlot(this)),
      m_sides(new QCPMarginGroup(m_plot)) {
  setFont(readable(font()));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Plots of the load"));
  setAccessibleDescription(
      tr("Requests, KV cache, prefix hits and generated tokens over the last ten minutes. The table has the "
         "newest figures."));
  viewport()->setBackgroundRole(QPalette::Base);
  // It would accept every press and wheel.
  m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->setAutoAddPlottableToLegend(false);
  m_plot->plotLayout()->clear();
  m_plot->plotLayout()->setRowSpacing(2);
  makeLegend();
  m_grid = new QCPLayoutGrid;
  m_plot->plotLayout()->addElement(1, 0, m_grid);
  for (int plot = 0; plot < kPlots; ++plot) makePane(static_cast<Plot>(plot));
  setWidget(m_plot);
  setWidgetResizable(true);
  m_soon.setSingleShot(true);
  m_soon.setInterval(kDrawnTogether);
  connect(&m_soon, &QTimer::timeout, this, &LoadPlots::refresh);
  const auto drawSoon = [this] {
    if (!m_soon.isActive() && isVisible()) m_soon.start();
  };
  connect(&watcher, &LoadWatcher::changed, this, drawSoon);
  connect(&watcher, &LoadWatcher::reset, this, [this, drawSoon] {
    m_outdated = true;
    drawSoon();
  });
  applyTheme();
}

void LoadPlots::makeLegend() {
  m_legend = new QCPLegend;
  m_plot->plotLayout()->addElement(0, 0, m_legend);
  m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
  m_legend->setLayer(QStringLiteral("legend"));
  m_legend->setFillOrder(QCPLegend::foColumnsFirst);
  m_legend->setIconSize(kLoadSample, 10);
  m_legend->setBorderPen(Qt::NoPen);
  m_legend->setBrush(Qt::NoBrush);
  m_legend->setMargins(QMargins(8, 0, 8, 0));
  m_legend->setRowSpacing(0);
}

void LoadPlots::makePane(Plot plot) {
  Pane& pane = m_panes[static_cast<std::size_t>(plot)];
  pane.cell = new QCPLayoutGrid;
  m_grid->addElement(plot, 0, pane.cell);
  pane.cell->setRowSpacing(0);
  pane.title = new QCPTextElement(m_plot, titleOf(plot));
  pane.title->setTextFlags(kAtLeft);
  pane.title->setMargins(QMargins(8, 0, 4, 0));
  pane.rect = new QCPAxisRect(m_plot);
  pane.rect->setMinimumMargins(QMargins(4, 4, 12, 2));
  pane.rect->setMarginGroup(QCP::msLeft, m_sides);
  pane.cell->addElement(0, 0, pane.title);
  pane.cell->addElement(1, 0, pane.rect);
  pane.cell->setRowStretchFactor(0, 0.001);
  QCPAxis& foot = *pane.rect->axis(QCPAxis::atBottom);
  useRoundSteps(foot, false);
  foot.setRangeReversed(true);  // now is at the right
  foot.setLabel(tr("minutes ago"));
  setRoundRange(foot, 0, kShownMinutes, 5);
  useRoundSteps(*pane.rect->axis(QCPAxis::atLeft), false);
  scale(plot);
}

// Anew for other servers, in every plot; the legend has those of the first one.
void LoadPlots::makeLines() {
  m_outdated = false;
  m_legend->clearItems();
  m_names.clear();
  m_plot->clearGraphs();
  for (Pane& pane : m_panes) {
    pane.graphs.clear();
    for (int row = 0; row < m_watcher.count(); ++row)
      pane.graphs.push_back(
          m_plot->addGraph(pane.rect->axis(QCPAxis::atBottom), pane.rect->axis(QCPAxis::atLeft)));
  }
  for (QCPGraph* graph : m_panes[kRequests].graphs) {
    m_names.push_back(new QCPPlottableLegendItem(m_legend, graph));
    m_legend->addItem(m_names.back());
  }
  applyLines();
  place();
}

void LoadPlots::applyTheme() {
  const Theme theme = Theme::of(this);
  m_plot->setBackground(theme.base());
  for (Pane& pane : m_panes) {
    for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft})
      applyThemeTo(*pane.rect->axis(side), theme, font());
    pane.title->setFont(boldened(font()));
    pane.title->setTextColor(theme.text());
  }
  m_legend->setFont(font());
  applyLines();
}

void LoadPlots::applyLines() {
  if (m_outdated || lines() != m_watcher.count()) return;  // they are still to be made
  const Theme theme = Theme::of(this);
  const QFontMetrics metrics(font());
  for (int row = 0; row < lines(); ++row) {
    const bool isCurrent = row == m_current;
    const auto place = static_cast<std::size_t>(row);
    for (Pane& pane : m_panes) pane.graphs[place]->setPen(penOf(m_watcher.mark(row), isCurrent, theme));
    m_panes[kRequests].graphs[place]->setName(metrics.elidedText(
        m_watcher.server(row).place(), Qt::ElideMiddle, kMostNameLetters * metrics.averageCharWidth()));
    m_names[place]->setFont(boldened(font(), isCurrent));
    m_names[place]->setTextColor(isCurrent ? theme.text() : theme.dimText());
  }
}

void LoadPlots::setCurrent(int row) {
  if (std::exchange(m_current, row) == row) return;
  applyLines();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// As many servers in a row as have room.
int LoadPlots::legendRows() {
  if (m_names.empty()) return 0;
  const int widest = kLoadSample + (kMostNameLetters + 2) * fontMetrics().averageCharWidth();
  int most = 1;
  for (QCPGraph* graph : m_panes[kRequests].graphs)
    most = std::max(most, QFontMetrics(boldened(font())).horizontalAdvance(graph->name()));
  const int columns = std::clamp(width() / std::min(widest, most + kLoadSample + 24), 1, lines());
  m_legend->setWrap(columns);
  m_legend->setFillOrder(QCPLegend::foColumnsFirst, true);  // arranges them anew
  return (lines() + columns - 1) / columns;
}

// Two beside each other; all four where the area is low, and one below the other where it is narrow. The
// scroll bar counts as there: one that comes and goes would change the columns.
void LoadPlots::place() {
  const int line = fontMetrics().height(), room = width() - verticalScrollBar()->sizeHint().width();
  const int leastWidth = kLoadPlotLetters * fontMetrics().averageCharWidth(),
            leastHeight = kLoadPlotLines * line;
  const int above = legendRows() * (line + 2);
  int columns = room < 2 * leastWidth ? 1 : 2;
  if (height() < above + 2 * leastHeight && room >= kPlots * leastWidth) columns = kPlots;
  m_plot->setMinimumSize(1, above + kPlots / columns * leastHeight);
  if (std::exchange(m_columns, columns) == columns) return;
  for (const Pane& pane : m_panes) m_grid->take(pane.cell);
  m_grid->simplify();
  for (int plot = 0; plot < kPlots; ++plot)
    m_grid->addElement(plot / columns, plot % columns, m_panes[static_cast<std::size_t>(plot)].cell);
}

QSize LoadPlots::minimumSizeHint() const {
  return {kLoadPlotLetters * fontMetrics().averageCharWidth(), kLoadPlotLines * fontMetrics().height()};
}

void LoadPlots::refresh() {
  if (!isVisible()) return;
  if (m_outdated) makeLines();
  for (Pane& pane : m_panes) pane.tallest = 0;
  for (int row = 0; row < lines(); ++row) draw(row);
  for (int plot = 0; plot < kPlots; ++plot) scale(static_cast<Plot>(plot));
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// From the newest moment back, as the axis counts. A point without a height breaks a line.
void LoadPlots::draw(int row) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const connect::LoadHistory& history = m_watcher.history(row);
  const auto& moments = history.moments();
  const double now = m_watcher.now();
  const auto agoOf = [&](std::size_t moment) { return (now - moments[moment].seconds) / 60; };
  QVector<double> ago;
  std::array<QVector<double>, kPlots> heights;
  for (std::size_t moment = moments.size(); moment-- > 0 && agoOf(moment) <= kShownMinutes;) {
    const LoadFigures figures = loadFigures(history, moment);
    const bool breaks = moments[moment].isBehindGap && moment > 0;
    ago << agoOf(moment);
    if (breaks) ago << (agoOf(moment) + agoOf(moment - 1)) / 2;
    for (int plot = 0; plot < kPlots; ++plot) {
      Pane& pane = m_panes[static_cast<std::size_t>(plot)];
      const std::optional<double> height = heightOf(figures, static_cast<Plot>(plot));
      pane.tallest = std::max(pane.tallest, height.value_or(0));
      heights[static_cast<std::size_t>(plot)] << height.value_or(kNothing);
      if (breaks) heights[static_cast<std::size_t>(plot)] << kNothing;
    }
  }
  for (std::size_t plot = 0; plot < kPlots; ++plot)
    m_panes[plot].graphs[static_cast<std::size_t>(row)]->setData(ago, heights[plot], true);
}

void LoadPlots::scale(Plot plot) {
  const Pane& pane = m_panes[static_cast<std::size_t>(plot)];
  const bool isShare = plot == kCache || plot == kHits;
  setRoundRange(*pane.rect->axis(QCPAxis::atLeft), 0, isShare ? 105 : std::max(1.0, pane.tallest * 1.1), 3);
}

std::vector<double> LoadPlots::heights(Plot plot, int row) const {
  std::vector<double> heights;
  const Pane& pane = m_panes[static_cast<std::size_t>(plot)];
  for (const QCPGraphData& point : *pane.graphs.at(static_cast<std::size_t>(row))->data())
    heights.push_back(point.value);
  std::ranges::reverse(heights);
  return heights;
}

void LoadPlots::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  refresh();
}

void LoadPlots::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  place();
}

void LoadPlots::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) return setFont(readable(font()));
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  if (m_grid == nullptr) return;  // it is still being made
  applyTheme();
  place();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace vitrine

#include "moc_load_plots.cpp"

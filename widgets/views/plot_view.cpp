#include "widgets/views/plot_view.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPicture>
#include <QStackedLayout>
#include <algorithm>
#include <cmath>

#include "widgets/support/table_export.h"
#include "widgets/support/theme.h"
#include "widgets/views/data_table_view.h"

namespace vitrine {
namespace {

// Ticks 1, 2, 5, 10, 20, ... apart: the smallest of these that makes no more than `most`.
void setRange(QCPAxis* axis, double low, double high, int most) {
  double step = 1;
  for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  axis->setRange(low, high);
  static_cast<QCPAxisTickerFixed*>(axis->ticker().data())->setTickStep(step);
}

}  // namespace

PlotView::PlotView(MetricsModel* model, QWidget* parent) : QWidget(parent), m_model(model) {
  setFont(readable(font()));
  setAccessibleName(tr("Live plots"));
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QStackedLayout(this);
  layout->setStackingMode(QStackedLayout::StackOne);
  m_empty =
      new QLabel(tr("Tokens per second, batch size and blocks in use are drawn here, step by step."), this);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setMargin(16);
  m_empty->setAutoFillBackground(true);
  m_empty->setBackgroundRole(QPalette::Base);
  layout->addWidget(m_empty);
  m_plot = new QCustomPlot(this);
  m_plot->setAttribute(Qt::WA_OpaquePaintEvent, false);
  m_plot->plotLayout()->clear();
  m_plot->plotLayout()->setColumnSpacing(4);
  layout->addWidget(m_plot);
  m_panes.push_back(addPane(0, tr("tok/s"), tr("Tokens per second"), {}));
  m_panes.push_back(addPane(1, tr("batch"), tr("Sequences in the step"), {}));
  m_panes.push_back(addPane(2, tr("blocks"), tr("in use"), tr("free, cached")));
  applyTheme();
  model->setWatched(this, false);
  connect(model, &SessionModel::refreshed, this, &PlotView::refresh);
  connect(model, &QAbstractItemModel::modelReset, this, &PlotView::restart);
  connect(model->session(), &Session::cursorChanged, this, &PlotView::refresh);
  connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    const Pane& pane = m_panes.front();
    if (event->button() != Qt::LeftButton || m_drawn == 0) return;
    const double step = pane.rect->axis(QCPAxis::atBottom)->pixelToCoord(event->pos().x());
    emit stepRequested(std::max(0, static_cast<int>(std::lround(step))));
  });
}

PlotView::Pane PlotView::addPane(int column, const QString& label, const QString& name,
                                 const QString& secondName) {
  auto* rect = new QCPAxisRect(m_plot);
  m_plot->plotLayout()->addElement(0, column, rect);
  rect->setMinimumMargins(QMargins(4, 4, 10, 4));
  QCPAxis* x = rect->axis(QCPAxis::atBottom);
  QCPAxis* y = rect->axis(QCPAxis::atLeft);
  y->setLabel(label);
  y->setNumberFormat(QStringLiteral("f"));
  y->setNumberPrecision(0);
  x->setNumberFormat(QStringLiteral("f"));
  x->setNumberPrecision(0);
  // Steps, sequences and blocks are integers: no tick between two of them.
  x->setTicker(QSharedPointer<QCPAxisTickerFixed>::create());
  y->setTicker(QSharedPointer<QCPAxisTickerFixed>::create());
  for (QCPAxis* axis : {x, y}) axis->setLayer(QStringLiteral("axes"));
  Pane pane{rect, m_plot->addGraph(x, y), nullptr, new QCPItemStraightLine(m_plot), nullptr};
  pane.line->setName(name);
  if (!secondName.isEmpty()) {
    pane.second = m_plot->addGraph(x, y);
    pane.second->setName(secondName);
  }
  // Steps are discrete: a batch does not grow between two of them.
  pane.line->setLineStyle(column == 0 ? QCPGraph::lsLine : QCPGraph::lsStepCenter);
  if (pane.second) pane.second->setLineStyle(QCPGraph::lsStepCenter);
  for (QCPItemPosition* point : {pane.cursor->point1, pane.cursor->point2}) point->setAxes(x, y);
  pane.cursor->setClipAxisRect(rect);
  if (pane.second) addLegend(pane);
  return pane;
}

// A legend names two lines in words, since dashes alone do not distinguish them.
void PlotView::addLegend(Pane& pane) {
  pane.legend = new QCPLegend;
  pane.rect->insetLayout()->addElement(pane.legend, Qt::AlignTop | Qt::AlignLeft);
  pane.legend->setLayer(QStringLiteral("legend"));
  pane.legend->addItem(new QCPPlottableLegendItem(pane.legend, pane.line));
  pane.legend->addItem(new QCPPlottableLegendItem(pane.legend, pane.second));
  pane.legend->setRowSpacing(0);
  pane.legend->setBorderPen(Qt::NoPen);
}

void PlotView::applyTheme() {
  const Theme theme = Theme::of(this);
  m_plot->setBackground(theme.base());
  QPalette palette = m_empty->palette();
  palette.setColor(QPalette::WindowText, theme.dimText());
  palette.setColor(QPalette::Text, theme.dimText());
  m_empty->setPalette(palette);
  for (Pane& pane : m_panes) {
    for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
      QCPAxis* axis = pane.rect->axis(side);
      axis->setTickLabelFont(font());
      axis->setLabelFont(font());
      axis->setTickLabelColor(theme.dimText());
      axis->setLabelColor(theme.text());
      for (const auto& set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen}) {
        (axis->*set)(QPen(theme.line(), 1));
      }
      axis->grid()->setPen(QPen(theme.panel(), 1));
      axis->grid()->setZeroLinePen(QPen(theme.line(), 1));
    }
    pane.line->setPen(QPen(theme.accent(), 2));
    QColor fill = theme.accent();
    fill.setAlpha(36);
    pane.line->setBrush(fill);
    if (pane.second) pane.second->setPen(QPen(theme.dimText(), 1.6, Qt::DashLine));
    pane.cursor->setPen(QPen(theme.text(), 1, Qt::DashLine));
    if (!pane.legend) continue;
    QColor ground = theme.base();
    ground.setAlpha(200);
    pane.legend->setBrush(ground);
    pane.legend->setFont(font());
    pane.legend->setTextColor(theme.text());
  }
}

void PlotView::restart() {
  m_bucket = 1;
  m_tallest = {1, 1, 1};
  clearGraphs();
  refresh();
}

void PlotView::clearGraphs() {
  m_drawn = 0;
  for (Pane& pane : m_panes) {
    pane.line->data()->clear();
    if (pane.second) pane.second->data()->clear();
  }
}

int PlotView::points() const { return static_cast<int>(m_drawn); }
int PlotView::drawn() const { return m_panes.front().line->dataCount(); }

// Minimum and maximum of one value over the steps [from, to), in the order of their steps.
void PlotView::addExtremes(QCPGraph* graph, std::size_t from, std::size_t to,
                           double (*valueOf)(const MetricsRow&)) {
  const auto& rows = m_model->rows();
  std::size_t least = from, most = from;
  for (std::size_t i = from; i < to; ++i) {
    if (valueOf(rows[i]) < valueOf(rows[least])) least = i;
    if (valueOf(rows[i]) > valueOf(rows[most])) most = i;
  }
  for (const std::size_t i : {std::min(least, most), std::max(least, most)}) {
    graph->addData(rows[i].step, valueOf(rows[i]));
    if (least == most) break;
  }
}

void PlotView::drawNew() {
  const auto& rows = m_model->rows();
  while (rows.size() > m_bucket * kMostBuckets) {  // again, in buckets of twice the size
    m_bucket *= 2;
    clearGraphs();
  }
  for (; rows.size() - m_drawn >= m_bucket; m_drawn += m_bucket) {
    const std::size_t end = m_drawn + m_bucket;
    for (std::size_t i = m_drawn; i < end; ++i) {
      m_tallest[0] = std::max(m_tallest[0], rows[i].tokensPerSecond);
      m_tallest[1] = std::max(m_tallest[1], static_cast<double>(rows[i].sequences));
      m_tallest[2] =
          std::max(m_tallest[2], static_cast<double>(std::max(rows[i].usedBlocks, rows[i].cachedBlocks)));
    }
    addExtremes(m_panes[0].line, m_drawn, end, [](const MetricsRow& row) { return row.tokensPerSecond; });
    addExtremes(m_panes[1].line, m_drawn, end, [](const MetricsRow& row) -> double { return row.sequences; });
    addExtremes(m_panes[2].line, m_drawn, end,
                [](const MetricsRow& row) -> double { return row.usedBlocks; });
    addExtremes(m_panes[2].second, m_drawn, end,
                [](const MetricsRow& row) -> double { return row.cachedBlocks; });
  }
}

void PlotView::refresh() {
  if (!isVisible()) return;
  const auto& rows = m_model->rows();
  drawNew();
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(rows.empty() ? static_cast<QWidget*>(m_empty)
                                                                        : m_plot);
  if (rows.empty()) return;
  setRanges(rows.back().step);
  const Session* session = m_model->session();
  for (Pane& pane : m_panes) {
    const double step = session->step();
    pane.cursor->setVisible(!session->isLive());
    pane.cursor->point1->setCoords(step, 0);
    pane.cursor->point2->setCoords(step, 1);
  }
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::setRanges(int lastStep) {
  const int firstStep = m_model->rows().front().step;
  lastStep = std::max(firstStep + 10, lastStep);
  for (std::size_t i = 0; i < m_panes.size(); ++i) {
    setRange(m_panes[i].rect->axis(QCPAxis::atBottom), firstStep - 0.5, lastStep + 0.5, 5);
    // The lines leave room for the legend.
    setRange(m_panes[i].rect->axis(QCPAxis::atLeft), 0, m_tallest[i] * (m_panes[i].legend ? 1.5 : 1.15), 3);
  }
}

Picture PlotView::picture() const {
  Picture picture;
  picture.title = accessibleName();
  picture.size = m_plot->size();
  picture.background = Theme::of(this).base();
  picture.paint = [this, size = m_plot->size()](QPainter& painter) {
    // QCustomPlot draws through its own painter; a QPicture transfers the drawing as vectors.
    QPicture drawing;
    QCPPainter plotPainter(&drawing);
    m_plot->toPainter(&plotPainter, size.width(), size.height());
    plotPainter.end();
    painter.drawPicture(0, 0, drawing);
  };
  return picture;
}

QString PlotView::csv() const { return toCsv(*m_model); }
void PlotView::copyCsv() const { QApplication::clipboard()->setText(csv()); }
void PlotView::copyPicture() const { QApplication::clipboard()->setImage(toImage(picture())); }

void PlotView::savePictureAs() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Save the plots"), tr("plots.svg"),
                                                    tr("Drawings (*.svg);;Pictures (*.png)"));
  if (path.isEmpty()) return;
  try {
    savePicture(picture(), path);
  } catch (const EngineError& error) {
    QMessageBox::warning(
        this, tr("The plots were not saved"),
        tr("%1\n%2").arg(QString::fromUtf8(error.what()), QString::fromStdString(error.hint())));
  }
}

void PlotView::showTable() {
  auto* table = new DataTableView(m_model, tr("No step has finished yet."), this);
  table->setWindowFlag(Qt::Window);
  table->setAttribute(Qt::WA_DeleteOnClose);
  table->setWindowTitle(tr("Metrics as a table"));
  table->setAccessibleName(table->windowTitle());
  table->resize(840, 480);
  table->show();
}

void PlotView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_model->setWatched(this, true);
  refresh();
}

void PlotView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_model->setWatched(this, false);
}

void PlotView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  if (m_panes.size() < 3) return;
  applyTheme();
  if (isVisible()) m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Show as a &table"), this, &PlotView::showTable);
  menu.addAction(tr("&Copy as CSV"), this, &PlotView::copyCsv);
  menu.addAction(tr("Copy &picture"), this, &PlotView::copyPicture);
  menu.addAction(tr("&Save picture as SVG or PNG…"), this, &PlotView::savePictureAs);
  menu.exec(event->globalPos());
}

}  // namespace vitrine

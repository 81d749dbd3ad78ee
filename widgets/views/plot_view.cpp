#include "widgets/views/plot_view.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPicture>
#include <QStackedLayout>
#include <algorithm>

#include "widgets/support/table_export.h"
#include "widgets/support/theme.h"
#include "widgets/views/data_table_view.h"
#include "widgets/views/save_picture.h"

namespace vitrine {

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
  makePanes();
  applyTheme();
  model->setWatched(this, false);
  connect(model, &SessionModel::refreshed, this, &PlotView::refresh);
  connect(model, &QAbstractItemModel::modelReset, this, &PlotView::restart);
  connect(model->session(), &Session::cursorChanged, this, &PlotView::refresh);
  // QCustomPlot passes no mouse event on to its parent, so the menu is asked for here.
  m_plot->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_plot, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { showMenu(m_plot->mapToGlobal(at)); });
  connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_drawn == 0) return;
    emit stepRequested(std::max(0, m_panes.front().stepAt(event->pos())));
  });
}

void PlotView::makePanes() {
  const PlotPane::Content contents[] = {
      {tr("tok/s"),
       {tr("Tokens per second"), [](const MetricsRow& row) { return row.tokensPerSecond; }, false}},
      {tr("batch"),
       {tr("Sequences in the step"), [](const MetricsRow& row) -> double { return row.sequences; }}},
      {tr("blocks"),
       {tr("in use"), [](const MetricsRow& row) -> double { return row.usedBlocks; }},
       {tr("free, cached"), [](const MetricsRow& row) -> double { return row.cachedBlocks; }}}};
  for (const PlotPane::Content& content : contents)
    m_panes.emplace_back(m_plot, static_cast<int>(m_panes.size()), content);
}

void PlotView::applyTheme() {
  const Theme theme = Theme::of(this);
  m_plot->setBackground(theme.base());
  QPalette palette = m_empty->palette();
  palette.setColor(QPalette::WindowText, theme.dimText());
  palette.setColor(QPalette::Text, theme.dimText());
  m_empty->setPalette(palette);
  for (PlotPane& pane : m_panes) pane.applyTheme(theme, font());
}

void PlotView::restart() {
  m_bucket = 1;
  m_drawn = 0;
  for (PlotPane& pane : m_panes) pane.restart();
  refresh();
}

int PlotView::points() const { return static_cast<int>(m_drawn); }
int PlotView::drawn() const { return m_panes.front().points(); }

void PlotView::drawNew() {
  const auto& rows = m_model->rows();
  while (rows.size() > m_bucket * kMostBuckets) {  // again, in buckets of twice the size
    m_bucket *= 2;
    m_drawn = 0;
    for (PlotPane& pane : m_panes) pane.clear();
  }
  for (; rows.size() - m_drawn >= m_bucket; m_drawn += m_bucket)
    for (PlotPane& pane : m_panes) pane.addBucket(rows, m_drawn, m_drawn + m_bucket);
}

void PlotView::refresh() {
  if (!isVisible()) return;
  const auto& rows = m_model->rows();
  drawNew();
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(rows.empty() ? static_cast<QWidget*>(m_empty)
                                                                        : m_plot);
  if (rows.empty()) return;
  const int first = rows.front().step, last = std::max(first + 10, rows.back().step);
  const Session* session = m_model->session();
  for (PlotPane& pane : m_panes) {
    pane.setSteps(first, last);
    pane.setCursor(session->step(), !session->isLive());
  }
  m_plot->replot(QCustomPlot::rpQueuedReplot);
  emit summaryChanged(summary());
}

QString PlotView::summary() const {
  const int step = m_model->session()->step();
  return step > 0 ? tr("step %1").arg(step) : QString();
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
  vitrine::savePictureAs(this, picture(),
                         {tr("Save the plots"), tr("plots.svg"), tr("The plots were not saved")});
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
  if (m_panes.empty()) return;
  applyTheme();
  if (isVisible()) m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) { showMenu(event->globalPos()); }

void PlotView::showMenu(const QPoint& where) {
  QMenu menu(this);
  menu.addAction(tr("Show as a &table"), this, &PlotView::showTable);
  menu.addAction(tr("&Copy as CSV"), this, &PlotView::copyCsv);
  menu.addAction(tr("Copy &picture"), this, &PlotView::copyPicture);
  menu.addAction(tr("&Save picture as SVG or PNG…"), this, &PlotView::savePictureAs);
  menu.exec(where);
}

}  // namespace vitrine

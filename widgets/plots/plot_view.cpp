#include "widgets/plots/plot_view.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStackedLayout>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "widgets/painting/save_picture.h"
#include "widgets/painting/table_twin.h"
#include "widgets/plots/plot_pane.h"
#include "widgets/plots/plot_sheet.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/table_export.h"
#include "widgets/support/theme.h"

namespace vitrine {

PlotView::PlotView(MetricsModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_layout(new QStackedLayout(this)),
      m_empty(
          new QLabel(tr("Rates, batch, blocks, queue and latencies are drawn here, step by step."), this)),
      m_sheet(new PlotSheet(this)),
      m_pause(new QToolButton(this)),
      m_fit(new QToolButton(this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Live plots"));
  setFocusPolicy(Qt::StrongFocus);
  m_twin = new TableTwin(model, this, tr("No step has finished yet."));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setMargin(16);
  m_empty->setAutoFillBackground(true);
  m_empty->setBackgroundRole(QPalette::Base);
  m_layout->addWidget(m_empty);
  makeButtons();
  makePanes();
  applyTheme();
  model->followSightOf(this);
  connect(model, &SessionModel::refreshed, this, [this, model] {
    if (!m_paused || !model->session()->isLive()) refresh();
  });
  connect(model, &QAbstractItemModel::modelReset, this, &PlotView::restart);
  connect(model->session(), &Session::cursorChanged, this, [this](int step, bool live) {
    if (live) return;
    m_window.reveal(step);
    refresh();
  });
}

void PlotView::makePanes() {
  for (PlotContent& content : livePlots()) addPane(new PlotPane(std::move(content), m_sheet));
  m_sheet->setPanes(m_panes);
  connect(m_sheet, &PlotSheet::uncovered, this, [this] {
    for (PlotPane* pane : m_panes) pane->replot();
  });
}

void PlotView::addPane(PlotPane* pane) {
  m_panes.push_back(pane);
  connect(pane, &PlotPane::chosen, this, &PlotView::goTo);
  connect(pane, &PlotPane::pointed, this, &PlotView::point);
  connect(pane, &PlotPane::zoomed, this, &PlotView::zoom);
  connect(pane, &PlotPane::menuRequested, this, &PlotView::showMenu);
  connect(pane, &PlotPane::panned, this, [this](double share) {
    m_window.pan(share * (m_window.end() - m_window.begin()));
    refresh();
  });
}

// The buttons stand beside the plots: a low panel has no line to spare.
void PlotView::makeButtons() {
  auto* page = new QWidget(this);
  page->setAutoFillBackground(true);
  page->setBackgroundRole(QPalette::Base);
  auto* row = withoutMargins(new QHBoxLayout(page));
  row->setSpacing(0);
  row->addWidget(m_sheet, 1);
  auto* column = new QVBoxLayout;
  row->addLayout(column);
  m_pause->setText(tr("pause"));
  m_pause->setCheckable(true);
  m_pause->setToolTip(tr("Freeze the plots while the run goes on (Space)"));
  m_fit->setText(tr("fit"));
  m_fit->setToolTip(tr("Show the whole run (0); zoom with + and −, or with Ctrl and the wheel"));
  for (QToolButton* button : {m_pause, m_fit}) {
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    column->addWidget(button);
  }
  column->addStretch(1);
  connect(m_pause, &QToolButton::toggled, this, &PlotView::setPaused);
  connect(m_fit, &QToolButton::clicked, this, &PlotView::fit);
  m_layout->addWidget(page);
}

void PlotView::applyTheme() {
  const Theme theme = Theme::of(this);
  QPalette palette = m_empty->palette();
  palette.setColor(QPalette::WindowText, theme.dimText());
  palette.setColor(QPalette::Text, theme.dimText());
  m_empty->setPalette(palette);
  for (PlotPane* pane : m_panes) pane->applyTheme(theme, font());
  m_sheet->arrange();
}

void PlotView::restart() {
  m_window = {};
  m_pointed = -1;
  m_begin = m_drawn = 0;
  m_bucket = 1;
  m_partDrawn = false;
  for (PlotPane* pane : m_panes) pane->restart();
  m_pause->setChecked(false);
  refresh();
}

int PlotView::drawn() const { return m_panes.front()->points(); }

// The whole run: what is new, behind what is drawn.
void PlotView::drawRun() {
  const auto& rows = m_model->rows();
  if (std::exchange(m_partDrawn, false)) {
    m_bucket = 1;
    m_begin = m_drawn = 0;
    for (PlotPane* pane : m_panes) pane->restart();
  }
  while (rowCount() > m_bucket * kMostBuckets) {  // again, in buckets of twice the size
    m_bucket *= 2;
    m_drawn = 0;
    for (PlotPane* pane : m_panes) pane->clear();
  }
  for (; rowCount() - m_drawn >= m_bucket; m_drawn += m_bucket)
    for (PlotPane* pane : m_panes) pane->addBucket(rows, m_drawn, m_drawn + m_bucket);
}

// The steps in sight, and one on each side, so that the lines go on to the edges.
void PlotView::drawPart() {
  const auto& rows = m_model->rows();
  const auto placeOf = [&](double step) {
    const auto found =
        std::ranges::lower_bound(rows, step, {}, [](const MetricsRow& row) { return row.step; });
    return std::min(static_cast<std::size_t>(found - rows.begin()), rowCount());
  };
  const std::size_t before = placeOf(m_window.begin());
  const std::size_t begin = before - std::min<std::size_t>(before, 1);
  const std::size_t end = std::min(placeOf(m_window.end()) + 1, rowCount());
  if (m_partDrawn && begin == m_begin && end == m_drawn) return;
  m_partDrawn = true;
  m_bucket = 1 + (end - begin) / kMostBuckets;
  for (PlotPane* pane : m_panes) {
    pane->restart();
    for (std::size_t i = begin; i < end; i += m_bucket) pane->addBucket(rows, i, std::min(end, i + m_bucket));
  }
  m_begin = begin;
  m_drawn = end;
}

void PlotView::refresh() {
  if (!isVisible()) return;
  const auto& rows = m_model->rows();
  m_layout->setCurrentIndex(rowCount() == 0 ? 0 : 1);
  if (rowCount() == 0) return;
  m_window.setRun(rows.front().step, rows[rowCount() - 1].step);
  m_window.isWhole() ? drawRun() : drawPart();
  showWindow();
  showMarks();
}

void PlotView::showWindow() {
  for (PlotPane* pane : m_panes) {
    if (pane->content().toPoolSize) pane->setTop(m_model->numBlocks());
    pane->setSteps(m_window.begin(), m_window.end());
  }
  m_fit->setEnabled(!m_window.isWhole());
}

// The step under the mouse is told, or else the one that the window shows.
void PlotView::showMarks() {
  const int shown = m_model->session()->step(), step = m_pointed >= 0 ? m_pointed : shown;
  QStringList told{tr("Step %1").arg(step)};
  for (PlotPane* pane : m_panes) {
    pane->setMarks(shown, m_pointed);
    pane->tell(m_model->rowOf(step));
    pane->replot();
    told << pane->told();
  }
  setAccessibleDescription(told.join(QStringLiteral(". ")));
  emit summaryChanged(summary());
}

QString PlotView::summary() const {
  const int step = m_pointed >= 0 ? m_pointed : m_model->session()->step();
  if (step <= 0) return {};
  return m_paused ? tr("paused · step %1").arg(step) : tr("step %1").arg(step);
}

void PlotView::setPaused(bool paused) {
  if (paused == m_paused) return;
  m_pausedRows = m_model->rows().size();
  m_paused = paused;
  m_pause->setChecked(paused);
  refresh();
}

void PlotView::zoom(double factor, double around) {
  m_window.zoom(factor, around);
  refresh();
}

void PlotView::fit() {
  m_window.fit();
  refresh();
}

Picture PlotView::picture() const {
  Picture picture;
  picture.title = accessibleName();
  picture.size = m_sheet->sheetSize().expandedTo({1, 1});
  picture.background = Theme::of(this).base();
  picture.paint = [this](QPainter& painter) {
    for (const PlotPane* pane : m_panes) pane->paintOn(painter, pane->geometry());
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

void PlotView::showTable() { m_twin->setOpen(true); }

void PlotView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void PlotView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && font() != readable(font())) setFont(readable(font()));
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
  if (m_panes.empty()) return;
  applyTheme();
  refresh();
}

void PlotView::point(int step) {
  const int pointed = m_model->rowOf(step) ? step : -1;
  if (std::exchange(m_pointed, pointed) != pointed) showMarks();
}

// As on the time axis: the last step is the machine itself.
void PlotView::goTo(int step) {
  const Session& session = *m_model->session();
  if (session.lastStep() == 0) return;
  if (step >= session.lastStep()) {
    if (!session.isLive()) emit liveRequested();
  } else if (session.isLive() || step != session.step()) {
    emit stepRequested(std::max(step, session.firstStep()));
  }
}

void PlotView::contextMenuEvent(QContextMenuEvent* event) { showMenu(event->globalPos()); }

void PlotView::showMenu(const QPoint& global) {
  QMenu menu(this);
  menu.addAction(m_paused ? tr("&Go on") : tr("&Pause the plots"), QKeySequence(Qt::Key_Space), this,
                 [this] { setPaused(!m_paused); });
  menu.addAction(tr("&Fit the whole run"), QKeySequence(Qt::Key_0), this, &PlotView::fit);
  menu.addSeparator();
  menu.addAction(m_twin->action());
  menu.addAction(tr("&Copy as CSV"), QKeySequence::Copy, this, &PlotView::copyCsv);
  menu.addAction(tr("C&opy picture"), this, &PlotView::copyPicture);
  menu.addAction(tr("&Save picture as SVG or PNG…"), this, &PlotView::savePictureAs);
  menu.exec(global);
}

void PlotView::keyPressEvent(QKeyEvent* event) {
  const Session& session = *m_model->session();
  if (event->matches(QKeySequence::Copy)) return copyCsv();
  switch (event->key()) {
    case Qt::Key_Left:
      return goTo(session.step() - 1);
    case Qt::Key_Right:
      return goTo(session.step() + 1);
    case Qt::Key_Home:
      return goTo(session.firstStep());
    case Qt::Key_End:
      return goTo(session.lastStep());
    case Qt::Key_Plus:
    case Qt::Key_Minus:
      return zoom(event->key() == Qt::Key_Plus ? 1.25 : 0.8, session.step());
    case Qt::Key_0:
      return fit();
    case Qt::Key_Space:
      return setPaused(!m_paused);
    default:
      event->ignore();  // PageUp and PageDown step the machine
  }
}

}  // namespace vitrine

#include "moc_plot_view.cpp"

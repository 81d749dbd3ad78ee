#include "widgets/memory/block_map_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/memory/block_legend.h"
#include "widgets/memory/block_ranges_model.h"
#include "widgets/memory/swap_shelf_rows.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {

constexpr int kMapMargin = 10, kAboveFooter = 8;
constexpr double kMapZoom = 1.25;

int largestCell(const QFontMetrics& metrics) { return std::max(54, metrics.height() * 7 / 2); }

}  // namespace

BlockMapView::BlockMapView(BlockMapModel* model, QWidget* parent)
    : CursorView(
          model,
          {.way = CursorHabits::Way::kAcross, .ends = true, .enter = true, .space = true, .leftOnly = true},
          parent),
      m_blocks(model) {
  setAccessibleName(tr("KV block map"));
  connect(&m_clock, &AnimationClock::tick, this, &BlockMapView::updateWhatMoves);
  connect(model->session(), &Session::selectionChanged, this, [this] {
    light();
    paintInTurn();
  });
  connect(model->session(), &Session::runStarted, this, &BlockMapView::restart);
}

QString BlockMapView::emptyText() const {
  return m_blocks->rowCount() > 0
             ? QString()
             : tr("The engine's memory appears here once a model is loaded: one cell for each block of "
                  "keys and values.");
}

std::unique_ptr<SessionModel> BlockMapView::makeTableModel() const {
  return std::make_unique<BlockRangesModel>(m_blocks);
}

// In a small viewport, or with large letters, the cells need the room.
int BlockMapView::legendHeight() const {
  const int height = BlockLegend(font(), viewport()->width() - 2 * kMapMargin).height();
  return 3 * height <= viewport()->height() ? height : 0;
}

int BlockMapView::footerHeight() const {
  return SwapShelfRows::height(*m_blocks, fontMetrics()) + legendHeight();
}

// Swapped blocks cross it.
int BlockMapView::gapAboveFooter() const {
  return SwapShelfRows::height(*m_blocks, fontMetrics()) > 0 ? kAboveFooter + fontMetrics().height()
                                                             : kAboveFooter;
}

int BlockMapView::footerTop(bool whole) const {
  const int below = m_grid.bottom() + gapAboveFooter();
  return whole ? below : std::min(below, portInContent().bottom() + 1 - kMapMargin / 2 - footerHeight());
}

SwapShelfRows BlockMapView::shelfRows(bool whole) const {
  return {*m_blocks, fontMetrics(), {kMapMargin, footerTop(whole)}, viewport()->width() - 2 * kMapMargin};
}

QRect BlockMapView::slotRect(SwapTier tier, int slot) const { return shelfRows().slotRect(tier, slot); }

void BlockMapView::measure() const {
  const QSize port = viewport()->size();
  const QSize area(port.width() - 2 * kMapMargin,
                   port.height() - kMapMargin - gapAboveFooter() - kMapMargin / 2 - footerHeight());
  const int blocks = m_blocks->rowCount();
  const int zoomed =
      m_zoom == kFit ? BlockGrid::cellThatFits(blocks, area, largestCell(fontMetrics())) : m_zoom;
  m_grid = BlockGrid(blocks, {area, {kMapMargin, kMapMargin}, largestCell(fontMetrics()), zoomed});
}

QSize BlockMapView::contentSize() const {
  measure();
  return {viewport()->width(), m_grid.bottom() + gapAboveFooter() + footerHeight() + kMapMargin / 2};
}

QRect BlockMapView::portInContent() const { return {toContent({0, 0}), viewport()->size()}; }

ViewItem BlockMapView::itemAt(const QPoint& content) const {
  return {content.y() < footerTop() ? m_grid.blockAt(content) : -1};
}

QString BlockMapView::tipAt(const QPoint& content) const {
  SwapTier tier{};
  if (const ShelfBlock* block = shelfRows().blockAt(content, &tier)) return describe(*block, tier);
  return CursorView::tipAt(content);
}

QString BlockMapView::summary() const {
  if (m_blocks->rowCount() == 0) return {};
  QStringList parts = {tr("%1 of %2 blocks in use")
                           .arg(formatCount(m_blocks->usedBlocks()), formatCount(m_blocks->rowCount()))};
  if (m_blocks->cachedFreeBlocks() > 0)
    parts << tr("%1 free, still cached").arg(m_blocks->cachedFreeBlocks());
  parts << tr("%1 tokens each").arg(m_blocks->blockSize());
  return parts.join(QStringLiteral(" · "));
}

void BlockMapView::contentChanged() {
  CursorView::contentChanged();
  measure();
  m_canvas.note(*m_blocks);
  noteCursor();
  startFades();
  startFlights();
  light();
  if (currentRow() < 0) setAccessibleDescription(summary());
}

QRect BlockMapView::itemRect(const ViewItem& item) const {
  return cellRect(item.row).adjusted(-4, -4, 4, 4 + kAboveFooter + footerHeight());
}

void BlockMapView::setCurrentBlock(int block) {
  if (block >= 0 && block < itemCount()) setCurrentItem({block});
}

void BlockMapView::currentChanged() {
  light();
  emit blockSelected(currentRow());
}

void BlockMapView::activate(const ViewItem& item) {
  const auto& owners = m_blocks->at(item.row).owners;
  if (!owners.empty()) emit sequenceSelected(owners.front());
}

// What the mouse or, without it, the keyboard is at lights its prefix.
void BlockMapView::hoverChanged() {
  light();
  viewport()->update();
}

void BlockMapView::light() {
  const int block = hoveredItem().exists() ? hoveredItem().row : hasFocus() ? currentRow() : -1;
  m_lit = isVisible() ? m_blocks->chainOf(block) : BlockChain();
}

void BlockMapView::focusInEvent(QFocusEvent* event) {
  PaintedView::focusInEvent(event);
  light();
}
void BlockMapView::focusOutEvent(QFocusEvent* event) {
  PaintedView::focusOutEvent(event);
  light();
}

void BlockMapView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  SwapTier tier{};
  if (const ShelfBlock* block = shelfRows().blockAt(toContent(event->pos()), &tier))
    emit sequenceSelected(block->sequence);
  else
    CursorView::mousePressEvent(event);
}

int BlockMapView::anchor() const {
  const QRect port = portInContent();
  if (currentRow() >= 0 && port.contains(cellRect(currentRow()).center())) return currentRow();
  const int first = m_grid.blocksIn({port.left(), port.center().y(), port.width(), 1}).first;
  return std::clamp(first, 0, std::max(0, m_blocks->rowCount() - 1));
}

void BlockMapView::zoomTo(int cellHeight, int block) {
  const int height = std::clamp(cellHeight, BlockGrid::kTiniestCell, BlockGrid::kHugestCell);
  if (height == m_grid.cell().height() || m_blocks->rowCount() == 0) return;
  const int above = cellRect(block).top() - verticalScrollBar()->value();
  m_zoom = height;
  layoutContent();
  verticalScrollBar()->setValue(cellRect(block).top() - above);
  viewport()->update();
}

void BlockMapView::zoomIn() {
  const int height = m_grid.cell().height();
  zoomTo(std::max(height + 1, static_cast<int>(height * kMapZoom)), anchor());
}

void BlockMapView::zoomOut() {
  const int height = m_grid.cell().height();
  zoomTo(std::min(height - 1, static_cast<int>(height / kMapZoom)), anchor());
}

void BlockMapView::fit() {
  m_zoom = kFit;
  layoutContent();
  viewport()->update();
}

void BlockMapView::wheelEvent(QWheelEvent* event) {
  if (!(event->modifiers() & Qt::ControlModifier)) return PaintedView::wheelEvent(event);
  const int height = m_grid.cell().height();
  const double factor = std::pow(kMapZoom, event->angleDelta().y() / 120.0);
  const int wanted = static_cast<int>(std::lround(height * factor));
  const int block = itemAt(toContent(event->position().toPoint())).row;
  zoomTo(wanted == height && factor != 1 ? height + (factor > 1 ? 1 : -1) : wanted,
         block >= 0 ? block : anchor());
  event->accept();
}

void BlockMapView::addActions(QMenu& menu) {
  if (currentRow() >= 0) {
    const BlockId block = currentRow();
    menu.addAction(tr("Show the &events of block %1").arg(block), this,
                   [this, block] { emit eventsRequested(block); });
    menu.addSeparator();
  }
  menu.addAction(tr("Zoom &in"), QKeySequence(Qt::Key_Plus), this, &BlockMapView::zoomIn);
  menu.addAction(tr("Zoom &out"), QKeySequence(Qt::Key_Minus), this, &BlockMapView::zoomOut);
  menu.addAction(tr("&Fit the whole pool"), QKeySequence(Qt::Key_0), this, &BlockMapView::fit);
}

void BlockMapView::keyPressEvent(QKeyEvent* event) {
  if (m_blocks->rowCount() == 0) return PaintedView::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomIn();
    case Qt::Key_Minus:
      return zoomOut();
    case Qt::Key_0:
      return fit();
    default:
      CursorView::keyPressEvent(event);
  }
}

}  // namespace vitrine

#include "moc_block_map_view.cpp"

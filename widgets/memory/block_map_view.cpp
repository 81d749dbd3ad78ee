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
    : PaintedView(model, parent), m_blocks(model) {
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

int BlockMapView::blockAt(const QPoint& content) const {
  return content.y() < footerTop() ? m_grid.blockAt(content) : -1;
}

QString BlockMapView::tipAt(const QPoint& content) const {
  SwapTier tier{};
  if (const ShelfBlock* block = shelfRows().blockAt(content, &tier)) return describe(*block, tier);
  return m_blocks->describe(blockAt(content));
}

prose::Target BlockMapView::targetAt(const QPoint& content) const {
  const int block = blockAt(content);
  return block < 0 ? prose::Target() : prose::Target{.blocks = {block}};
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
  m_current = std::min(m_current, m_blocks->rowCount() - 1);
  if (m_hover >= m_blocks->rowCount()) m_hover = -1;
  measure();
  m_canvas.note(*m_blocks);
  noteCursor();
  startFades();
  startFlights();
  light();
  if (m_current < 0) setAccessibleDescription(summary());
}

void BlockMapView::setCurrentBlock(int block) {
  if (block < 0 || block >= m_blocks->rowCount()) return;
  m_current = block;
  reveal(cellRect(block).adjusted(-4, -4, 4, 4 + kAboveFooter + footerHeight()));
  announce(m_blocks->describe(block));
  light();
  viewport()->update();
  emit blockSelected(block);
}

void BlockMapView::activate(int block) {
  setCurrentBlock(block);
  const auto& owners = m_blocks->at(block).owners;
  if (!owners.empty()) emit sequenceSelected(owners.front());
}

// What the mouse or, without it, the keyboard is at lights its prefix.
void BlockMapView::hover(int block) {
  if (block == m_hover) return;
  m_hover = block;
  light();
  viewport()->update();
}

void BlockMapView::light() {
  const int block = m_hover >= 0 ? m_hover : hasFocus() ? m_current : -1;
  m_lit = isVisible() ? m_blocks->chainOf(block) : BlockChain();
}

void BlockMapView::mouseMoveEvent(QMouseEvent* event) { hover(blockAt(toContent(event->pos()))); }
void BlockMapView::leaveEvent(QEvent* event) {
  PaintedView::leaveEvent(event);
  hover(-1);
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
  const QPoint content = toContent(event->pos());
  SwapTier tier{};
  if (const ShelfBlock* block = shelfRows().blockAt(content, &tier))
    emit sequenceSelected(block->sequence);
  else if (const int at = blockAt(content); at >= 0)
    activate(at);
}

int BlockMapView::anchor() const {
  const QRect port = portInContent();
  if (m_current >= 0 && port.contains(cellRect(m_current).center())) return m_current;
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
  const int block = blockAt(toContent(event->position().toPoint()));
  zoomTo(wanted == height && factor != 1 ? height + (factor > 1 ? 1 : -1) : wanted,
         block >= 0 ? block : anchor());
  event->accept();
}

void BlockMapView::addActions(QMenu& menu) {
  if (m_current >= 0) {
    const BlockId block = m_current;
    menu.addAction(tr("Show the &events of block %1").arg(block), this,
                   [this, block] { emit eventsRequested(block); });
    menu.addSeparator();
  }
  menu.addAction(tr("Zoom &in"), QKeySequence(Qt::Key_Plus), this, &BlockMapView::zoomIn);
  menu.addAction(tr("Zoom &out"), QKeySequence(Qt::Key_Minus), this, &BlockMapView::zoomOut);
  menu.addAction(tr("&Fit the whole pool"), QKeySequence(Qt::Key_0), this, &BlockMapView::fit);
}

// Moves the cursor; false for a key that does not.
bool BlockMapView::walk(int key) {
  const int blocks = m_blocks->rowCount(), from = std::max(0, m_current), across = columns();
  int to = from;
  if (key == Qt::Key_Left)
    to = from - 1;
  else if (key == Qt::Key_Right)
    to = from + 1;
  else if (key == Qt::Key_Up)
    to = from >= across ? from - across : from;
  else if (key == Qt::Key_Down)
    to = from + across < blocks ? from + across : from;
  else if (key == Qt::Key_Home)
    to = 0;
  else if (key == Qt::Key_End)
    to = blocks - 1;
  else
    return false;
  setCurrentBlock(m_current < 0 ? 0 : std::clamp(to, 0, blocks - 1));
  return true;
}

void BlockMapView::keyPressEvent(QKeyEvent* event) {
  if (m_blocks->rowCount() == 0) return PaintedView::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (m_current >= 0) activate(m_current);
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomIn();
    case Qt::Key_Minus:
      return zoomOut();
    case Qt::Key_0:
      return fit();
    default:
      if (!walk(event->key())) PaintedView::keyPressEvent(event);
  }
}

}  // namespace vitrine

#include "moc_block_map_view.cpp"

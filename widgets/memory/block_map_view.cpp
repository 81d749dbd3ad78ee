#include "widgets/memory/block_map_view.h"

#include <QMenu>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/memory/block_painter.h"
#include "widgets/memory/block_ranges_model.h"
#include "widgets/memory/swap_shelf_rows.h"
#include "widgets/painting/lit.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

constexpr int kMapMargin = 10, kAboveFooter = 8;
constexpr double kMapZoom = 1.25;

int largestCell(const QFontMetrics& metrics) { return std::max(54, metrics.height() * 7 / 2); }

constexpr int kAround = 6;  // what is painted around a cell at most, in pixels
constexpr std::size_t kMostRegions = 64, kMostTrails = 24, kMostFlights = 48;
constexpr int kBetweenFlightsMs = 40;

QRectF between(const QRectF& from, const QRectF& to, double share) {
  const double eased = share * share * (3 - 2 * share);
  const auto mid = [eased](double a, double b) { return a + (b - a) * eased; };
  return {mid(from.x(), to.x()), mid(from.y(), to.y()), mid(from.width(), to.width()),
          mid(from.height(), to.height())};
}

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
  if (m_blocks->rowCount() > 0) return {};
  if (const QString unseen = m_blocks->session()->unseenWords(); !unseen.isEmpty())
    return unseen + u' ' +
           tr("A vLLM that publishes KV events shows its prefix cache here: Model → Connect to a server… "
              "takes "
              "their address.");
  return tr(
      "The engine's memory appears here once a model is loaded: one cell for each block of keys and values.");
}

std::unique_ptr<SessionModel> BlockMapView::makeTableModel() const {
  return std::make_unique<BlockRangesModel>(m_blocks);
}

// In a small viewport, or with large letters, the cells need the room.
int BlockMapView::legendHeight() const {
  const int height = BlockLegend::height(fontMetrics());
  return 3 * height <= viewport()->height() ? height : 0;
}

int BlockMapView::footerHeight() const {
  return SwapShelfRows::height(*m_blocks, fontMetrics()) + legendHeight();
}

// Swapped blocks cross it.
int BlockMapView::gapAboveFooter() const {
  return SwapShelfRows::height(*m_blocks, fontMetrics()) > 0 ? kAboveFooter + fontMetrics().height() / 2
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

BlockLegend BlockMapView::legend() const {
  const BlockCounts& counts = m_blocks->counts();
  const QSize cell = m_grid.cell() - QSize(1, 1);
  BlockMarks marks;
  marks.untouched = counts.used == 0 && counts.cachedFree == 0;
  marks.told = m_blocks->session()->state().isFromOutside();
  if (BlockPainter::showsMarks(cell)) {
    marks.cached = counts.cachedUsed > 0;
    marks.cachedFree = counts.cachedFree > 0;
    marks.changed = !m_blocks->marked().empty();
  }
  if (BlockPainter::showsNumbers(cell, font())) {
    marks.shared = counts.shared > 0;
    marks.turns = !marks.told && counts.used < m_blocks->rowCount();
  }
  return {font(), viewport()->width() - 2 * kMapMargin, marks};
}

int BlockMapView::heightAroundCells() const {
  return kMapMargin + gapAboveFooter() + SwapShelfRows::height(*m_blocks, fontMetrics()) +
         BlockLegend::height(fontMetrics()) + kMapMargin / 2;
}

int BlockMapView::heightWith(int cellHeight) const {
  const int blocks = m_blocks->rowCount(), width = viewport()->width() - 2 * kMapMargin;
  return blocks == 0 ? 0 : BlockGrid::heightOf(blocks, width, cellHeight) + heightAroundCells();
}

int BlockMapView::comfortableHeight() const {
  return heightWith(BlockGrid::comfortableCell(m_blocks->rowCount(), viewport()->width() - 2 * kMapMargin,
                                               largestCell(fontMetrics())));
}

int BlockMapView::heightWithin(int height) const {
  return heightWith(BlockGrid::cellThatFits(
      m_blocks->rowCount(), {viewport()->width() - 2 * kMapMargin, height - heightAroundCells()},
      largestCell(fontMetrics())));
}

QSize BlockMapView::contentSize() const {
  measure();
  return {viewport()->width(), m_grid.bottom() + gapAboveFooter() + footerHeight() + kMapMargin / 2};
}

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
  if (m_blocks->session()->state().isFromOutside())
    return tr("cached blocks: %1 · %2 tokens each")
        .arg(formatCount(m_blocks->counts().cachedFree), formatCount(m_blocks->blockSize()));
  QStringList parts = {tr("%1 of %2 blocks in use")
                           .arg(formatCount(m_blocks->counts().used), formatCount(m_blocks->rowCount()))};
  if (m_blocks->counts().cachedFree > 0)
    parts << tr("%1 free, still cached").arg(m_blocks->counts().cachedFree);
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
  if (const int room = comfortableHeight(); std::exchange(m_toldRoom, room) != room) emit roomChanged();
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

void BlockMapView::zoomByWheel(int turned, const QPointF& at) {
  const int height = m_grid.cell().height();
  const double factor = std::pow(kMapZoom, turned / 120.0);
  const int wanted = static_cast<int>(std::lround(height * factor));
  const int block = itemAt(toContent(at.toPoint())).row;
  zoomTo(wanted == height && factor != 1 ? height + (factor > 1 ? 1 : -1) : wanted,
         block >= 0 ? block : anchor());
}

void BlockMapView::addActions(QMenu& menu) {
  if (currentRow() >= 0) {
    const BlockId block = currentRow();
    menu.addAction(tr("Show the &events of block %1").arg(block), this,
                   [this, block] { emit eventsRequested(block); });
    menu.addSeparator();
  }
}

// How BlockMapView paints: cells at rest from its canvas, above them what is lit, glows or travels.

void BlockMapView::restart() {
  m_seen = m_pastStep = -1;
  placeCursor({});
  forgetHovered();
  m_fades.clear();
  m_flights.clear();
  m_lit = {};
}

// After going back, the changes of a step are new again.
void BlockMapView::noteCursor() {
  const Session& session = *m_blocks->session();
  const int past = session.isLive() ? -1 : session.step();
  if (past != m_pastStep && past >= 0) {
    m_seen = -1;
    m_fades.clear();
    m_flights.clear();
  }
  m_pastStep = past;
}

void BlockMapView::startFades() {
  std::unordered_map<BlockId, Fade> fades;
  bool fresh = false;
  for (const BlockId block : m_blocks->marked()) {
    const std::int64_t change = m_blocks->at(block).changeNumber;
    const auto known = m_fades.find(block);
    if (known != m_fades.end() && known->second.change == change) {
      fades.insert(*known);
    } else if (change > m_seen) {
      fades[block] = {change, m_clock.nowMs()};
      fresh = true;
    }
  }
  m_fades = std::move(fades);
  if (fresh) m_clock.run(kFadeMs);
}

void BlockMapView::startFlights() {
  const qint64 now = m_clock.nowMs();
  std::erase_if(m_flights, [&](const Flight& one) { return one.startMs + kTravelMs < now; });
  std::int64_t newest = m_seen;
  for (const BlockId block : m_blocks->marked()) newest = std::max(newest, m_blocks->at(block).changeNumber);
  int fresh = 0;
  for (const BlockMove& move : m_blocks->moves()) {
    newest = std::max(newest, move.number);
    if (move.number <= m_seen || m_flights.size() >= kMostFlights || AnimationClock::reducedMotion())
      continue;
    m_flights.push_back({move, now + kBetweenFlightsMs * fresh++});
  }
  m_seen = newest;
  if (fresh > 0) m_clock.run(kTravelMs + kBetweenFlightsMs * fresh);
}

// While only cells fade, the rest of the viewport is left alone.
void BlockMapView::updateWhatMoves() {
  if (!m_flights.empty() || m_fades.size() > kMostRegions) {
    if (!m_clock.isRunning()) m_flights.clear();
    return paintInTurn();
  }
  QRegion region;
  const QPoint offset = toContent({0, 0});
  for (const auto& [block, fade] : m_fades)
    region += cellRect(block).adjusted(-kAround, -kAround, kAround, kAround).translated(-offset);
  viewport()->update(region);
}

double BlockMapView::glow(int block) const {
  const auto found = m_fades.find(block);
  if (AnimationClock::reducedMotion() || found == m_fades.end()) return 0;
  const double share = static_cast<double>(m_clock.nowMs() - found->second.startMs) / kFadeMs;
  return std::clamp(1.0 - share, 0.0, 1.0);
}

void BlockMapView::paintEvent(QPaintEvent* event) {
  m_onScreen = true;
  measure();
  if (m_blocks->rowCount() > 0)
    m_canvas.prepare(
        {m_grid, portInContent(), devicePixelRatioF(), font(), palette().cacheKey(), m_blocks->blockSize()},
        theme(), *m_blocks);
  PaintedView::paintEvent(event);
  m_onScreen = false;
}

void BlockMapView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const BlockPainter cells(painter, theme, font(), m_blocks->blockSize());
  if (m_onScreen)
    m_canvas.draw(painter);
  else
    paintCells(painter, exposed, cells);
  paintSelection(painter, exposed, theme);
  paintPrefix(painter, exposed, theme);
  paintSpotlight(painter, exposed, theme);
  paintGlows(exposed, cells);
  paintCursor(painter, theme);
  paintFooter(painter, cells, theme);
  paintMoves(painter, cells, theme);
}

void BlockMapView::paintCells(QPainter& painter, const QRect& exposed, const BlockPainter& cells) const {
  painter.setRenderHint(QPainter::Antialiasing, m_grid.cell().height() >= BlockGrid::kPlainCell);
  const auto [first, end] = m_grid.blocksIn(exposed);
  for (int block = first; block < end; ++block)
    cells.paint(QRectF(cellRect(block)).adjusted(0.5, 0.5, -0.5, -0.5), m_blocks->at(block));
  painter.setRenderHint(QPainter::Antialiasing);
}

// Around the blocks of the selected sequence, neighbours in one frame.
void BlockMapView::paintSelection(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const auto& sequences = m_blocks->session()->state().sequences;
  const auto selected = sequences.find(m_blocks->session()->selectedSequence());
  if (selected == sequences.end()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent(), m_grid.cell().height() < BlockGrid::kPlainCell ? 1 : 2.6));
  std::vector<BlockId> table = selected->second.blockTable;
  std::ranges::sort(table);
  for (std::size_t i = 0; i < table.size();) {
    QRect frame = cellRect(table[i]);
    const int top = frame.top();
    for (++i; i < table.size() && table[i] == table[i - 1] + 1 && cellRect(table[i]).top() == top; ++i)
      frame.setRight(cellRect(table[i]).right());
    if (frame.adjusted(-kAround, -kAround, kAround, kAround).intersects(exposed))
      painter.drawRoundedRect(QRectF(frame).adjusted(-1, -1, 1, 1), 4, 4);
  }
}

// A line from block to block in the order of the tokens, under the letters of tinted cells.
void BlockMapView::paintPrefix(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  if (m_lit.blocks.size() < 2) return;
  QColor tint = theme.accent();
  tint.setAlphaF(0.3f);
  const QRect near = exposed.adjusted(-kAround, -kAround, kAround, kAround);
  const auto stop = [this](BlockId block) {
    const QRectF cell = cellRect(block);
    return QPointF(cell.center().x(), cell.bottom() - cell.height() / 6);
  };
  QPainterPath path;
  for (std::size_t i = 0; i < m_lit.blocks.size(); ++i) {
    const QRect cell = cellRect(m_lit.blocks[i]);
    if (cell.intersects(near)) painter.fillRect(cell, tint);
    if (i == 0 || !cell.united(cellRect(m_lit.blocks[i - 1])).intersects(near)) continue;
    path.moveTo(stop(m_lit.blocks[i - 1]));
    path.lineTo(stop(m_lit.blocks[i]));
  }
  painter.strokePath(path, QPen(theme.base(), 5, Qt::SolidLine, Qt::RoundCap));
  painter.strokePath(path, QPen(theme.accentText(), 2, Qt::SolidLine, Qt::RoundCap));
}

// What another view points at.
void BlockMapView::paintSpotlight(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const prose::Target& target = spotlight().target();
  if (target.isEmpty()) return;
  const QRect near = exposed.adjusted(-kAround, -kAround, kAround, kAround);
  for (const BlockId block :
       target.blocks)  // perhaps thousands, so the cells do not look for themselves in them
    if (block < m_blocks->rowCount() && cellRect(block).intersects(near))
      paintLitFrame(painter, QRectF(cellRect(block)).adjusted(-1, -1, 1, 1), 5, theme);
  if (!target.blocks.empty()) return;
  const auto [first, end] = m_grid.blocksIn(exposed);
  for (int block = first; block < end; ++block)
    if (const BlockRow& row = m_blocks->at(block); spotlight().isOnBlock(block, row.owners, row.requests))
      paintLitFrame(painter, QRectF(cellRect(block)).adjusted(-1, -1, 1, 1), 5, theme);
}

void BlockMapView::paintGlows(const QRect& exposed, const BlockPainter& cells) const {
  if (!m_clock.isRunning()) return;
  for (const auto& [block, fade] : m_fades)
    if (const double light = glow(block); light > 0 && cellRect(block).intersects(exposed))
      cells.paintGlow(QRectF(cellRect(block)).adjusted(0.5, 0.5, -0.5, -0.5), m_blocks->at(block).change,
                      light);
}

void BlockMapView::paintCursor(QPainter& painter, const Theme& theme) const {
  if (currentRow() < 0 || currentRow() >= m_blocks->rowCount() || !hasFocus()) return;
  drawBox(painter, QRectF(cellRect(currentRow())).adjusted(-2, -2, 2, 2), 0,
          QPen(theme.text(), 2, Qt::DotLine));
}

void BlockMapView::paintFooter(QPainter& painter, const BlockPainter& cells, const Theme& theme) const {
  const int top = footerTop(!m_onScreen);
  const SwapShelfRows rows = shelfRows(!m_onScreen);
  if (top < m_grid.bottom()) {  // the pool goes on under it
    painter.fillRect(QRect(0, top - 4, viewport()->width(), footerHeight() + 4 + kAround), theme.base());
    painter.setPen(theme.line());
    painter.drawLine(0, top - 4, viewport()->width(), top - 4);
  }
  painter.setFont(font());
  rows.paint(painter, cells, theme);
  if (legendHeight() == 0) return;
  legend().paint(painter, cells, theme, {rows.left(), top + SwapShelfRows::height(*m_blocks, fontMetrics())});
}

// Where a move begins and ends. A block of the pool that is out of sight moves from or to the nearest edge.
std::pair<QRectF, QRectF> BlockMapView::endsOf(const BlockMove& move, const SwapShelfRows& rows) const {
  const QRectF slot = rows.slotRect(move.tier, move.slot);
  if (move.move == SwapMove::kDemote) return {rows.slotRect(SwapTier::kHost, move.hostSlot), slot};
  QRectF cell = cellRect(move.block);
  const double lowest = footerTop(!m_onScreen) - cell.height();
  const double highest = m_onScreen ? portInContent().top() - cell.height() : cell.top();
  cell.moveTop(std::clamp(cell.top(), std::min(highest, lowest), lowest));
  return move.move == SwapMove::kOut ? std::pair{cell, slot} : std::pair{slot, cell};
}

// Dashed lines say what this step moved; on them the blocks travel once.
void BlockMapView::paintMoves(QPainter& painter, const BlockPainter& cells, const Theme& theme) const {
  if (m_blocks->moves().empty()) return;
  const SwapShelfRows rows = shelfRows(!m_onScreen);
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = 0; i < std::min(kMostTrails, m_blocks->moves().size()); ++i) {
    const BlockMove& move = m_blocks->moves()[i];
    const auto [from, to] = endsOf(move, rows);
    const bool down = from.center().y() < to.center().y();
    const QPointF begin(from.center().x(), down ? from.bottom() : from.top()),
        end(to.center().x(), down ? to.top() : to.bottom()), bend(0, (end.y() - begin.y()) / 2);
    QPainterPath path(begin);
    path.cubicTo(begin + bend, end - bend, end);
    painter.strokePath(path, QPen(theme.base(), 4));
    painter.strokePath(path,
                       QPen(mix(theme.request(requestStyle(move.request).colourIndex), theme.text(), 0.25), 2,
                            Qt::DashLine));
  }
  if (!m_onScreen || !m_clock.isRunning()) return;
  for (const Flight& flight : m_flights) {
    const double share = static_cast<double>(m_clock.nowMs() - flight.startMs) / kTravelMs;
    if (share < 0 || share > 1) continue;
    const auto [from, to] = endsOf(flight.move, rows);
    cells.paint(between(from, to, share), ShelfBlock{0, flight.move.sequence, flight.move.request, 0,
                                                     m_blocks->blockSize(), flight.move.letter});
  }
}

}  // namespace vitrine

#include "moc_block_map_view.cpp"

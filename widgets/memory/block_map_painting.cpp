// How BlockMapView paints: cells at rest from its canvas, above them what is lit, glows or travels.
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/memory/block_legend.h"
#include "widgets/memory/block_map_view.h"
#include "widgets/memory/block_painter.h"
#include "widgets/memory/swap_shelf_rows.h"
#include "widgets/painting/lit.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

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
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.text(), 2, Qt::DotLine));
  painter.drawRect(QRectF(cellRect(currentRow())).adjusted(-2, -2, 2, 2));
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
  const int left = rows.left();
  BlockLegend(font(), viewport()->width() - 2 * left)
      .paint(painter, cells, theme, {left, top + SwapShelfRows::height(*m_blocks, fontMetrics())});
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

#include "widgets/memory/swap_shelf_rows.h"

#include <QPainter>
#include <algorithm>

#include "widgets/memory/block_painter.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kShelfGap = 3, kShelfBetween = 8;

QString countText(const SwapShelf& shelf) {
  return Wording::tr("%1 of %2")
      .arg(formatCount(static_cast<std::int64_t>(shelf.blocks.size())), formatCount(shelf.capacity));
}

}  // namespace

int SwapShelfRows::height(const BlockMapModel& blocks, const QFontMetrics& metrics) {
  const auto tiers =
      std::ranges::count_if(blocks.shelves(), [](const auto& one) { return one.capacity > 0; });
  return static_cast<int>(tiers) * rowHeight(metrics);
}

SwapShelfRows::SwapShelfRows(const BlockMapModel& blocks, const QFontMetrics& metrics, QPoint topLeft,
                             int width)
    : m_moved(blocks.swapSummary()),
      m_metrics(metrics),
      m_topLeft(topLeft),
      m_width(width),
      m_cell(metrics.height() + 2) {
  int names = 0, counts = 0;
  for (const SwapShelf& shelf : blocks.shelves()) {
    names = std::max(names, metrics.horizontalAdvance(swapTierName(shelf.tier)));
    // Wide enough for a full tier, so that the row does not move as it fills.
    counts = std::max(
        counts, metrics.horizontalAdvance(
                    Wording::tr("%1 of %2").arg(formatCount(shelf.capacity), formatCount(shelf.capacity))));
  }
  int top = topLeft.y();
  for (const SwapShelf& shelf : blocks.shelves()) {
    if (shelf.capacity == 0) continue;
    Row row{&shelf, top, topLeft.x() + names + kShelfBetween, 0, swapTierName(shelf.tier), countText(shelf)};
    const int room = width - names - counts - 2 * kShelfBetween;
    row.cells = std::clamp((room + kShelfGap) / (m_cell + kShelfGap), 1, shelf.capacity);
    m_rows.push_back(std::move(row));
    top += rowHeight(metrics);
  }
}

// The first of the shortest rows.
const SwapShelfRows::Row* SwapShelfRows::roomiest() const {
  const auto shortest = std::ranges::min_element(m_rows, {}, &Row::cells);
  return shortest == m_rows.end() ? nullptr : &*shortest;
}

int SwapShelfRows::placeOf(const Row& row, int slot) const {
  if (row.cells >= row.shelf->capacity) return std::min(slot, row.cells - 1);
  const auto found = std::ranges::lower_bound(row.shelf->blocks, slot, {}, &ShelfBlock::slot);
  return std::min(static_cast<int>(found - row.shelf->blocks.begin()), row.cells - 1);
}

const ShelfBlock* SwapShelfRows::blockIn(const Row& row, int place) const {
  const std::vector<ShelfBlock>& blocks = row.shelf->blocks;
  if (row.cells < row.shelf->capacity)
    return static_cast<std::size_t>(place) < blocks.size() ? &blocks[static_cast<std::size_t>(place)]
                                                           : nullptr;
  const auto found = std::ranges::lower_bound(blocks, place, {}, &ShelfBlock::slot);
  return found != blocks.end() && found->slot == place ? &*found : nullptr;
}

QRect SwapShelfRows::cellRect(const Row& row, int place) const {
  return {row.left + place * (m_cell + kShelfGap), row.top + 2, m_cell, m_cell};
}

QRect SwapShelfRows::slotRect(SwapTier tier, int slot) const {
  for (const Row& row : m_rows)
    if (row.shelf->tier == tier) return cellRect(row, placeOf(row, slot));
  return {};
}

const ShelfBlock* SwapShelfRows::blockAt(const QPoint& content, SwapTier* tier) const {
  for (const Row& row : m_rows)
    for (int place = 0; place < row.cells; ++place)
      if (cellRect(row, place).contains(content)) {
        *tier = row.shelf->tier;
        return blockIn(row, place);
      }
  return nullptr;
}

void SwapShelfRows::paint(QPainter& painter, const BlockPainter& cells, const Theme& theme) const {
  for (const Row& row : m_rows) {
    const double baseline = row.top + 2 + (m_cell - m_metrics.height()) / 2.0 + m_metrics.ascent();
    paintText(painter, QPointF(m_topLeft.x(), baseline), row.name, theme.dimText());
    const int textLeft = cellRect(row, row.cells).left() - kShelfGap + kShelfBetween;
    QString text = row.count;
    if (&row == roomiest() && !m_moved.isEmpty()) text += QStringLiteral(" · ") + m_moved;
    paintText(painter, QPointF(textLeft, baseline),
              wholeParts(painter.font(), text, m_topLeft.x() + m_width - textLeft));
    for (int place = 0; place < row.cells; ++place) {
      const QRectF cell = QRectF(cellRect(row, place)).adjusted(0.5, 0.5, -0.5, -0.5);
      if (const ShelfBlock* block = blockIn(row, place))
        cells.paint(cell, *block);
      else
        cells.paintEmptySlot(cell);
    }
  }
}

}  // namespace vitrine

#include "widgets/memory/block_grid.h"

#include <algorithm>
#include <utility>

namespace vitrine {
namespace {

constexpr double kWidest = 2.2;  // of a cell's height
constexpr int kManyBlocks = 2000;
constexpr int kLargeCell = 40;

}  // namespace

int BlockGrid::columnsOf(int blocks, int width, int cellHeight) {
  const int gap = gapOf(cellHeight);
  return std::clamp((width + gap) / (cellHeight + gap), 1, std::max(1, blocks));
}

int BlockGrid::cellThatFits(int blocks, QSize area, int largestCell) {
  for (int cell = largestCell; cell > kTiniestCell; --cell)
    if (heightOf(blocks, area.width(), cell) <= area.height()) return cell;
  return kTiniestCell;
}

int BlockGrid::heightOf(int blocks, int width, int cellHeight) {
  const int columns = columnsOf(blocks, width, cellHeight);
  return (blocks + columns - 1) / columns * (cellHeight + gapOf(cellHeight));
}

int BlockGrid::comfortableCell(int blocks, int width, int largestCell) {
  for (const auto& [rows, least] : {std::pair{1, kLargeCell}, std::pair{2, kReadableCell}})
    for (int cell = largestCell; cell >= least; --cell)
      if (blocks <= rows * columnsOf(blocks, width, cell)) return cell;
  return kReadableCell;
}

BlockGrid::BlockGrid(int blocks, const Frame& frame) : m_blocks(blocks), m_topLeft(frame.topLeft) {
  int height = frame.zoomedCell;
  if (height == 0) {
    height = cellThatFits(blocks, frame.area, frame.largestCell);
    if (height < kSmallestCell && blocks >= kWholeBelow)
      height = blocks > kManyBlocks ? kSmallestCell : kReadableCell;
  }
  m_columns = columnsOf(blocks, frame.area.width(), height);
  const int gap = gapOf(height), share = (frame.area.width() + gap) / m_columns - gap;
  m_cell = {std::clamp(share, std::min(height, std::max(1, frame.area.width())),
                       static_cast<int>(height * kWidest)),
            height};
}

QRect BlockGrid::cellRect(int block) const {
  return {m_topLeft.x() + block % m_columns * pitch().width(),
          m_topLeft.y() + block / m_columns * pitch().height(), m_cell.width(), m_cell.height()};
}

int BlockGrid::blockAt(const QPoint& content) const {
  const QPoint from = content - m_topLeft;
  if (from.x() < 0 || from.y() < 0) return -1;
  const int column = from.x() / pitch().width();
  const int block = from.y() / pitch().height() * m_columns + column;
  return column < m_columns && block < m_blocks ? block : -1;
}

std::pair<int, int> BlockGrid::blocksIn(const QRect& area) const {
  const int height = pitch().height(), top = area.top() - m_topLeft.y(), end = area.bottom() - m_topLeft.y();
  if (area.isEmpty() || end < 0) return {0, 0};
  const int first = std::min(m_blocks, std::max(0, top) / height * m_columns);
  return {first, std::min(m_blocks, (end / height + 1) * m_columns)};
}

}  // namespace vitrine

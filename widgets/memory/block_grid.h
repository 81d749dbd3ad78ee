// BlockGrid: where the cells of the KV pool lie, in content coordinates: rows of equal cells that fill the
// width. Few blocks get large and wide cells. A pool below kWholeBelow is always in sight, in cells as small
// as that takes; a larger one has readable cells, and the view scrolls. Thread: any; a value.
#pragma once

#include <QRect>
#include <QSize>

namespace vitrine {

class BlockGrid {
 public:
  static constexpr int kTiniestCell = 2, kPlainCell = 12, kSmallestCell = 16, kReadableCell = 26,
                       kHugestCell = 160;
  static constexpr int kWholeBelow = 256;  // blocks

  struct Frame {
    QSize area;          // without the margins
    QPoint topLeft;      // of the first cell
    int largestCell;     // height of a cell that is not enlarged by the user
    int zoomedCell = 0;  // height that the user has chosen; 0: none
  };

  BlockGrid() = default;
  BlockGrid(int blocks, const Frame& frame);
  // The largest cell height with which the whole pool is visible, at least kTiniestCell.
  static int cellThatFits(int blocks, QSize area, int largestCell);
  // The height that all rows need with cells of this height.
  static int heightOf(int blocks, int width, int cellHeight);
  // The height of a cell that is easy to read and does not take more room than it teaches: one row of
  // large cells, two of smaller ones, or rows of kReadableCell.
  static int comfortableCell(int blocks, int width, int largestCell);

  int blocks() const { return m_blocks; }
  int columns() const { return m_columns; }
  int rows() const { return m_blocks == 0 ? 0 : (m_blocks + m_columns - 1) / m_columns; }
  QSize cell() const { return m_cell; }
  int bottom() const { return m_topLeft.y() + rows() * pitch().height(); }
  QRect cellRect(int block) const;
  int blockAt(const QPoint& content) const;               // -1 outside; a gap belongs to the cell before it
  std::pair<int, int> blocksIn(const QRect& area) const;  // [first, last) of whole rows that touch the area

  bool operator==(const BlockGrid&) const = default;

 private:
  static int gapOf(int cellHeight) { return cellHeight >= kPlainCell ? 3 : cellHeight > 3 ? 1 : 0; }
  static int columnsOf(int blocks, int width, int cellHeight);
  QSize pitch() const {
    return {m_cell.width() + gapOf(m_cell.height()), m_cell.height() + gapOf(m_cell.height())};
  }

  int m_blocks = 0, m_columns = 1;
  QPoint m_topLeft;
  QSize m_cell{kReadableCell, kReadableCell};
};

}  // namespace vitrine

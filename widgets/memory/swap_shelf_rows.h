// SwapShelfRows: the host and disk tiers as two rows of small cells under the KV pool, one cell a slot. A
// tier with more slots than there is room for shows the ones in use, packed. Thread: the window's; a value.
#pragma once

#include <QFontMetrics>
#include <QRect>

#include "widgets/memory/block_map_model.h"

class QPainter;

namespace vitrine {

class BlockPainter;

class SwapShelfRows {
 public:
  // `topLeft` and `width` in content coordinates. Reads the model's shelves each time: it must outlive this.
  SwapShelfRows(const BlockMapModel& blocks, const QFontMetrics& metrics, QPoint topLeft, int width);

  // 0 without any tier; the same at every step of a run.
  static int height(const BlockMapModel& blocks, const QFontMetrics& metrics);

  int left() const { return m_topLeft.x(); }
  QRect slotRect(SwapTier tier,
                 int slot) const;  // the row's last cell for a slot without one; empty: no tier
  const ShelfBlock* blockAt(const QPoint& content, SwapTier* tier) const;  // null where none lies
  void paint(QPainter& painter, const BlockPainter& cells, const Theme& theme) const;

 private:
  struct Row {
    const SwapShelf* shelf = nullptr;
    int top = 0, left = 0, cells = 0;
    QString name, count;
  };
  static int rowHeight(const QFontMetrics& metrics) { return metrics.height() + 6; }
  const Row* roomiest() const;                  // behind which most words have room; null: there is no tier
  int placeOf(const Row& row, int slot) const;  // the cell of a slot, from 0
  const ShelfBlock* blockIn(const Row& row, int place) const;
  QRect cellRect(const Row& row, int place) const;

  std::vector<Row> m_rows;
  QString m_moved;  // what the step moved, behind the roomiest row
  QFontMetrics m_metrics;
  QPoint m_topLeft;
  int m_width, m_cell;
};

}  // namespace vitrine

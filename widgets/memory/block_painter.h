// BlockPainter: one cell of the block map: what a KV block holds, and the marks on it. It paints inside of
// the cell and at most one pixel around it. Thread: the window's. Read next: block_canvas.h.
#pragma once

#include <QFont>

#include "widgets/memory/block_rows.h"
#include "widgets/memory/swap_shelves.h"
#include "widgets/support/theme.h"

class QPainter;
class QRectF;

namespace vitrine {

class BlockPainter {
 public:
  // blockSize: tokens in a full block, >= 1.
  BlockPainter(QPainter& painter, const Theme& theme, const QFont& font, int blockSize);

  void paint(const QRectF& cell, const BlockRow& row) const;
  void paint(const QRectF& cell, const ShelfBlock& block) const;
  void paintEmptySlot(const QRectF& cell) const;
  // The fading light around a block that has changed: 1 as it happens, 0 when faded.
  void paintGlow(const QRectF& cell, BlockChange change, double glow) const;
  // Parts of a cell alone, as the legend shows them.
  void paintOutline(const QRectF& cell, bool cached) const;
  void paintBars(const QRectF& cell) const;
  void paintCorner(const QRectF& cell, BlockChange change) const;
  void paintText(const QRectF& cell, const QString& text) const;
  void paintTurn(const QRectF& cell, int turn) const;  // from 0

 private:
  void paintPlain(const QRectF& cell, const BlockRow& row) const;
  void paintStripes(const QRectF& cell, const std::vector<RequestId>& requests, double share) const;
  void paintCount(const QRectF& cell, int references) const;
  QString textOf(const QRectF& cell, const BlockRow& row) const;
  QColor tint(RequestId request) const;
  bool fits(const QString& text, const QRectF& cell) const;

  QPainter& m_painter;
  const Theme& m_theme;
  const QFont m_font, m_bold;
  const int m_blockSize;
};

}  // namespace vitrine

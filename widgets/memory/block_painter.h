// BlockPainter: one cell of the block map: what a KV block holds, and the marks on it. It paints inside of
// the cell and at most one pixel around it. Thread: the window's. Read next: block_canvas.h.
#pragma once

#include <QFont>
#include <QRectF>

#include "widgets/memory/block_rows.h"
#include "widgets/memory/swap_shelves.h"
#include "widgets/support/theme.h"

class QPainter;

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
  // Whether a cell of this size has room for marks, and for numbers; a cell without marks has colour alone.
  static bool showsMarks(QSize cell);
  static bool showsNumbers(QSize cell, const QFont& font);

 private:
  void paintPlain(const QRectF& cell, const BlockRow& row) const;
  void paintStripes(const QRectF& cell, const std::vector<RequestId>& requests, double share) const;
  struct Badge {
    QString text;
    QRectF place;
  };
  Badge badgeOf(const QRectF& cell, int references) const;
  void paintBadge(const QRectF& cell, const Badge& badge) const;
  void paintOwners(const QRectF& cell, const BlockRow& row, const QRectF& badge) const;
  QColor tint(RequestId request) const;
  static bool fits(const QFont& font, const QString& text, const QSizeF& cell);

  QPainter& m_painter;
  const Theme& m_theme;
  const QFont m_font, m_bold;
  const int m_blockSize;
};

}  // namespace vitrine

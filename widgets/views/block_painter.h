// BlockPainter: one cell of the block map: what a KV block holds, and the marks on it. Thread: the window's.
// Read next: block_map_view.h.
#pragma once

#include <QFont>

#include "widgets/models/block_map_model.h"
#include "widgets/support/theme.h"

class QPainter;
class QRectF;

namespace vitrine {

class BlockPainter {
 public:
  // The marks that depend on the view rather than on the block.
  struct Marks {
    SequenceId selected = 0;
    double glow = 0;  // of the block's change: 1 as it happens, 0 when faded
    bool focused = false;
  };

  // blockSize: tokens in a full block, >= 1.
  BlockPainter(QPainter& painter, const Theme& theme, const QFont& font, int blockSize)
      : m_painter(painter), m_theme(theme), m_font(font), m_blockSize(blockSize) {}

  void paint(const QRectF& cell, const BlockRow& row, const Marks& marks) const;
  // The marks alone, as the legend shows them.
  void paintMarks(const QRectF& cell, const BlockRow& row, const Marks& marks) const;

 private:
  void paintContents(const QRectF& cell, const BlockRow& row) const;
  void paintLetter(const QRectF& cell, const QString& letter) const;
  void paintChange(const QRectF& cell, const QColor& colour, double glow) const;

  QPainter& m_painter;
  const Theme& m_theme;
  const QFont m_font;
  const int m_blockSize;
};

}  // namespace vitrine

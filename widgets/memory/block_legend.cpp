#include "widgets/memory/block_legend.h"

#include <QFontMetrics>
#include <QPainter>
#include <array>
#include <cmath>
#include <functional>

#include "widgets/memory/block_painter.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kToWords = 6, kToNext = 16;

struct Entry {
  QString words;
  void (*paint)(const BlockPainter& cells, const QRectF& cell);
};

std::array<Entry, 5> entries() {
  return {{{Wording::tr("in the prefix cache"),
            [](const BlockPainter& cells, const QRectF& cell) { cells.paintOutline(cell, true); }},
           {Wording::tr("free, still cached"),
            [](const BlockPainter& cells, const QRectF& cell) {
              cells.paintBars(cell);
              cells.paintOutline(cell, true);
            }},
           {Wording::tr("shared"),
            [](const BlockPainter& cells, const QRectF& cell) {
              cells.paintOutline(cell, false);
              cells.paintText(cell, QStringLiteral("×2"));
            }},
           {Wording::tr("changed now"),
            [](const BlockPainter& cells, const QRectF& cell) {
              cells.paintOutline(cell, false);
              cells.paintCorner(cell, BlockChange::kAllocated);
            }},
           {Wording::tr("turn in the free queue"), [](const BlockPainter& cells, const QRectF& cell) {
              cells.paintOutline(cell, false);
              cells.paintTurn(cell, 0);
            }}}};
}

// Calls place(entry, top left of its sample) for each, and returns the height of all.
int layOut(const QFont& font, int width, const std::function<void(const Entry&, QPoint)>& place) {
  const QFontMetrics metrics(font);
  int x = 0, y = 0;
  for (const Entry& entry : entries()) {
    const int wide = metrics.height() + kToWords + static_cast<int>(std::ceil(textWidth(font, entry.words)));
    if (x > 0 && x + wide > width) {
      x = 0;
      y += metrics.height() + 2;
    }
    place(entry, {x, y});
    x += wide + kToNext;
  }
  return y + metrics.height() + 2;
}

}  // namespace

int BlockLegend::height() const {
  return layOut(m_font, m_width, [](const Entry&, QPoint) {});
}

void BlockLegend::paint(QPainter& painter, const BlockPainter& cells, const Theme& theme,
                        QPoint topLeft) const {
  const QFontMetrics metrics(m_font);
  layOut(m_font, m_width, [&](const Entry& entry, QPoint at) {
    const QPoint from = topLeft + at;
    const int size = metrics.height() - 2;
    entry.paint(cells, QRectF(from.x() + 0.5, from.y() + 1.5, size - 1, size - 1));
    paintText(painter, QPointF(from.x() + metrics.height() + kToWords, from.y() + metrics.ascent()),
              entry.words, theme.dimText());
  });
}

}  // namespace vitrine

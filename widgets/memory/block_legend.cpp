#include "widgets/memory/block_legend.h"

#include <QPainter>
#include <cmath>

#include "widgets/memory/block_painter.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kToWords = 6, kToNext = 16;

}  // namespace

// What a reader asks about first comes first.
std::vector<BlockLegend::Entry> BlockLegend::entriesFor(const BlockMarks& marks) {
  std::vector<Entry> entries;
  if (marks.untouched)
    entries.push_back(
        {Wording::tr("blocks fill here"), Wording::tr("blocks fill here"),
         [](const BlockPainter& cells, const QRectF& cell) { cells.paintOutline(cell, false); }});
  if (marks.shared)
    entries.push_back(
        {Wording::tr("shared"), Wording::tr("shared"), [](const BlockPainter& cells, const QRectF& cell) {
           cells.paintOutline(cell, false);
           cells.paintText(cell, QStringLiteral("×2"));
         }});
  if (marks.cached)
    entries.push_back(
        {Wording::tr("in the prefix cache"), Wording::tr("cached"),
         [](const BlockPainter& cells, const QRectF& cell) { cells.paintOutline(cell, true); }});
  if (marks.cachedFree)
    entries.push_back({marks.told ? Wording::tr("in the prefix cache") : Wording::tr("free, still cached"),
                       marks.told ? Wording::tr("cached") : Wording::tr("free, cached"),
                       [](const BlockPainter& cells, const QRectF& cell) {
                         cells.paintBars(cell);
                         cells.paintOutline(cell, true);
                       }});
  if (marks.changed)
    entries.push_back({Wording::tr("changed in this step"), Wording::tr("changed"),
                       [](const BlockPainter& cells, const QRectF& cell) {
                         cells.paintOutline(cell, false);
                         cells.paintCorner(cell, BlockChange::kAllocated);
                       }});
  if (marks.turns)
    entries.push_back({Wording::tr("turn in the free queue"), Wording::tr("free queue"),
                       [](const BlockPainter& cells, const QRectF& cell) {
                         cells.paintOutline(cell, false);
                         cells.paintTurn(cell, 0);
                       }});
  return entries;
}

BlockLegend::BlockLegend(const QFont& font, int width, const BlockMarks& marks)
    : m_font(font), m_entries(entriesFor(marks)) {
  if (this->width() > width)
    for (Entry& entry : m_entries) entry.words = entry.brief;
  while (!m_entries.empty() && this->width() > width) m_entries.pop_back();
}

int BlockLegend::widthOf(const Entry& entry) const {
  return QFontMetrics(m_font).height() + kToWords +
         static_cast<int>(std::ceil(textWidth(m_font, entry.words)));
}

int BlockLegend::width() const {
  int width = 0;
  for (const Entry& entry : m_entries) width += widthOf(entry) + (width > 0 ? kToNext : 0);
  return width;
}

QStringList BlockLegend::words() const {
  QStringList words;
  for (const Entry& entry : m_entries) words << entry.words;
  return words;
}

void BlockLegend::paint(QPainter& painter, const BlockPainter& cells, const Theme& theme,
                        QPoint topLeft) const {
  const QFontMetrics metrics(m_font);
  const int size = metrics.height() - 2;
  QPoint from = topLeft;
  for (const Entry& entry : m_entries) {
    entry.sample(cells, QRectF(from.x() + 0.5, from.y() + 1.5, size - 1, size - 1));
    paintText(painter, QPointF(from.x() + metrics.height() + kToWords, from.y() + metrics.ascent()),
              entry.words, theme.dimText());
    from.rx() += widthOf(entry) + kToNext;
  }
}

}  // namespace vitrine

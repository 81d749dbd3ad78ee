// BlockLegend: samples of the marks that the block map shows now, each painted by the code that paints the
// cells, so that the legend always matches. One line, never cut: where the words do not fit, their short
// forms stand, then the last entries are left out. Thread: the window's.
#pragma once

#include <QFontMetrics>
#include <QRectF>
#include <QStringList>
#include <vector>

class QPainter;
class QPoint;

namespace vitrine {

class BlockPainter;
class Theme;

// Which marks are in the picture.
struct BlockMarks {
  bool untouched = false;  // no block is in use or cached yet
  bool shared = false, cached = false, cachedFree = false, changed = false, turns = false;
  bool told = false;  // an engine that is seen from outside, which does not tell what is held

  bool operator==(const BlockMarks&) const = default;
};

class BlockLegend {
 public:
  BlockLegend(const QFont& font, int width, const BlockMarks& marks);

  static int height(const QFontMetrics& metrics) { return metrics.height() + 2; }
  QStringList words() const;  // as they are painted
  int width() const;          // of all that is painted, in pixels
  void paint(QPainter& painter, const BlockPainter& cells, const Theme& theme, QPoint topLeft) const;

 private:
  struct Entry {
    QString words, brief;
    void (*sample)(const BlockPainter& cells, const QRectF& cell);
  };
  static std::vector<Entry> entriesFor(const BlockMarks& marks);
  int widthOf(const Entry& entry) const;

  QFont m_font;
  std::vector<Entry> m_entries;
};

}  // namespace vitrine

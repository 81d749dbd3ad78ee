// BlockLegend: samples of the block map's marks, each painted by the code that paints the cells, so that the
// legend always matches. Its words take as many lines as the letters' size needs. Thread: the window's.
#pragma once

#include <QFont>

class QPainter;
class QPoint;

namespace vitrine {

class BlockPainter;
class Theme;

class BlockLegend {
 public:
  BlockLegend(const QFont& font, int width) : m_font(font), m_width(width) {}

  int height() const;
  void paint(QPainter& painter, const BlockPainter& cells, const Theme& theme, QPoint topLeft) const;

 private:
  QFont m_font;
  int m_width;
};

}  // namespace vitrine

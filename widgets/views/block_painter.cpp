#include "widgets/views/block_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/support/request_style.h"

namespace vitrine {

void BlockPainter::paint(const QRectF& cell, const BlockRow& row, const Marks& marks) const {
  if (row.refCount > 0) {
    paintContents(cell, row);
  } else {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(row.cached ? mix(m_theme.base(), m_theme.text(), 0.16) : m_theme.panel());
    m_painter.drawRoundedRect(cell, 3, 3);
  }
  paintMarks(cell, row, marks);
}

void BlockPainter::paintContents(const QRectF& cell, const BlockRow& row) const {
  const RequestStyle style = requestStyle(row.request);
  const QColor colour = m_theme.request(style.colourIndex);
  const double share = std::clamp(row.filled / static_cast<double>(m_blockSize), 0.0, 1.0);
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(mix(m_theme.base(), colour, m_theme.isDark() ? 0.28 : 0.22));
  m_painter.drawRoundedRect(cell, 3, 3);
  const QRectF full(cell.left(), cell.bottom() - cell.height() * share, cell.width(), cell.height() * share);
  fillHatched(m_painter, full, colour, style.hatch);
  paintLetter(cell, row.letters.section(u' ', 0, 0));
}

// The letter crosses the edge of the fill, so it has its own ground.
void BlockPainter::paintLetter(const QRectF& cell, const QString& letter) const {
  QFont bold = m_font;
  bold.setBold(true);
  const QFontMetricsF metrics(bold);
  if (metrics.height() > cell.height() || metrics.horizontalAdvance(letter) > cell.width() - 2) return;
  QPainterPath path;
  path.addText(QPointF(cell.center().x() - metrics.horizontalAdvance(letter) / 2,
                       cell.center().y() + metrics.capHeight() / 2),
               bold, letter);
  QColor halo = m_theme.base();
  halo.setAlphaF(0.9f);
  m_painter.strokePath(path, QPen(halo, 3.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  m_painter.fillPath(path, m_theme.text());
}

void BlockPainter::paintMarks(const QRectF& cell, const BlockRow& row, const Marks& marks) const {
  m_painter.setBrush(Qt::NoBrush);
  const QColor edge = row.cached ? m_theme.text() : m_theme.line();
  m_painter.setPen(QPen(edge, row.cached ? 1.6 : 1.0));
  m_painter.drawRoundedRect(cell, 3, 3);
  if (row.refCount > 1) {  // a second sheet behind the first: several sequences hold it
    m_painter.setPen(QPen(m_theme.text(), 1.4));
    m_painter.drawRoundedRect(cell.adjusted(3, 3, -3, -3), 2, 2);
  }
  if (std::find(row.owners.begin(), row.owners.end(), marks.selected) != row.owners.end()) {
    m_painter.setPen(QPen(m_theme.accent(), 2.6));
    m_painter.drawRoundedRect(cell.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
  }
  if (row.change != BlockChange::kNone) paintChange(cell, m_theme.change(row.change), marks.glow);
  if (marks.focused) {
    m_painter.setPen(QPen(m_theme.text(), 2, Qt::DotLine));
    m_painter.drawRect(cell.adjusted(-2, -2, 2, 2));
  }
}

void BlockPainter::paintChange(const QRectF& cell, const QColor& colour, double glow) const {
  const double side = std::max(6.0, cell.width() * 0.26);
  QPainterPath corner;
  corner.moveTo(cell.topRight());
  corner.lineTo(cell.right() - side, cell.top());
  corner.lineTo(cell.right(), cell.top() + side);
  corner.closeSubpath();
  m_painter.fillPath(corner, colour);
  m_painter.strokePath(corner, QPen(m_theme.base(), 1));
  if (glow <= 0) return;
  QColor halo = colour;
  halo.setAlphaF(static_cast<float>(0.55 * glow));
  m_painter.fillRect(cell, halo);
  m_painter.setPen(QPen(halo, 1 + 3 * glow));
  m_painter.drawRoundedRect(cell.adjusted(-2, -2, 2, 2), 5, 5);
}

}  // namespace vitrine

#include "widgets/memory/block_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/memory/block_grid.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kNarrowestStripe = 4, kGlowShades = 16;

}  // namespace

BlockPainter::BlockPainter(QPainter& painter, const Theme& theme, const QFont& font, int blockSize)
    : m_painter(painter),
      m_theme(theme),
      m_font(font),
      m_bold(boldened(font)),
      m_blockSize(std::max(1, blockSize)) {}

void BlockPainter::paint(const QRectF& cell, const BlockRow& row) const {
  if (!showsMarks(cell.size().toSize())) return paintPlain(cell, row);
  if (row.refCount > 0) {
    paintStripes(cell, row.requests, row.filled / static_cast<double>(m_blockSize));
  } else {
    drawBox(m_painter, cell, 3, Qt::NoPen, m_theme.panel());
    if (row.cached) paintBars(cell);
  }
  paintOutline(cell, row.cached);
  if (row.change != BlockChange::kNone) paintCorner(cell, row.change);
  const Badge badge = badgeOf(cell, row.refCount);
  if (row.refCount > 0) paintOwners(cell, row, badge.place);
  if (row.turn >= 0) paintTurn(cell, row.turn);
  if (!badge.text.isEmpty()) paintBadge(cell, badge);
}

bool BlockPainter::showsMarks(QSize cell) { return cell.height() >= BlockGrid::kPlainCell - 1; }

bool BlockPainter::showsNumbers(QSize cell, const QFont& font) {
  return showsMarks(cell) && fits(boldened(font), QStringLiteral("1"), QSizeF(cell));
}

// A cell without room for marks: the colour of its first owner, as much of it as is filled.
void BlockPainter::paintPlain(const QRectF& cell, const BlockRow& row) const {
  const bool held = row.refCount > 0 && !row.requests.empty();
  m_painter.fillRect(cell, held         ? tint(row.requests.front())
                           : row.cached ? mix(m_theme.base(), m_theme.text(), 0.3)
                                        : m_theme.panel());
  if (!held) return;
  const double height = cell.height() * std::clamp(row.filled / double(m_blockSize), 0.0, 1.0);
  m_painter.fillRect(QRectF(cell.left(), cell.bottom() - height, cell.width(), height),
                     m_theme.request(requestStyle(row.requests.front()).colourIndex));
}

QColor BlockPainter::tint(RequestId request) const {
  return mix(m_theme.base(), m_theme.request(requestStyle(request).colourIndex),
             m_theme.isDark() ? 0.28 : 0.22);
}

// One stripe for each owner, side by side; as many as stay wide enough to be seen.
void BlockPainter::paintStripes(const QRectF& cell, const std::vector<RequestId>& requests,
                                double share) const {
  const auto most = static_cast<std::size_t>(std::max(1.0, cell.width() / kNarrowestStripe));
  const std::size_t count = std::clamp<std::size_t>(requests.size(), 1, most);
  const double width = cell.width() / static_cast<double>(count);
  const double filled = cell.height() * std::clamp(share, 0.0, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    const RequestId request = i < requests.size() ? requests[i] : 0;
    const RequestStyle style = requestStyle(request);
    const QRectF stripe(cell.left() + static_cast<double>(i) * width, cell.top(), width, cell.height());
    m_painter.fillRect(stripe, tint(request));
    fillHatched(m_painter, stripe.adjusted(0, cell.height() - filled, 0, 0),
                m_theme.request(style.colourIndex), style.hatch);
    if (i > 0) {  // siblings have one colour
      m_painter.setPen(QPen(m_theme.base(), 1));
      m_painter.drawLine(stripe.topLeft(), stripe.bottomLeft());
    }
  }
}

void BlockPainter::paint(const QRectF& cell, const ShelfBlock& block) const {
  paintStripes(cell, {block.request}, block.filled / static_cast<double>(m_blockSize));
  paintOutline(cell, false);
  if (fits(m_bold, block.letter, cell.size())) paintText(cell, block.letter);
}

void BlockPainter::paintEmptySlot(const QRectF& cell) const {
  drawBox(m_painter, cell, 3, QPen(m_theme.line(), 1), m_theme.panel());
}

void BlockPainter::paintBars(const QRectF& cell) const {
  m_painter.setPen(QPen(mix(m_theme.base(), m_theme.text(), 0.42), 1));
  for (double y = cell.top() + 3; y < cell.bottom() - 1; y += 4)
    m_painter.drawLine(QPointF(cell.left() + 2, y), QPointF(cell.right() - 2, y));
}

void BlockPainter::paintOutline(const QRectF& cell, bool cached) const {
  drawBox(m_painter, cell, 3, QPen(cached ? m_theme.text() : m_theme.line(), cached ? 1.6 : 1.0));
}

void BlockPainter::paintCorner(const QRectF& cell, BlockChange change) const {
  const double side = std::clamp(cell.height() * 0.26, 6.0, 12.0);
  QPainterPath corner;
  corner.moveTo(cell.topLeft());
  corner.lineTo(cell.left() + side, cell.top());
  corner.lineTo(cell.left(), cell.top() + side);
  corner.closeSubpath();
  m_painter.fillPath(corner, m_theme.change(change));
  m_painter.strokePath(corner, QPen(m_theme.base(), 1));
}

// In so few shades that their boxes are stamped.
void BlockPainter::paintGlow(const QRectF& cell, BlockChange change, double glow) const {
  const double light = std::ceil(std::clamp(glow, 0.0, 1.0) * kGlowShades) / kGlowShades;
  QColor halo = m_theme.change(change);
  halo.setAlphaF(static_cast<float>(0.55 * light));
  m_painter.fillRect(cell, halo);
  drawBox(m_painter, cell.adjusted(-2, -2, 2, 2), 5, QPen(halo, 1 + 3 * light));
}

bool BlockPainter::fits(const QFont& font, const QString& text, const QSizeF& cell) {
  return QFontMetricsF(font).capHeight() + 4 <= cell.height() && textWidth(font, text) + 4 <= cell.width();
}

// The most that there is room for: the owners and the tokens; the owners; the first owner. In the middle, or
// where the badge leaves room for it: below it, or at the lower left.
void BlockPainter::paintOwners(const QRectF& cell, const BlockRow& row, const QRectF& badge) const {
  const double high = QFontMetricsF(m_bold).capHeight();
  const double below = cell.bottom() - high / 2 - 2;
  for (const QString& text :
       {row.letters + u' ' + QString::number(row.filled), row.letters, row.letters.section(u' ', 0, 0)}) {
    if (!fits(m_bold, text, cell.size())) continue;
    const double wide = textWidth(m_bold, text);
    for (const QPointF& middle :
         {cell.center(), QPointF(cell.center().x(), below), QPointF(cell.left() + wide / 2 + 2, below)}) {
      QRectF place(0, 0, wide, high);
      place.moveCenter(middle);
      if (place.intersects(badge.adjusted(1, 1, -1, -1))) continue;
      return paintText(place, text);
    }
  }
}

// Quieter than the letters: what is in use comes first.
void BlockPainter::paintTurn(const QRectF& cell, int turn) const {
  const QString text = QString::number(turn + 1);
  if (!fits(m_bold, text, cell.size())) return;
  const QRectF ground = QRectF(QPointF(), QFontMetricsF(m_font).boundingRect(text).size() + QSizeF(4, -2));
  m_painter.fillRect(ground.translated(cell.center() - ground.center()), m_theme.panel());
  m_painter.setFont(m_font);
  m_painter.setPen(m_theme.dimText());
  vitrine::paintText(m_painter, cell, Qt::AlignCenter, text);
}

// It crosses the edge of the fill, so it has its own ground.
void BlockPainter::paintText(const QRectF& cell, const QString& text) const {
  if (text.isEmpty()) return;
  m_painter.setFont(m_bold);
  const QPointF middle = cell.center();
  paintHaloedText(
      m_painter,
      {middle.x() - textWidth(m_bold, text) / 2, middle.y() + QFontMetricsF(m_bold).capHeight() / 2}, text,
      m_theme.text(), m_theme.base());
  m_painter.setFont(m_font);
}

// "×3" in the upper corner, "3" in a small cell.
BlockPainter::Badge BlockPainter::badgeOf(const QRectF& cell, int references) const {
  if (references < 2) return {};
  const double height = QFontMetricsF(m_font).capHeight() + 3;
  const QString number = QString::number(references);
  for (const QString& text : {QString(u'×' + number), number}) {
    const double width = textWidth(m_font, text) + 4;
    if (height <= cell.height() && width <= 0.85 * cell.width())
      return {text, QRectF(cell.right() - width, cell.top(), width, height)};
  }
  return {};
}

// A ground of its own would hide the stripes of a small cell.
void BlockPainter::paintBadge(const QRectF& cell, const Badge& badge) const {
  if (badge.place.width() > 0.6 * cell.width() && badge.place.height() > 0.4 * cell.height())
    return paintText(badge.place, badge.text);
  drawBox(m_painter, badge.place, 3, Qt::NoPen, m_theme.base());
  m_painter.setPen(m_theme.text());
  m_painter.setFont(m_font);
  vitrine::paintText(m_painter, QPointF(badge.place.left() + 2, badge.place.bottom() - 2), badge.text);
}

}  // namespace vitrine

#include "widgets/layers/attention_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/support/shaped_text.h"

namespace vitrine {

AttentionView::AttentionView(AttentionModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kGrid}, parent), m_attention(model) {
  setAccessibleName(tr("Where tokens look: attention"));
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int most) {
    if (currentRow() == m_attention->rowCount() - 1)
      verticalScrollBar()->setValue(most);  // the newest in sight
  });
}

// As large as the viewport allows; a long context scrolls, a pixel for each token.
int AttentionView::cellSize() const {
  const int tokens = std::max(1, m_attention->tokens());
  return std::clamp((viewport()->width() - 12 * fontMetrics().averageCharWidth()) / tokens, 1, kMostCell);
}

// A line for the current row in words, and the upright texts of the columns.
int AttentionView::headHeight() const {
  const int words = fontMetrics().height() + 8;
  return hasLabels() ? words + static_cast<int>(m_labels) + 8 : words;
}

QRect AttentionView::cellArea(int row, int column) const {
  return {gutter() + column * cellSize(), headHeight() + row * cellSize(), cellSize(), cellSize()};
}

QSize AttentionView::contentSize() const {
  if (m_attention->rowCount() == 0) return {};
  return {gutter() + m_attention->tokens() * cellSize() + kSide,
          headHeight() + m_attention->rowCount() * cellSize() + kSide};
}

ViewItem AttentionView::itemAt(const QPoint& content) const {
  const QPoint inSight = content - toContent({0, 0});
  if (m_attention->rowCount() == 0 || inSight.y() < headHeight()) return {};
  const int row = (content.y() - headHeight()) / cellSize(),
            column = inSight.x() < gutter() ? -1 : (content.x() - gutter()) / cellSize();
  return row < m_attention->rowCount() && column < m_attention->tokens() ? ViewItem{row, column} : ViewItem();
}

// The newest token's row is in sight.
void AttentionView::contentChanged() {
  m_picture = QImage();
  m_labels = 0;
  const double most = 8.0 * fontMetrics().averageCharWidth();
  for (int column = 0; hasLabels() && m_labels < most && column < m_attention->tokens(); ++column)
    m_labels = std::min(most, std::max(m_labels, textWidth(font(), m_attention->tokenText(column)) + 2));
  const bool isNew = std::exchange(m_shown, m_attention->reported()) != m_attention->reported();
  if (!isNew && currentRow() < m_attention->rowCount() && currentColumn() < m_attention->tokens()) return;
  placeCursor({m_attention->rowCount() - 1, -1});
  layoutContent();
  verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

QRect AttentionView::itemRect(const ViewItem& item) const {
  return cellArea(item.row, std::max(0, item.column)).adjusted(-gutter(), -headHeight(), 1, 1);
}

QString AttentionView::describeItem(const ViewItem& item) const {
  return m_attention->describe(item.row, item.column);
}

prose::Target AttentionView::targetOf(const ViewItem& item) const {
  const int looks = m_attention->positionOf(item.row);
  if (item.column > looks) return {};
  return {.sequence = m_attention->reported().sequence, .position = item.column < 0 ? looks : item.column};
}

// The square root, since most shares are small beside the one of the first token.
void AttentionView::makePicture(const Theme& theme) const {
  const int rows = m_attention->rowCount(), tokens = m_attention->tokens();
  std::array<QRgb, 256> shades;
  for (std::size_t i = 0; i < shades.size(); ++i)
    shades[i] = mix(theme.base(), theme.accentText(), 0.03 + 0.97 * static_cast<double>(i) / 255).rgb();
  m_picture = QImage(tokens, rows, QImage::Format_RGB32);
  m_picture.fill(theme.base());
  for (int row = 0; row < rows; ++row) {
    auto* const line = reinterpret_cast<QRgb*>(m_picture.scanLine(row));
    for (int column = 0; column <= m_attention->positionOf(row); ++column) {
      const float share = std::clamp(m_attention->share(row, column), 0.0f, 1.0f);
      line[column] = shades[static_cast<std::size_t>(255 * std::sqrt(share))];
    }
  }
  m_pictureGround = theme.base();
  m_pictureInk = theme.accentText();
}

void AttentionView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  if (m_attention->rowCount() == 0) return;
  if (m_picture.isNull() || m_pictureGround != theme.base() || m_pictureInk != theme.accentText())
    makePicture(theme);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  const QRectF map(cellArea(0, 0).topLeft(), QSizeF(m_picture.size() * cellSize()));
  painter.drawImage(map, m_picture);
  drawBox(painter, map.adjusted(-0.5, -0.5, 0.5, 0.5), 0, QPen(theme.line(), 1));
  paintCurrent(painter, theme);
  const QPoint corner = headingCorner(painter);
  painter.fillRect(QRectF(corner.x(), corner.y(), gutter() - 1, contentSize().height()), theme.base());
  if (hasLabels()) paintRowLabels(painter, exposed, theme);
  painter.fillRect(QRectF(corner.x(), corner.y(), contentSize().width(), headHeight() - 1), theme.base());
  if (hasLabels()) paintColumnLabels(painter, exposed, theme);
  paintWords(painter, theme);
}

void AttentionView::paintRowLabels(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const double left = headingCorner(painter).x() + kSide, room = gutter() - kSide - 6;
  for (int row = 0; row < m_attention->rowCount(); ++row) {
    const QRectF area(left, cellArea(row, 0).top(), room, cellSize());
    if (area.bottom() < exposed.top() || area.top() > exposed.bottom()) continue;
    paintText(painter, area, kAtRight,
              elidedText(font(), m_attention->tokenText(m_attention->positionOf(row)), room),
              row == currentRow() ? theme.text() : theme.dimText());
  }
}

void AttentionView::paintColumnLabels(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const QPoint corner = headingCorner(painter);
  const double height = m_labels;
  for (int column = 0; column < m_attention->tokens(); ++column) {
    const QRect below = cellArea(0, column);
    if (below.left() < corner.x() + gutter() || below.left() > exposed.right()) continue;
    painter.save();
    painter.translate(below.left(), corner.y() + headHeight() - 4);
    painter.rotate(-90);
    paintText(painter, QRectF(0, 0, height, cellSize()), kAtLeft,
              elidedText(font(), m_attention->tokenText(column), height),
              column == currentColumn() ? theme.text() : theme.dimText());
    painter.restore();
  }
}

void AttentionView::paintWords(QPainter& painter, const Theme& theme) const {
  if (currentRow() < 0) return;
  const QPoint corner = headingCorner(painter);
  const double room = viewport()->width() - 2 * kSide;
  paintText(painter, QRectF(corner.x() + kSide, corner.y() + 2, room, fontMetrics().height() + 4), kAtLeft,
            elidedText(font(), m_attention->describe(currentRow(), currentColumn()), room), theme.text());
}

void AttentionView::paintCurrent(QPainter& painter, const Theme& theme) const {
  if (currentRow() < 0) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.accent(), 2));
  const QRect first = cellArea(currentRow(), 0);
  painter.drawRect(
      QRectF(first.left(), first.top(), cellSize() * (m_attention->positionOf(currentRow()) + 1), cellSize())
          .adjusted(-1, -1, 1, 1));
  if (currentColumn() >= 0)
    painter.drawRect(QRectF(cellArea(currentRow(), currentColumn())).adjusted(1, 1, -1, -1));
}

}  // namespace vitrine

#include "moc_attention_view.cpp"

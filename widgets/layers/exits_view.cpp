#include "widgets/layers/exits_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/painting/lit.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {

ExitsView::ExitsView(ExitsModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kGrid, .ends = true, .always = true}, parent),
      m_exits(model) {
  setAccessibleName(tr("Prediction of each layer"));
  connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int most) {
    if (currentColumn() == m_exits->tokens() - 1)
      horizontalScrollBar()->setValue(most);  // the newest in sight
  });
}

bool ExitsView::isRoomy() const {
  const int two = 2 * fontMetrics().height() + 2 + kGap;
  return headHeight() + m_exits->rowCount() * two <= viewport()->height();
}
int ExitsView::gutter() const {
  constexpr int kNormLetters = 8;
  const int norm = isRoomy() ? 0 : kNormLetters * fontMetrics().averageCharWidth();
  return kSide + static_cast<int>(std::ceil(textWidth(font(), tr("0 embeddings")))) + norm + 8;
}

QRect ExitsView::cellArea(int row, int column) const {
  return {gutter() + column * (cellWidth() + kGap), headHeight() + row * (cellHeight() + kGap), cellWidth(),
          cellHeight()};
}

QSize ExitsView::contentSize() const {
  if (m_exits->rowCount() == 0) return {};
  const QRect last = cellArea(m_exits->rowCount() - 1, m_exits->tokens() - 1);
  return {last.right() + kSide, last.bottom() + kSide};
}

ViewItem ExitsView::itemAt(const QPoint& content) const {
  const QPoint inSight = content - toContent({0, 0});
  if (m_exits->rowCount() == 0 || inSight.x() < gutter() || inSight.y() < headHeight()) return {};
  const int row = (content.y() - headHeight()) / (cellHeight() + kGap),
            column = (content.x() - gutter()) / (cellWidth() + kGap);
  return row < m_exits->rowCount() && column < m_exits->tokens() ? ViewItem{row, column} : ViewItem();
}

// The newest token is in sight, until the user has gone to another one of the same forward.
void ExitsView::contentChanged() {
  const bool isNew = std::exchange(m_shown, m_exits->reported()) != m_exits->reported();
  if (!isNew && currentColumn() < m_exits->tokens()) return CursorView::contentChanged();
  placeCursor({currentRow(), m_exits->tokens() - 1});
  layoutContent();
  horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
}

QRect ExitsView::itemRect(const ViewItem& item) const {
  return cellArea(item.row, item.column).adjusted(-gutter(), -headHeight(), kGap, kGap);
}

QString ExitsView::describeItem(const ViewItem& item) const {
  return m_exits->describe(item.row, item.column);
}

prose::Target ExitsView::targetOf(const ViewItem& item) const {
  return {.sequence = m_exits->reported().sequence, .position = m_exits->positionOf(item.column)};
}

void ExitsView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  if (m_exits->rowCount() == 0) return;
  const int step = cellWidth() + kGap;
  const int first = std::max(0, (exposed.left() - gutter()) / step),
            last = std::min(m_exits->tokens() - 1, (exposed.right() - gutter()) / step);
  for (int row = 0; row < m_exits->rowCount(); ++row) {
    const QRect line = cellArea(row, 0);
    if (line.bottom() < exposed.top() || line.top() > exposed.bottom()) continue;
    for (int column = first; column <= last; ++column) paintCell(painter, row, column, theme);
  }
  paintHeads(painter, first, last, theme);
  paintNames(painter, theme);
}

void ExitsView::paintHeads(QPainter& painter, int first, int last, const Theme& theme) const {
  const double top = headingCorner(painter).y();
  painter.fillRect(QRectF(0, top, contentSize().width(), headHeight() - kGap), theme.base());
  for (int column = first; column <= last; ++column) {
    const QRectF area(cellArea(0, column).left(), top, cellWidth(), headHeight());
    const QFont face = boldened(font(), column == currentColumn());
    painter.setFont(face);
    paintText(painter, area, Qt::AlignCenter,
              elidedText(face, m_exits->tokenText(m_exits->positionOf(column)), area.width()),
              column == currentColumn() ? theme.text() : theme.dimText());
  }
  painter.setFont(font());
}

void ExitsView::paintNames(QPainter& painter, const Theme& theme) const {
  const QPoint corner = headingCorner(painter);
  const double line = fontMetrics().height() + 2, width = gutter() - kSide - 8;
  painter.fillRect(QRectF(corner.x(), corner.y(), gutter() - kGap, contentSize().height()), theme.base());
  paintText(painter, QRectF(corner.x() + kSide, corner.y(), width, headHeight()), kAtLeft,
            m_exits->differences().empty() ? tr("layer · norm") : tr("layer · apart"), theme.dimText());
  for (int row = 0; row < m_exits->rowCount(); ++row) {
    const QRectF area(corner.x() + kSide, cellArea(row, 0).top(), width, line);
    if (area.top() < corner.y() + headHeight() - kGap) continue;
    paintText(painter, area, kAtLeft, m_exits->exitName(row),
              row == currentRow() ? theme.text() : theme.dimText());
    if (currentColumn() >= 0) paintNorm(painter, row, isRoomy() ? area.translated(0, line) : area, theme);
  }
}

// The bar is the norm's share of the largest one of the column, so that growth from layer to layer is seen.
void ExitsView::paintNorm(QPainter& painter, int row, const QRectF& area, const Theme& theme) const {
  const bool compared = !m_exits->differences().empty();
  const double norm = double{m_exits->cell(row, currentColumn()).norm},
               most = double{m_exits->largestNorm(currentColumn())};
  const QString words =
      compared
          ? QString::number(m_exits->differences()[static_cast<std::size_t>(m_exits->exitOf(row))], 'g', 2)
          : formatDecimal(norm, 1);
  paintText(painter, area, kAtRight, words, theme.dimText());
  if (compared || !isRoomy() || most <= 0 || !std::isfinite(norm / most)) return;
  const double room = area.width() - textWidth(font(), words) - 8;
  drawBox(painter, QRectF(area.left(), area.center().y() - 2, room * norm / most, 4), 2, Qt::NoPen,
          theme.line());
}

void ExitsView::paintCell(QPainter& painter, int row, int column, const Theme& theme) const {
  const QRectF area = cellArea(row, column);
  const ExitCell cell = m_exits->cell(row, column);
  const QColor ground = mix(theme.base(), theme.accent(), 0.04 + 0.72 * cell.probability);
  drawBox(painter, area, 4, Qt::NoPen, ground);
  if (cell.agrees && row != 0) {
    drawBox(painter, area.adjusted(1, 1, -1, -1), 4, QPen(theme.accentText(), 1));
  }
  const QColor ink = Theme::inkOn(ground);
  const double line = fontMetrics().height();
  painter.setPen(ink);
  const QFont face = boldened(font(), cell.agrees);
  painter.setFont(face);
  const QRectF text = area.adjusted(3, 1, -3, 0);
  paintText(painter, QRectF(text.left(), text.top(), text.width(), line), Qt::AlignCenter,
            elidedText(face, cell.text, text.width()));
  painter.setFont(font());
  if (isRoomy())
    paintText(painter, QRectF(text.left(), text.top() + line - 1, text.width(), line), Qt::AlignCenter,
              cell.percent());
  const prose::Target& target = spotlight().target();
  const bool lit = target.sequence == m_exits->reported().sequence && target.position >= 0 &&
                   target.position == m_exits->positionOf(column);
  if (lit && row == 0) paintLitFrame(painter, area.adjusted(1, 1, -1, -1), 4, theme);
  if (row == currentRow() && column == currentColumn()) {
    drawBox(painter, area.adjusted(0.5, 0.5, -0.5, -0.5), 4, QPen(theme.accent(), 2));
  }
}

}  // namespace vitrine

#include "moc_exits_view.cpp"

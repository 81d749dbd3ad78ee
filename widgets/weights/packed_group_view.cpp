#include "widgets/weights/packed_group_view.h"

#include <QPainter>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/weights/histogram_model.h"

namespace vitrine {

namespace {

constexpr int kGroupLeastLines = 7, kGroupUsualLines = 14, kGroupMostColumns = 16;
constexpr int kGroupDigits = 4;

}  // namespace

PackedGroupView::PackedGroupView(PackedGroupModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kAcross, .ends = true, .always = true}, parent),
      m_group(model) {
  setAccessibleName(tr("A group of weights"));
}

QSize PackedGroupView::sizeHint() const {
  return {50 * fontMetrics().averageCharWidth(), kGroupUsualLines * fontMetrics().height()};
}

QSize PackedGroupView::minimumSizeHint() const {
  return {24 * fontMetrics().averageCharWidth(), kGroupLeastLines * fontMetrics().height()};
}

QString PackedGroupView::summary() const {
  return currentRow() < m_group->rowCount() ? m_group->describe(currentRow()) : QString();
}

QString PackedGroupView::emptyText() const {
  return m_group->rowCount() > 0 ? QString() : tr("The weights of one output that share a scale.");
}

// With room for the longest of the weights' sentences, so that nothing moves from one weight to the next.
void PackedGroupView::measureHead() {
  const QRectF room(0, 0, viewport()->width() - 2 * (kSide + kPadding), 1e4);
  const auto heightOf = [&](const QFont& face, const QString& words) {
    return QFontMetricsF(face).boundingRect(room, Qt::TextWordWrap, words).height();
  };
  m_formulaHeight = heightOf(boldened(font()), m_group->formula()) + 2;
  m_sentenceHeight = fontMetrics().height();
  for (int weight = 0; weight < m_group->rowCount(); ++weight)
    m_sentenceHeight = std::max(m_sentenceHeight, heightOf(font(), m_group->describe(weight)));
}

// As many columns as fit, and a power of two of them, so that neighbours in memory stand below each other.
void PackedGroupView::arrange() {
  const double line = fontMetrics().height();
  double widest = textWidth(font(), formatCount(0));
  for (const PackedWeight& one : m_group->rows())
    widest = std::max({widest, textWidth(font(), weightText(double{one.weight}, kGroupDigits)),
                       textWidth(font(), formatCount(one.input))});
  m_cellHeight = 2 * line + 2 * kPadding;
  if (m_group->isPacked()) {
    widest = std::max(widest, m_group->bitWidth() * (squareSize() + kSquareGap));
    m_cellHeight += line + squareSize() + kPadding;
  }
  m_cellWidth = widest + 2 * kPadding + 4;
  m_columns = kGroupMostColumns;
  while (m_columns > 1 && m_columns * m_cellWidth + 2 * kSide > viewport()->width()) m_columns /= 2;
  measureHead();
}

QRectF PackedGroupView::cellArea(int weight) const {
  return {kSide + weight % m_columns * m_cellWidth, headHeight() + weight / m_columns * m_cellHeight,
          m_cellWidth, m_cellHeight};
}

QSize PackedGroupView::contentSize() const {
  const int lines = (m_group->rowCount() + m_columns - 1) / m_columns;
  const double wide = std::max<double>(viewport()->width(), m_columns * m_cellWidth + 2 * kSide);
  return {static_cast<int>(wide), static_cast<int>(headHeight() + lines * m_cellHeight + kPadding)};
}

// The two sentences stay above the weights while these scroll.
void PackedGroupView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  for (int weight = 0; weight < m_group->rowCount(); ++weight)
    if (cellArea(weight).intersects(exposed)) paintCell(painter, weight, theme);
  const QPointF corner = headingCorner(painter);
  const double width = viewport()->width();
  painter.fillRect(QRectF(corner.x(), corner.y(), width, headHeight()), theme.base());
  const QRectF first(corner.x() + kSide + kPadding, corner.y() + 2, width - 2 * (kSide + kPadding),
                     m_formulaHeight);
  painter.setFont(boldened(font()));
  painter.setPen(theme.text());
  painter.drawText(first, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_group->formula());
  painter.setFont(font());
  painter.setPen(theme.dimText());
  painter.drawText(QRectF(first.bottomLeft(), QSizeF(first.width(), m_sentenceHeight)),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, summary());
}

void PackedGroupView::paintCell(QPainter& painter, int weight, const Theme& theme) const {
  const PackedWeight& one = m_group->at(weight);
  const QRectF area = cellArea(weight).adjusted(2, 2, -2, -2);
  const bool present = weight == currentRow();
  drawBox(painter, area, 4, present ? QPen(theme.accent(), 2) : QPen(theme.line(), 1), theme.panel());
  const double height = fontMetrics().height();
  QRectF line(area.left(), area.top() + kPadding - 2, area.width(), height);
  paintText(painter, line, Qt::AlignCenter, formatCount(one.input), theme.dimText());
  line.translate(0, height);
  if (m_group->isPacked()) {
    paintBits(painter, weight, line, theme);
    line.translate(0, squareSize() + kPadding);
    paintText(painter, line, Qt::AlignCenter, weightText(one.value), theme.accentText());
    line.translate(0, height);
  }
  paintText(painter, line, Qt::AlignCenter, weightText(double{one.weight}, kGroupDigits), theme.text());
}

void PackedGroupView::paintBits(QPainter& painter, int weight, const QRectF& line, const Theme& theme) const {
  const double size = squareSize(), step = size + kSquareGap;
  const int width = m_group->bitWidth();
  QRectF square(line.center().x() - width * step / 2, line.top() + 2, size, size);
  for (int bit = width - 1; bit >= 0; --bit, square.translate(step, 0)) {
    const bool isSet = m_group->at(weight).bits >> bit & 1;
    drawBox(painter, square, 0, QPen(isSet ? theme.text() : theme.dimText(), 1),
            isSet ? QBrush(theme.text()) : QBrush(theme.base()));
  }
}

QString PackedGroupView::tipAt(const QPoint& content) const {
  if (content.y() - toContent({0, 0}).y() < headHeight())
    return QStringLiteral("%1\n%2").arg(m_group->formula(), summary());
  return CursorView::tipAt(content);
}

ViewItem PackedGroupView::itemAt(const QPoint& content) const {
  if (content.y() - toContent({0, 0}).y() < headHeight()) return {};
  for (int weight = 0; weight < m_group->rowCount(); ++weight)
    if (cellArea(weight).contains(content)) return {weight};
  return {};
}

// The sentences cover the top of the viewport.
QRect PackedGroupView::itemRect(const ViewItem& item) const {
  return cellArea(item.row).adjusted(0, -headHeight(), 0, 0).toAlignedRect();
}

}  // namespace vitrine

#include "moc_packed_group_view.cpp"

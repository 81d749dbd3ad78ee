#include "widgets/memory/prefix_tree_view.h"

#include <QFocusEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/painting/lit.h"
#include "widgets/painting/row_delegate.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kTreeSide = 10, kTreeTop = 6, kTreePad = 8, kTreeGap = 8;
constexpr double kTreeIndent = 22, kIndentShare = 0.35;  // at most this part of the width is indentation
constexpr int kMostChips = 6, kTreeMostLines = 64;
constexpr int kNarrow = 48;  // letters

}  // namespace

PrefixTreeView::PrefixTreeView(PrefixTreeModel* model, QWidget* parent)
    : CursorView(model, {.ends = true, .enter = true, .space = true, .leftOnly = true, .points = true},
                 parent),
      m_tree(model) {
  setAccessibleName(tr("Prefix tree"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QString PrefixTreeView::emptyText() const {
  if (m_tree->rowCount() > 0) return {};
  if (const QString unseen = m_tree->session()->unseenWords(); !unseen.isEmpty())
    return unseen + u' ' + tr("A vLLM that publishes KV events shows its prefix chains here.");
  return tr(
      "No block is cached yet. A block enters the prefix cache when all its slots are filled; two prompts "
      "that begin alike share a node.");
}

bool PrefixTreeView::isNarrow() const {
  return viewport()->width() < kNarrow * fontMetrics().averageCharWidth();
}

int PrefixTreeView::rowHeight() const {
  return isNarrow() ? 2 * fontMetrics().height() + 14
                    : static_cast<int>(chipSize(font(), QStringLiteral("A")).height()) + 10;
}

QSize PrefixTreeView::contentSize() const {
  return {viewport()->width(), 2 * kTreeTop + m_tree->rowCount() * rowHeight()};
}

// Deep trees are indented less, so that the words keep their room.
double PrefixTreeView::leftOf(int depth) const {
  const double room = viewport()->width() * kIndentShare;
  return kTreeSide + depth * std::min(kTreeIndent, room / std::max(1, m_tree->maxDepth()));
}

QRect PrefixTreeView::rowRect(int row) const {
  if (row < 0 || row >= m_tree->rowCount()) return {};
  const int left = static_cast<int>(leftOf(m_tree->at(row).depth));
  return {left, kTreeTop + row * rowHeight() + 2, viewport()->width() - kTreeSide - left, rowHeight() - 4};
}

ViewItem PrefixTreeView::itemAt(const QPoint& content) const {
  const int row = content.y() < kTreeTop ? -1 : (content.y() - kTreeTop) / rowHeight();
  return {row >= 0 && rowRect(row).contains(content) ? row : -1};
}

bool PrefixTreeView::isLit(int row) const {
  const prose::Target& target = spotlight().target();
  const PrefixRow& one = m_tree->at(row);
  if (!target.blocks.empty())
    return std::ranges::any_of(target.blocks, [&](BlockId block) { return m_tree->rowOf(block) == row; }) ||
           (one.evicted && target.blocks == one.blocks);
  if (target.step != 0 || target.position >= 0) return false;
  return std::ranges::any_of(
      one.holders, [&](const PrefixHolder& holder) { return spotlight().isOnRequest(holder.request); });
}

void PrefixTreeView::contentChanged() {
  if (currentRow() < 0) return setAccessibleDescription(m_tree->summary());
  const auto& rows = m_tree->rows();
  if (currentRow() < itemCount() && m_tree->at(currentRow()).hash == m_currentHash) return;
  const auto same = std::ranges::find(rows, m_currentHash, &PrefixRow::hash);
  placeCursor({same == rows.end() ? currentRow() : static_cast<int>(same - rows.begin())});
  if (currentRow() >= 0) currentChanged();
}

std::optional<ViewItem> PrefixTreeView::itemBeside(int key) const {
  const int row = currentRow();
  if (key != Qt::Key_Left && key != Qt::Key_Right) return CursorView::itemBeside(key);
  if (row < 0) return ViewItem{0};
  if (key == Qt::Key_Left) return ViewItem{m_tree->at(row).parent < 0 ? row : m_tree->at(row).parent};
  const bool hasChild = row + 1 < itemCount() && m_tree->at(row + 1).parent == row;
  return ViewItem{hasChild ? row + 1 : row};
}

void PrefixTreeView::focusOutEvent(QFocusEvent* event) {
  PaintedView::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) m_tree->session()->spotlight()->clear();
}

void PrefixTreeView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const int height = rowHeight(), last = m_tree->rowCount() - 1;
  const int from = std::clamp((exposed.top() - kTreeTop) / height - 1, 0, std::max(0, last));
  const int to = std::clamp((exposed.bottom() - kTreeTop) / height, -1, last);
  for (int row = from; row <= to; ++row) {
    paintLines(painter, row, theme);
    paintRow(painter, row, theme);
  }
}

// From the parent down and to the row, and the lines of its ancestors to their later children.
void PrefixTreeView::paintLines(QPainter& painter, int index, const Theme& theme) const {
  const PrefixRow& row = m_tree->at(index);
  if (row.depth == 0) return;
  const double top = kTreeTop + index * rowHeight(), bottom = top + rowHeight(), middle = (top + bottom) / 2;
  const auto line = [&](int depth) { return leftOf(depth) + 6; };
  painter.setPen(
      QPen(mix(theme.line(), theme.text(), 0.25), 1.4, row.evicted ? Qt::DashLine : Qt::SolidLine));
  const double x = line(row.depth - 1);
  painter.drawLine(QPointF(x, top - 2), QPointF(x, row.isLast ? middle : bottom));
  painter.drawLine(QPointF(x, middle), QPointF(leftOf(row.depth), middle));
  for (int depth = 0; depth < std::min(row.depth - 1, kTreeMostLines); ++depth)
    if ((row.through >> depth & 1) != 0)
      painter.drawLine(QPointF(line(depth), top - 2), QPointF(line(depth), bottom));
}

void PrefixTreeView::paintFrame(QPainter& painter, const QRectF& box, int index, const Theme& theme) const {
  const PrefixRow& row = m_tree->at(index);
  const QColor quiet = mix(theme.line(), theme.text(), 0.25);
  if (row.hitNow) {
    drawBox(painter, box.adjusted(-1.5, -1.5, 1.5, 1.5), 7,
            QPen(mix(theme.base(), theme.change(BlockChange::kHit), 0.45), 4));
  }
  const bool isHeld = !row.holders.empty();
  const QColor edge = row.hitNow   ? theme.change(BlockChange::kHit)
                      : row.newNow ? theme.change(BlockChange::kCached)
                                   : quiet;
  drawBox(painter, box, 6,
          QPen(edge, row.hitNow || row.newNow ? 1.8 : 1.2, row.evicted ? Qt::DashLine : Qt::SolidLine),
          row.evicted || !isHeld ? theme.base() : mix(theme.base(), theme.accent(), 0.09));
  if (isLit(index)) {
    paintLitGround(painter, box, 6, theme);
    paintLitFrame(painter, box, 6, theme);
  }
  if (index != currentRow() || !hasFocus()) return;
  drawBox(painter, box.adjusted(-1, -1, 1, 1), 0, QPen(theme.text(), 1.6, Qt::DotLine));
}

// What matters most comes first, since a narrow panel cuts the end.
QString PrefixTreeView::detailsOf(int index) const {
  QStringList details;
  if (const QString change = m_tree->changeText(index); !change.isEmpty()) details << change;
  if (m_tree->at(index).hits > 0) details << tr("%n hit(s)", nullptr, m_tree->at(index).hits);
  details << m_tree->sizeText(index);
  return details.join(QStringLiteral(" · "));
}

// The chips of the requests at the right end; returns the width that they take.
double PrefixTreeView::paintHolders(QPainter& painter, const QRectF& area, int index,
                                    const Theme& theme) const {
  const std::vector<PrefixHolder>& holders = m_tree->at(index).holders;
  const std::size_t shown = holders.size() > kMostChips ? kMostChips - 1 : holders.size();
  double right = area.right();
  if (shown < holders.size()) {
    const QString more = QStringLiteral("+%1").arg(holders.size() - shown);
    right -= textWidth(painter.font(), more);
    paintText(painter, QRectF(right, area.top(), area.right() - right + 2, area.height()), kAtLeft, more,
              theme.dimText());
    right -= 4;
  }
  for (std::size_t i = shown; i-- > 0;) {
    const QString letter = requestLetter(holders[i].request);
    const QSizeF size = chipSize(font(), letter);
    right -= size.width();
    paintChip(painter, QRectF(QPointF(right, area.center().y() - size.height() / 2), size),
              holders[i].request, letter, theme);
    right -= 4;
  }
  return area.right() - right;
}

void PrefixTreeView::paintRow(QPainter& painter, int index, const Theme& theme) const {
  const QRectF box = QRectF(rowRect(index)).adjusted(0.5, 0.5, -0.5, -0.5);
  paintFrame(painter, box, index, theme);
  QRectF inner = box.adjusted(kTreePad, 0, -kTreePad, 0);
  inner.setRight(inner.right() - paintHolders(painter, inner, index, theme) - kTreeGap);
  paintWords(painter, inner, index, theme);
}

// In one line the words have at least half of it.
void PrefixTreeView::paintWords(QPainter& painter, const QRectF& area, int index, const Theme& theme) const {
  const PrefixRow& row = m_tree->at(index);
  const bool narrow = isNarrow();
  const QString details = elidedText(painter.font(), detailsOf(index), area.width() * (narrow ? 1 : 0.5));
  const double width = textWidth(painter.font(), details), line = fontMetrics().height();
  const QRectF below(area.left(), area.bottom() - line - 2, area.width(), line);
  const QRectF beside(area.right() - width, area.top(), width + 2, area.height());
  paintText(painter, narrow ? below : beside, kAtLeft, details,
            row.evicted ? theme.warning() : theme.dimText());
  painter.setPen(row.evicted || row.holders.empty() ? theme.dimText() : theme.text());
  const QString before = row.before == PrefixBefore::kNothing ? QString() : QStringLiteral("… ");
  const double room = narrow ? area.width() : area.width() - width - kTreeGap;
  paintText(painter,
            narrow ? QRectF(area.left(), area.top() + 2, room, line)
                   : QRectF(area.left(), area.top(), room, area.height()),
            kAtLeft, elidedText(painter.font(), before + m_tree->textOf(index).trimmed(), room));
}

}  // namespace vitrine

#include "moc_prefix_tree_view.cpp"

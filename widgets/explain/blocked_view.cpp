#include "widgets/explain/blocked_view.h"

#include <QPainter>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kBlockedMargin = 12, kBlockedGap = 10;

}  // namespace

BlockedView::BlockedView(BlockedModel* model, QWidget* parent)
    : CursorView(model, {.ends = true, .leftOnly = true}, parent), m_blocked(model) {
  setAccessibleName(tr("Reasons why sequences waited"));
}

QString BlockedView::emptyText() const {
  return m_blocked->rowCount() > 0
             ? QString()
             : tr("No sequence has had to wait yet. A bar appears here for each reason to wait.");
}

QString BlockedView::summary() const {
  std::int64_t steps = 0;
  for (const BlockedRow& row : m_blocked->rows()) steps += row.steps;
  return steps == 0 ? QString() : tr("%n step(s) of waiting", nullptr, static_cast<int>(steps));
}

QRect BlockedView::rowRect(int row) const {
  return {0, kBlockedMargin / 2 + row * rowHeight(), viewport()->width(), rowHeight()};
}

ViewItem BlockedView::itemAt(const QPoint& content) const {
  const int row = content.y() < kBlockedMargin / 2 ? -1 : (content.y() - kBlockedMargin / 2) / rowHeight();
  return {row < m_blocked->rowCount() ? row : -1};
}

QSize BlockedView::contentSize() const {
  return {viewport()->width(), kBlockedMargin + m_blocked->rowCount() * rowHeight()};
}

double BlockedView::nameWidth() const {
  double widest = 0;
  for (const BlockedRow& row : m_blocked->rows())
    widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(BlockedModel::reasonName(row.reason)));
  return std::min(widest, viewport()->width() * 0.45);
}

void BlockedView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  const double names = nameWidth(), left = kBlockedMargin + names + kBlockedGap;
  const std::int64_t most = m_blocked->rowCount() > 0 ? m_blocked->at(0).steps : 1;
  for (int i = 0; i < m_blocked->rowCount(); ++i) {
    const BlockedRow& row = m_blocked->at(i);
    const QRectF area = rowRect(i);
    paintText(painter, QRectF(kBlockedMargin, area.top(), names, area.height()), kAtLeft,
              metrics.elidedText(BlockedModel::reasonName(row.reason), Qt::ElideRight, names), theme.text());
    const QString words = tr("%1 · %2").arg(formatCount(row.steps),
                                            m_blocked->index(i, BlockedModel::kShare).data().toString());
    const double room = area.width() - left - kBlockedMargin - metrics.horizontalAdvance(words) - kBlockedGap;
    const double length =
        std::max(3.0, std::max(0.0, room) * static_cast<double>(row.steps) / static_cast<double>(most));
    drawBox(painter, QRectF(left, area.top() + 4, length, area.height() - 8), 3, Qt::NoPen,
            mix(theme.base(), theme.warning(), row.now > 0 ? 0.85 : 0.5));
    paintText(painter, QPointF(left + length + kBlockedGap, area.center().y() + metrics.capHeight() / 2),
              words, theme.dimText());
    if (i != currentRow() || !hasFocus()) continue;
    drawBox(painter, area.adjusted(4, 1, -4, -1), 6, QPen(theme.accent(), 1.6));
  }
}

// The sequence that waited longest for it.
prose::Target BlockedView::targetOf(const ViewItem& item) const {
  const Session* const session = m_blocked->session();
  const SequenceId longest = m_blocked->at(item.row).longest;
  return {.request = session->names().requestOf(longest, session->state()), .sequence = longest};
}

}  // namespace vitrine

#include "moc_blocked_view.cpp"

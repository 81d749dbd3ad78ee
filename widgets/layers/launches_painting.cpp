// How LaunchesView paints itself: the bars and the limit, the boxes of the first layers, and the words.
#include <QPainter>
#include <algorithm>

#include "widgets/layers/launches_view.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

// Never colour alone: each kind has a hatch, too.
constexpr Hatch kHatchOf[kSpanKinds] = {Hatch::kNone, Hatch::kRising, Hatch::kFalling, Hatch::kUpright};

}  // namespace

QColor LaunchesView::colourOf(SpanKind kind, const Theme& theme) {
  switch (kind) {
    case SpanKind::kAttentionProducts:
      return mix(theme.request(0), theme.base(), 0.3);
    case SpanKind::kFeedForward:
      return mix(theme.request(2), theme.base(), 0.45);
    case SpanKind::kAttention:
      return mix(theme.request(1), theme.base(), 0.3);
    case SpanKind::kSmallWork:
      return mix(theme.base(), theme.text(), 0.3);
  }
  return theme.line();
}

void LaunchesView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  if (m_launches->rowCount() == 0) return;
  paintBars(painter, theme);
  if (!m_boxes.isNull()) paintBoxes(painter, theme);
  for (const KindSwatch& one : m_swatches)
    fillHatched(painter, one.area, colourOf(one.kind, theme), kHatchOf[static_cast<int>(one.kind)]);
  paintLabels(painter, theme);
}

void LaunchesView::paintBars(QPainter& painter, const Theme& theme) const {
  painter.setPen(QPen(theme.dimText(), 1));
  painter.drawLine(QPointF(m_bars.left() - 1, m_bars.top() - 2),
                   QPointF(m_bars.left() - 1, m_bars.bottom() - 2));
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    const bool isTaken = m_launches->at(row).isTaken;
    const QRectF bar = barArea(row).adjusted(0, 2, 0, -2);
    painter.setPen(row == currentRow() && currentColumn() < 0 && hasFocus() ? QPen(theme.text(), 2)
                                                                            : QPen(Qt::NoPen));
    painter.setBrush(isTaken ? theme.accent() : mix(theme.base(), theme.text(), 0.35));
    painter.drawRoundedRect(bar, 3, 3);
    if (!isTaken) continue;
    painter.setPen(theme.text());
    paintText(painter, QRectF(kSide - 6, bar.top(), 14, bar.height()),
              Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, QStringLiteral("▸"));
  }
  if (limitLine() <= 0) return;
  painter.setPen(QPen(theme.warning(), 1.6, Qt::DashLine));
  painter.drawLine(QPointF(limitLine(), m_bars.top() - 2), QPointF(limitLine(), m_bars.bottom() - 1));
}

void LaunchesView::paintBoxes(QPainter& painter, const Theme& theme) const {
  painter.setPen(QPen(theme.dimText(), 1));
  painter.drawLine(QPointF(m_boxes.left() - 1, m_boxes.top() - 2),
                   QPointF(m_boxes.left() - 1, m_boxes.bottom() - 2));
  for (int row = 0; row < m_launches->rowCount(); ++row) {
    for (int span = 0; span < static_cast<int>(m_launches->at(row).times.spans.size()); ++span) {
      const SpanKind kind =
          LaunchesModel::kindOf(m_launches->at(row).times.spans[static_cast<std::size_t>(span)].operation);
      // Spans that touch keep an edge, as long as there is something between two edges.
      const QRectF whole = boxArea(row, span), box = whole.width() > 4 ? whole.adjusted(0, 0, -1, 0) : whole;
      const QColor colour = colourOf(kind, theme);
      fillHatched(painter, box, colour, kHatchOf[static_cast<int>(kind)]);
      const QString name = m_launches->spanName(row, span);
      const double width = textWidth(font(), name);
      if (width + 6 <= box.width()) {
        painter.fillRect(QRectF(box.center().x() - width / 2 - 2, box.top() + 2, width + 4, box.height() - 4),
                         colour);
        painter.setPen(Theme::inkOn(colour));
        paintText(painter, box, Qt::AlignCenter, name);
      }
      if (row != currentRow() || span != currentColumn() || !hasFocus()) continue;
      painter.setPen(QPen(theme.text(), 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(box);
    }
    paintLayers(painter, row, theme);
  }
}

// A line below the boxes of each layer.
void LaunchesView::paintLayers(QPainter& painter, int row, const Theme& theme) const {
  const auto& spans = m_launches->at(row).times.spans;
  painter.setPen(QPen(theme.dimText(), 2));
  for (std::size_t first = 0; first < spans.size();) {
    std::size_t last = first;
    while (last + 1 < spans.size() && spans[last + 1].layer == spans[first].layer) ++last;
    const QRectF begin = boxArea(row, static_cast<int>(first)), end = boxArea(row, static_cast<int>(last));
    painter.drawLine(QPointF(begin.left() + 1, begin.bottom() + 3),
                     QPointF(end.right() - 2, end.bottom() + 3));
    first = last + 1;
  }
}

void LaunchesView::paintLabels(QPainter& painter, const Theme& theme) const {
  for (const LaunchLabel& label : m_labels) {
    painter.setFont(label.ink == Ink::kTitle ? titleFont() : font());
    painter.setPen(label.ink == Ink::kLimit ? theme.warning()
                   : label.ink == Ink::kDim ? theme.dimText()
                                            : theme.text());
    // The dashed line passes behind words that have no other place.
    if (label.ink == Ink::kDim) painter.fillRect(label.area, theme.base());
    const bool wraps = label.area.height() > 1.5 * lineHeight();
    paintText(painter, label.area,
              wraps ? Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap : Qt::AlignLeft | Qt::AlignVCenter,
              label.text);
  }
  painter.setFont(font());
}

}  // namespace vitrine

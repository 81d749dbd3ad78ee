// How the sampler's view is painted; sampler_view.cpp has its geometry, mouse and keys.
#include <QPainter>
#include <algorithm>

#include "widgets/sampler/draw_bar_painter.h"
#include "widgets/sampler/sampler_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {

void SamplerView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  paintDraws(painter, theme);
  paintHead(painter, theme);
  for (int row = 0; row < m_candidates->rowCount(); ++row)
    if (rowArea(row).intersects(exposed)) paintRow(painter, row, theme);
  paintFold(painter, theme);
}

void SamplerView::paintDraws(QPainter& painter, const Theme& theme) const {
  const DrawBar* const bars[] = {m_candidates->drawn(), m_candidates->previewed()};
  DrawBarColumns columns;
  for (int i = 0; i < 2; ++i) {
    if (bars[i] == nullptr) continue;
    columns.label = std::max(columns.label, textWidth(font(), drawBarLabel(*bars[i], i == 1)));
    columns.token = std::max(columns.token, textWidth(font(), bars[i]->chosenText) + 2);
  }
  const int width = viewport()->width() - 2 * kSide;
  columns.token = std::min(columns.token, width * 0.3);
  QRectF row(kSide, kTop, width, rowHeight());
  for (int i = 0; i < 2; ++i) {
    if (bars[i] == nullptr) continue;
    paintDrawBar(painter, row, *bars[i], i == 1, theme, columns);
    row.translate(0, rowHeight());
  }
}

void SamplerView::paintHead(QPainter& painter, const Theme& theme) const {
  const double line = fontMetrics().height(), top = drawsHeight() + 2;
  QFont bold = font();
  bold.setBold(true);
  const auto head = [&](double left, double width, const QString& title, const QString& below) {
    painter.setFont(bold);
    painter.setPen(theme.text());
    paintText(painter, QRectF(left, top, width, line), Qt::AlignLeft | Qt::AlignVCenter,
              elidedText(bold, title, width));
    painter.setFont(font());
    painter.setPen(theme.dimText());
    if (!isLow())
      paintText(painter, QRectF(left, top + line, width, line), Qt::AlignLeft | Qt::AlignVCenter, below);
  };
  head(kSide, tokenWidth() - kSide - 4, positionText(),
       m_candidates->previewed() ? tr("preview") : QString());
  double left = tokenWidth();
  for (const int stage : shownStages()) {
    head(left, stageWidth() - 4, m_candidates->stageTitle(stage),
         tr("%1 left").arg(formatCount(m_candidates->keptAt(stage))));
    left += stageWidth();
  }
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(kSide, rowsTop() - 4, contentSize().width() - kSide, rowsTop() - 4);
}

void SamplerView::paintRow(QPainter& painter, int row, const Theme& theme) const {
  const SamplerRow& candidate = m_candidates->at(row);
  const QRectF area = rowArea(row);
  if (candidate.chosen) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme.base(), theme.accent(), 0.2));
    painter.drawRoundedRect(area.adjusted(4, 1, -4, -1), 5, 5);
  }
  if (row == currentRow() && hasFocus()) {
    painter.setPen(QPen(theme.accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area.adjusted(5, 2, -5, -2), 5, 5);
  }
  QFont face = font();
  face.setBold(candidate.chosen || candidate.previewed);
  face.setStrikeOut(candidate.removedAt >= 0);
  painter.setFont(face);
  painter.setPen(candidate.removedAt >= 0 ? theme.dimText() : theme.text());
  const double markWidth = fontMetrics().height();
  const QRectF text(kSide + markWidth, area.top(), tokenWidth() - kSide - markWidth - 4, area.height());
  paintText(painter, text, Qt::AlignLeft | Qt::AlignVCenter, elidedText(face, candidate.text, text.width()));
  painter.setFont(font());
  paintMark(painter, area, candidate, theme);
  double left = tokenWidth();
  for (const int stage : shownStages()) {
    paintBar(painter, QRectF(left, area.top(), stageWidth(), area.height()), candidate, stage, theme);
    left += stageWidth();
  }
}

// A filled arrow head: the engine's choice; a hollow one: the preview's. So both are visible without colour.
void SamplerView::paintMark(QPainter& painter, const QRectF& area, const SamplerRow& row,
                            const Theme& theme) const {
  if (!row.chosen && !row.previewed) return;
  painter.setPen(QPen(theme.text(), 1.5));
  painter.setBrush(row.chosen ? QBrush(theme.text()) : QBrush(Qt::NoBrush));
  const QPointF tip(kSide + fontMetrics().height() - 6, area.center().y());
  painter.drawPolygon(QPolygonF({tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)}));
}

void SamplerView::paintBar(QPainter& painter, const QRectF& cell, const SamplerRow& row, int stage,
                           const Theme& theme) const {
  const double probability = row.probabilities[static_cast<std::size_t>(stage)];
  const QRectF inner = cell.adjusted(0, isLow() ? 1 : 3, -4, isLow() ? -1 : -3);
  if (probability < 0) {
    if (row.removedAt != stage) return;
    painter.setPen(theme.warning());
    paintText(painter, inner, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tr("removed"));
    return;
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.panel());
  painter.drawRoundedRect(inner, 3, 3);
  const bool preview = m_candidates->previewed() != nullptr;
  const bool chosen = preview ? row.previewed : row.chosen;
  const QColor colour = mix(theme.base(), theme.accent(), chosen ? 0.75 : 0.42);
  const QRectF filled(inner.left(), inner.top(), std::max(2.0, inner.width() * std::min(1.0, probability)),
                      inner.height());
  if (preview) {
    fillHatched(painter, filled, colour, Hatch::kRising);
  } else {
    painter.setBrush(colour);
    painter.drawRoundedRect(filled, 3, 3);
  }
  painter.setPen(theme.text());
  paintText(painter, inner.adjusted(2, 0, -3, 0), Qt::AlignRight | Qt::AlignVCenter,
            formatPercent(probability));
}

void SamplerView::paintFold(QPainter& painter, const Theme& theme) const {
  const QStringList idle = idleStages();
  if (idle.isEmpty()) return;
  const QRectF area = QRectF(foldArea()).adjusted(kSide, 0, -kSide, 0);
  const QPointF centre(area.left() + 5, area.center().y());
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.dimText());
  painter.drawPolygon(
      m_unfolded ? QPolygonF({centre + QPointF(-5, -3), centre + QPointF(5, -3), centre + QPointF(0, 4)})
                 : QPolygonF({centre + QPointF(-3, -5), centre + QPointF(-3, 5), centre + QPointF(4, 0)}));
  painter.setPen(theme.dimText());
  const QRectF text = area.adjusted(fontMetrics().height(), 0, 0, 0);
  const QString names = tr("changed nothing: %1").arg(idle.join(QStringLiteral(", ")));
  paintText(painter, text, Qt::AlignLeft | Qt::AlignVCenter, elidedText(font(), names, text.width()));
}

}  // namespace vitrine

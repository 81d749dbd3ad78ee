#include "widgets/views/sampler_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {
namespace {
constexpr int kSide = 10;
}  // namespace

SamplerView::SamplerView(SamplerModel* model, QWidget* parent)
    : PaintedView(model, parent), m_candidates(model) {
  setAccessibleName(tr("Sampler, stage by stage"));
}

QString SamplerView::emptyText() const {
  if (m_candidates->rowCount() > 0) return {};
  if (m_candidates->isOfBeam())
    return tr("A beam search samples no tokens: it keeps the best continuations of all beams.");
  return tr(
      "The candidates of the latest token appear here, and what each stage of the sampler did to them.");
}

int SamplerView::rowHeight() const { return fontMetrics().height() + 8; }
int SamplerView::headHeight() const { return 2 * fontMetrics().height() + 16; }

int SamplerView::tokenWidth() const {
  int widest = fontMetrics().horizontalAdvance(tr("Token"));
  for (int row = 0; row < m_candidates->rowCount(); ++row) {
    widest = std::max(widest, fontMetrics().horizontalAdvance(m_candidates->at(row).text));
  }
  return std::min(widest, fontMetrics().averageCharWidth() * 18) + 2 * kSide + fontMetrics().height();
}

int SamplerView::stageWidth() const {
  const int stages = std::max(1, m_candidates->stages());
  const int least = fontMetrics().horizontalAdvance(QStringLiteral("Temperature")) + 14;
  return std::max(least, (viewport()->width() - tokenWidth() - kSide) / stages);
}

QSize SamplerView::contentSize() const {
  return {tokenWidth() + m_candidates->stages() * stageWidth() + kSide,
          headHeight() + m_candidates->rowCount() * rowHeight() + kSide};
}

void SamplerView::contentChanged() { m_current = std::min(m_current, m_candidates->rowCount() - 1); }

void SamplerView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  paintHead(painter, theme);
  for (int row = 0; row < m_candidates->rowCount(); ++row) {
    const int top = headHeight() + row * rowHeight();
    if (top <= exposed.bottom() && top + rowHeight() >= exposed.top()) paintRow(painter, row, theme);
  }
}

void SamplerView::paintHead(QPainter& painter, const Theme& theme) const {
  const double line = fontMetrics().height();
  QFont bold = font();
  bold.setBold(true);
  const QFontMetricsF metrics(bold);
  for (int stage = -1; stage < m_candidates->stages(); ++stage) {
    const double left = stage < 0 ? kSide : tokenWidth() + stage * stageWidth();
    const double width = (stage < 0 ? tokenWidth() - kSide : stageWidth()) - 6;
    painter.setFont(bold);
    painter.setPen(theme.text());
    const QString title =
        stage < 0 ? tr("Token %1").arg(m_candidates->position()) : m_candidates->stageTitle(stage);
    painter.drawText(QRectF(left, 6, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(title, Qt::ElideRight, width));
    painter.setFont(font());
    if (stage < 0) continue;
    painter.setPen(theme.dimText());
    const QString kept = tr("%1 left").arg(formatCount(m_candidates->keptAt(stage)));
    painter.drawText(QRectF(left, 6 + line, width, line), Qt::AlignLeft | Qt::AlignVCenter, kept);
  }
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(kSide, headHeight() - 4, contentSize().width() - kSide, headHeight() - 4);
}

void SamplerView::paintRow(QPainter& painter, int row, const Theme& theme) const {
  const SamplerRow& candidate = m_candidates->at(row);
  const QRectF area(0, headHeight() + row * rowHeight(), contentSize().width(), rowHeight());
  if (candidate.chosen) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme.base(), theme.accent(), 0.2));
    painter.drawRoundedRect(area.adjusted(4, 1, -4, -1), 5, 5);
  }
  if (row == m_current && hasFocus()) {
    painter.setPen(QPen(theme.accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(area.adjusted(5, 2, -5, -2), 5, 5);
  }
  QFont face = font();
  face.setBold(candidate.chosen);
  face.setStrikeOut(candidate.removedAt >= 0);
  painter.setFont(face);
  painter.setPen(candidate.removedAt >= 0 ? theme.dimText() : theme.text());
  const QFontMetricsF metrics(face);
  const double markWidth = fontMetrics().height();
  const QRectF text(kSide + markWidth, area.top(), tokenWidth() - 2 * kSide - markWidth + 4, area.height());
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(candidate.text, Qt::ElideRight, text.width()));
  painter.setFont(font());
  if (candidate.chosen) {  // a filled arrow head: the choice is visible without colour too
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text());
    const QPointF tip(kSide + markWidth - 6, area.center().y());
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(-8, -5), tip + QPointF(-8, 5)}));
  }
  for (int stage = 0; stage < m_candidates->stages(); ++stage) {
    paintBar(painter, QRectF(tokenWidth() + stage * stageWidth(), area.top(), stageWidth(), area.height()),
             candidate, stage, theme);
  }
}

void SamplerView::paintBar(QPainter& painter, const QRectF& cell, const SamplerRow& row, int stage,
                           const Theme& theme) const {
  const double probability = row.probabilities[static_cast<std::size_t>(stage)];
  const QRectF inner = cell.adjusted(0, 3, -8, -3);
  if (probability < 0) {
    if (row.removedAt != stage) return;
    painter.setPen(theme.warning());
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, tr("removed"));
    return;
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.panel());
  painter.drawRoundedRect(inner, 3, 3);
  painter.setBrush(mix(theme.base(), theme.accent(), row.chosen ? 0.75 : 0.42));
  painter.drawRoundedRect(QRectF(inner.left(), inner.top(),
                                 std::max(2.0, inner.width() * std::min(1.0, probability)), inner.height()),
                          3, 3);
  painter.setPen(theme.text());
  painter.drawText(inner.adjusted(5, 0, -5, 0), Qt::AlignRight | Qt::AlignVCenter,
                   formatPercent(probability));
}

QString SamplerView::tipAt(const QPoint& content) const {
  const int row = (content.y() - headHeight()) / rowHeight();
  if (content.y() < headHeight() || row >= m_candidates->rowCount()) return {};
  const SamplerRow& candidate = m_candidates->at(row);
  QStringList lines{tr("“%1”, token %2").arg(candidate.text, QString::number(candidate.token))};
  for (int stage = 0; stage < m_candidates->stages(); ++stage) {
    const double probability = candidate.probabilities[static_cast<std::size_t>(stage)];
    if (probability >= 0)
      lines << tr("%1: %2").arg(m_candidates->stageTitle(stage), formatPercent(probability));
    else if (candidate.removedAt == stage)
      lines << tr("%1: removed").arg(m_candidates->stageTitle(stage));
  }
  if (candidate.chosen) lines << tr("This token was sampled.");
  return lines.join(u'\n');
}

QString SamplerView::summary() const {
  const Session* session = m_candidates->session();
  if (m_candidates->position() < 0) return {};
  return tr("%1, token %2")
      .arg(session->names().letter(m_candidates->sequence(), session->state()))
      .arg(m_candidates->position());
}

void SamplerView::setCurrent(int row) {
  if (m_candidates->rowCount() == 0) return;
  m_current = std::clamp(row, 0, m_candidates->rowCount() - 1);
  const int top = headHeight() + m_current * rowHeight();
  announce(tipAt(QPoint(0, top + 1)));
  reveal(QRect(0, top, 1, rowHeight()));
  viewport()->update();
}

void SamplerView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Down)
    setCurrent(m_current + 1);
  else if (event->key() == Qt::Key_Up)
    setCurrent(m_current - 1);
  else
    PaintedView::keyPressEvent(event);
}

void SamplerView::mousePressEvent(QMouseEvent* event) {
  const int y = toContent(event->pos()).y();
  if (y >= headHeight()) setCurrent((y - headHeight()) / rowHeight());
}

}  // namespace vitrine

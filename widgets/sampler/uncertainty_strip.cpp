#include "widgets/sampler/uncertainty_strip.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kStripSide = 10, kLeastWidth = 4, kMostWidth = 18, kPlotHeight = 34;

}  // namespace

UncertaintyStrip::UncertaintyStrip(UncertaintyModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kAcross, .fromEnd = true, .enter = true}, parent),
      m_tokens(model) {
  setAccessibleName(tr("Entropy and surprise of the answer"));
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QString UncertaintyStrip::emptyText() const {
  return m_tokens->rowCount() > 0 ? QString() : tr("Entropy and surprise of each token appear here.");
}

QSize UncertaintyStrip::sizeHint() const { return {200, legendHeight() + kPlotHeight + 4}; }

int UncertaintyStrip::tokenWidth() const {
  const int room = viewport()->width() - 2 * kStripSide;
  return std::clamp(room / std::max(1, m_tokens->rowCount()), kLeastWidth, kMostWidth);
}

QSize UncertaintyStrip::contentSize() const {
  return {2 * kStripSide + m_tokens->rowCount() * tokenWidth(), sizeHint().height()};
}

QRect UncertaintyStrip::tokenArea(int row) const {
  return {kStripSide + row * tokenWidth(), legendHeight(), tokenWidth(), kPlotHeight};
}

ViewItem UncertaintyStrip::itemAt(const QPoint& content) const {
  const int row = content.x() < kStripSide ? -1 : (content.x() - kStripSide) / tokenWidth();
  return {row < m_tokens->rowCount() ? row : -1};
}

// The newest token is in sight, unless the user has moved to another one of the same answer.
void UncertaintyStrip::contentChanged() {
  placeCursor(m_sequence == m_tokens->sequence() ? currentItem() : ViewItem());
  const bool grew = m_sequence != m_tokens->sequence() || m_shown != m_tokens->rowCount();
  m_sequence = m_tokens->sequence();
  m_shown = m_tokens->rowCount();
  if (!grew || m_shown == 0) return;
  layoutContent();
  reveal(tokenArea(m_shown - 1));
}

void UncertaintyStrip::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  for (int row = 0; row < m_tokens->rowCount(); ++row)
    if (tokenArea(row).intersects(exposed)) paintToken(painter, row, theme);
  painter.setPen(QPen(theme.line(), 1));
  const int base = legendHeight() + kPlotHeight;
  painter.drawLine(exposed.left(), base, exposed.right(), base);
  paintLegend(painter, theme);
}

void UncertaintyStrip::paintToken(QPainter& painter, int row, const Theme& theme) const {
  const UncertaintyRow& token = m_tokens->at(row);
  const QRectF area = tokenArea(row);
  const double scale = area.height() / m_tokens->mostBits();
  if (token.now) painter.fillRect(area, mix(theme.base(), theme.accent(), 0.2));
  const double gap = area.width() > 6 ? 1 : 0;
  const double height = std::max(1.0, static_cast<double>(token.surprise) * scale);
  painter.fillRect(QRectF(area.left() + gap, area.bottom() - height, area.width() - 2 * gap, height),
                   theme.surprise());
  if (token.entropy >= 0) {
    const double y = area.bottom() - static_cast<double>(token.entropy) * scale;
    painter.fillRect(QRectF(area.left(), y - 1, area.width(), 2), theme.text());
  }
  if (row == currentRow() && hasFocus()) {
    drawBox(painter, area, 0, QPen(theme.accent(), 2));
  }
}

// It stays where it is while the tokens scroll.
void UncertaintyStrip::paintLegend(QPainter& painter, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  double left = kStripSide + horizontalScrollBar()->value();
  const double middle = legendHeight() / 2.0;
  const auto entry = [&](const QRectF& sign, const QColor& colour, const QString& text) {
    painter.fillRect(sign.translated(left, middle), colour);
    left += sign.width() + 6;
    paintText(painter, QPointF(left, middle + metrics.ascent() / 2 - 1), text, theme.dimText());
    left += textWidth(font(), text) + 14;
  };
  entry(QRectF(0, -5, 8, 10), theme.surprise(), tr("surprise"));
  entry(QRectF(0, -1, 12, 2), theme.text(), tr("entropy"));
  paintText(painter, QPointF(left, middle + metrics.ascent() / 2 - 1),
            tr("up to %1 bits").arg(formatDecimal(m_tokens->mostBits(), 1)));
}

}  // namespace vitrine

#include "moc_uncertainty_strip.cpp"

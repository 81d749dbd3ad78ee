#include "widgets/sampler/uncertainty_strip.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

namespace vitrine {
namespace {

constexpr int kLeastWidth = 4, kMostWidth = 18, kAbove = 2;

}  // namespace

UncertaintyStrip::UncertaintyStrip(UncertaintyModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kAcross, .fromEnd = true, .enter = true}, parent),
      m_tokens(model) {
  setAccessibleName(tr("Entropy and surprise of the answer"));
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize UncertaintyStrip::sizeHint() const { return {60, fontMetrics().height() + 2 * kAbove}; }

int UncertaintyStrip::tokenWidth() const {
  return std::clamp(viewport()->width() / std::max(1, m_tokens->rowCount()), kLeastWidth, kMostWidth);
}

QSize UncertaintyStrip::contentSize() const {
  return {m_tokens->rowCount() * tokenWidth(), sizeHint().height()};
}

QRect UncertaintyStrip::tokenArea(int row) const {
  return {row * tokenWidth(), kAbove, tokenWidth(), fontMetrics().height()};
}

ViewItem UncertaintyStrip::itemAt(const QPoint& content) const {
  const int row = content.x() < 0 ? -1 : content.x() / tokenWidth();
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
  if (m_tokens->rowCount() == 0) return;
  for (int row = 0; row < m_tokens->rowCount(); ++row)
    if (tokenArea(row).intersects(exposed)) paintToken(painter, row, theme);
  painter.setPen(QPen(theme.line(), 1));
  const int base = kAbove + fontMetrics().height();
  painter.drawLine(exposed.left(), base, exposed.right(), base);
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

}  // namespace vitrine

#include "moc_uncertainty_strip.cpp"

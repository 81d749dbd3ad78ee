#include "widgets/painting/row_delegate.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {

QSizeF chipSize(const QFont& font, const QString& letter) {
  const QFont bold = boldened(font);
  const QFontMetricsF metrics(bold);
  const double height = metrics.height() + 4;
  return {std::max(height, textWidth(bold, letter) + 10), height};
}

void paintChip(QPainter& painter, const QRectF& area, RequestId request, const QString& letter,
               const Theme& theme) {
  const RequestStyle style = requestStyle(request);
  const QColor colour = theme.request(style.colourIndex);
  painter.save();
  QPainterPath shape;
  shape.addRoundedRect(area, 4, 4);
  painter.setClipPath(shape, Qt::IntersectClip);
  fillHatched(painter, area, colour, style.hatch);
  painter.setClipping(false);
  painter.setFont(boldened(painter.font()));
  paintText(painter, area, Qt::AlignCenter, letter, Theme::inkOn(colour));
  painter.restore();
}

void paintEmpty(QAbstractItemView* view, const QString& text) {
  QPainter painter(view->viewport());
  painter.setPen(Theme::of(view).dimText());
  painter.setFont(view->font());
  const int margin = view->fontMetrics().height();
  painter.drawText(view->viewport()->rect().adjusted(margin, margin, -margin, -margin),
                   Qt::AlignCenter | Qt::TextWordWrap, text);
}

void RowDelegate::paintGround(QPainter& painter, const QRectF& row,
                              const QStyleOptionViewItem& option) const {
  const Theme colours = theme();
  const QRectF inner = row.adjusted(4, 1, -4, -1);
  painter.setPen(Qt::NoPen);
  if (option.state & QStyle::State_Selected) {
    painter.setBrush(mix(colours.base(), colours.accent(), 0.22));
    painter.drawRoundedRect(inner, 6, 6);
  } else if (option.state & QStyle::State_MouseOver) {
    painter.setBrush(colours.panel());
    painter.drawRoundedRect(inner, 6, 6);
  }
  if ((option.state & QStyle::State_HasFocus) && m_view->hasFocus()) {
    drawBox(painter, inner.adjusted(1, 1, -1, -1), 5, QPen(colours.accent(), 2));
  }
}

}  // namespace vitrine

#include "widgets/support/field_style.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr double kSeen = 4.5;  // more than 3, since a field may stand on a tinted ground

QColor outlineOf(const QPalette& palette) {
  const QColor base = palette.color(QPalette::Base), around = palette.color(QPalette::Window),
               text = palette.color(QPalette::Active, QPalette::Text);
  for (double share = 0.3; share < 1; share += 0.05)
    if (const QColor colour = mix(base, text, share);
        std::min(contrastRatio(colour, base), contrastRatio(colour, around)) >= kSeen)
      return colour;
  return text;
}

}  // namespace

FieldStyle::FieldStyle() : QProxyStyle(QApplication::style()->name()) {}

void FieldStyle::outline(QWidget& field) {
  auto* const style = new FieldStyle;
  style->setParent(&field);
  field.setStyle(style);
}

void FieldStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (element != PE_FrameLineEdit && element != PE_Frame && element != PE_IndicatorCheckBox) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  drawBox(*painter, QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, outlineOf(option->palette));
  painter->restore();
}

}  // namespace vitrine

#include "widgets/support/field_style.h"

#include <QApplication>
#include <QPainter>
#include <QPlainTextEdit>
#include <QStyleOption>
#include <QTextEdit>
#include <algorithm>

#include "widgets/support/theme.h"

namespace vitrine {
namespace {

constexpr int kStrong = 2;     // pixels, in high contrast and with the keyboard
constexpr double kSeen = 4.5;  // more than 3, since a field may stand on a tinted ground

// A list's frame is quiet.
bool isText(const QWidget* widget) {
  return qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTextEdit*>(widget);
}

// The field with the keyboard has the accent, so far as it is seen.
QColor outlineOf(const QPalette& palette, bool hasFocus) {
  const QColor base = palette.color(QPalette::Base), around = palette.color(QPalette::Window),
               text = palette.color(QPalette::Active, QPalette::Text),
               faint = hasFocus ? palette.color(QPalette::Active, QPalette::Highlight) : base;
  for (double share = hasFocus ? 0 : 0.3; share < 1; share += 0.05)
    if (const QColor colour = mix(faint, text, share);
        std::min(contrastRatio(colour, base), contrastRatio(colour, around)) >= kSeen)
      return colour;
  return text;
}

}  // namespace

FieldStyle::FieldStyle()
    : QProxyStyle(desktopStyle()),
      m_isFusion(desktopStyle().compare(QLatin1String("fusion"), Qt::CaseInsensitive) == 0) {}

QString FieldStyle::desktopStyle() {
  const QStyle* style = QApplication::style();
  if (const auto* over = dynamic_cast<const FieldStyle*>(style)) style = over->baseStyle();
  return style->name();
}

void FieldStyle::layOverDesktop() {
  if (dynamic_cast<const FieldStyle*>(QApplication::style()) == nullptr)
    QApplication::setStyle(new FieldStyle);
}

void FieldStyle::paintOutline(QPainter& painter, const QStyleOption& option, bool isRound) const {
  const Theme theme(option.palette);
  const bool isStrong = theme.isHighContrast(), hasFocus = option.state & State_HasFocus;
  const double width = isStrong || hasFocus ? kStrong : 1, radius = isRound ? option.rect.height() / 2.0 : 2;
  const QRectF area = QRectF(option.rect).adjusted(width / 2, width / 2, -width / 2, -width / 2);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = isStrong && !hasFocus ? theme.line() : outlineOf(option.palette, hasFocus);
  drawBox(painter, area, radius, QPen(colour, width));
  painter.restore();
}

// So that what scrolls inside of a frame leaves both pixels free.
int FieldStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  const int usual = QProxyStyle::pixelMetric(metric, option, widget);
  if (metric != PM_DefaultFrameWidth) return usual;
  return Theme(widget ? widget->palette() : QApplication::palette()).isHighContrast() ? kStrong : usual;
}

void FieldStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  switch (element) {
    case PE_Frame:
      if (isText(widget) || Theme(option->palette).isHighContrast()) paintOutline(*painter, *option);
      return;
    case PE_FrameLineEdit:
    case PE_IndicatorCheckBox:
      return paintOutline(*painter, *option);
    case PE_IndicatorRadioButton:
      return paintOutline(*painter, *option, true);
    default:
      return;
  }
}

void FieldStyle::paintScrollBar(QPainter& painter, const QStyleOptionSlider& bar,
                                const QWidget* widget) const {
  constexpr double kArrow = 3, kBeside = 4;
  const Theme theme(bar.palette);
  const bool across = bar.orientation == Qt::Horizontal, isStrong = theme.isHighContrast();
  const auto areaOf = [&](SubControl part) { return subControlRect(CC_ScrollBar, &bar, part, widget); };
  painter.save();
  painter.fillRect(bar.rect, theme.base());
  painter.setRenderHint(QPainter::Antialiasing);
  const auto arrow = [&](SubControl part, double to, bool moves) {
    const QPointF tip = QRectF(areaOf(part)).center();
    const double sideways = kArrow + 0.5;
    const QPointF ends[] = {across ? tip + QPointF(to, 0) : tip + QPointF(0, to),
                            across ? tip + QPointF(-to, sideways) : tip + QPointF(sideways, -to),
                            across ? tip + QPointF(-to, -sideways) : tip + QPointF(-sideways, -to)};
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme.base(), theme.text(), moves ? 0.6 : 0.2));
    painter.drawPolygon(ends, 3);
  };
  arrow(SC_ScrollBarSubLine, -kArrow, bar.sliderPosition > bar.minimum);
  arrow(SC_ScrollBarAddLine, kArrow, bar.sliderPosition < bar.maximum);
  const double share = isStrong || (bar.state & State_Sunken) ? 1
                       : (bar.state & State_MouseOver)        ? 0.6
                                                              : 0.45;
  const QRectF slider = QRectF(areaOf(SC_ScrollBarSlider))
                            .adjusted(across ? 1 : kBeside, across ? kBeside : 1, across ? -1 : -kBeside,
                                      across ? -kBeside : -1);
  const double radius = std::min(slider.width(), slider.height()) / 2;
  drawBox(painter, slider, radius, Qt::NoPen, mix(theme.base(), theme.text(), share));
  painter.restore();
}

// Their frames are no primitives. Fusion's scroll bars are gradients, which were a twelfth of a frame's work.
void FieldStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
  const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (control == CC_ScrollBar && bar && m_isFusion) return paintScrollBar(*painter, *bar, widget);
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
  const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
  if ((box && box->frame) || (spin && spin->frame)) paintOutline(*painter, *option);
}

}  // namespace vitrine

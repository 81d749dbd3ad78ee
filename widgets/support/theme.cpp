#include "widgets/support/theme.h"

#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/support/box_stamps.h"
#include "widgets/support/request_style.h"

namespace vitrine {
namespace {

double channel(double value) {
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
  return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) +
         0.0722 * channel(colour.blueF());
}

// The dimmest colour between text and base that keeps the contrast ratio.
QColor dimmed(const QColor& text, const QColor& base, double ratio) {
  for (double share = 0.5; share > 0; share -= 0.05) {
    const QColor candidate = mix(text, base, share);
    if (contrastRatio(candidate, base) >= ratio) return candidate;
  }
  return text;
}

}  // namespace

double contrastRatio(const QColor& a, const QColor& b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto between = [share](double x, double y) {
    return static_cast<float>(std::clamp(x + (y - x) * share, 0.0, 1.0));
  };
  return QColor::fromRgbF(between(a.redF(), b.redF()), between(a.greenF(), b.greenF()),
                          between(a.blueF(), b.blueF()), between(a.alphaF(), b.alphaF()));
}

Theme::Theme(const QPalette& palette)
    : m_base(palette.color(QPalette::Active, QPalette::Base)),
      m_text(palette.color(QPalette::Active, QPalette::Text)),
      m_accent(palette.color(QPalette::Active, QPalette::Highlight)) {
  m_dark = luminance(m_base) < luminance(m_text);
  m_highContrast = contrastRatio(m_base, m_text) > 20.5 && luminance(m_base) < 0.001;
  m_dimText = m_highContrast ? m_text : dimmed(m_text, m_base, 5.0);
  m_line = mix(m_base, m_text, m_highContrast ? 0.8 : 0.2);
  m_panel = mix(m_base, m_text, 0.06);
}

Theme Theme::of(const QWidget* widget) { return Theme(widget->palette()); }

QColor Theme::accentText() const {
  for (double share = 0; share < 1; share += 0.1)
    if (const QColor colour = mix(m_accent, m_text, share); contrastRatio(colour, m_base) >= 4.5)
      return colour;
  return m_text;
}

QColor Theme::surprise() const { return m_dark ? QColor(0xb7, 0x94, 0xf4) : QColor(0x6b, 0x3f, 0xa0); }
QColor Theme::warning() const { return m_dark ? QColor(0xff, 0x9d, 0x5c) : QColor(0xb0, 0x44, 0x00); }
QColor Theme::good() const { return m_dark ? QColor(0x4f, 0xd1, 0xa5) : QColor(0x00, 0x6b, 0x4e); }

QColor Theme::breakpoint() const { return m_dark ? QColor(0xff, 0x7b, 0x7b) : QColor(0xc0, 0x1c, 0x28); }

QColor Theme::request(int colourIndex) const {
  // The eighth is black, which is invisible on a dark ground: there it is a light grey.
  static constexpr QRgb kColours[kRequestColours] = {0xff56b4e9, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                                                     0xffd55e00, 0xfff0e442, 0xff0072b2, 0xff000000};
  const int index = ((colourIndex % kRequestColours) + kRequestColours) % kRequestColours;
  if (index == kRequestColours - 1) return m_dark ? QColor(0xd0, 0xd0, 0xd0) : QColor(0x2b, 0x2b, 0x2b);
  const QColor colour = QColor::fromRgb(kColours[index]);
  if (!m_highContrast) return colour;
  double share = 0;
  while (contrastRatio(mix(colour, m_text, share), m_base) < 4.5) share += 0.05;
  return mix(colour, m_text, share);
}

QColor Theme::change(BlockChange change) const {
  switch (change) {
    case BlockChange::kNone:
      return line();
    case BlockChange::kAllocated:
    case BlockChange::kHit:
      return good();
    case BlockChange::kShared:
    case BlockChange::kCopied:
    case BlockChange::kCached:
      return m_dark ? QColor(0x7c, 0xc4, 0xff) : QColor(0x00, 0x5a, 0x9c);
    case BlockChange::kEvicted:
      return warning();
    case BlockChange::kFreed:
      return dimText();
  }
  return line();
}

QColor Theme::inkOn(const QColor& background) {
  return contrastRatio(Qt::black, background) >= contrastRatio(Qt::white, background) ? QColor(Qt::black)
                                                                                      : QColor(Qt::white);
}

QFont readable(QFont font) {
  // A font set in pixels has no point size (-1): it was chosen for a screen, and is kept.
  if (font.pointSizeF() > 0 && font.pointSizeF() < kSmallestTextPt) font.setPointSizeF(kSmallestTextPt);
  return font;
}

QFont boldened(QFont font, bool isBold) {
  font.setBold(isBold);
  return font;
}

void drawBox(QPainter& painter, const QRectF& area, double radius, const QPen& edge, const QBrush& ground) {
  painter.setPen(edge);
  painter.setBrush(ground);
  if (!stampBox(painter, area, radius, edge, ground)) painter.drawRoundedRect(area, radius, radius);
}

}  // namespace vitrine

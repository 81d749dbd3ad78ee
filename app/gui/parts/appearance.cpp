#include "gui/parts/appearance.h"

#include <QApplication>
#include <QFrame>
#include <QPointer>
#include <algorithm>
#include <vector>

#include "vitrine/names.h"
#include "widgets/support/field_style.h"
#include "widgets/support/theme.h"

namespace vitrine {

VITRINE_NAMES(ColourScheme, "desktop", "light", "dark", "high-contrast");

namespace {

struct Colours {
  QRgb ground, base, text, button, accent, onAccent, dim;
  QRgb faint;  // what is disabled: at least 3 : 1 on a button
};

constexpr Colours kLight{0xfff3f4f6, 0xffffffff, 0xff1d2025, 0xfff7f8fa,
                         0xff1a66d2, 0xffffffff, 0xff5b626d, 0xff858b94};
constexpr Colours kDark{0xff131518, 0xff1d2025, 0xffe8eaed, 0xff2a2e34,
                        0xff6ba5ff, 0xff0b1526, 0xffa3aab4, 0xff8f959e};
constexpr Colours kHighContrast{0xff000000, 0xff000000, 0xffffffff, 0xff2c2c2c,
                                0xffffe14a, 0xff000000, 0xffffffff, 0xff9a9a9a};

QPalette made(const Colours& c) {
  QPalette palette(QColor::fromRgb(c.button), QColor::fromRgb(c.ground));
  const auto set = [&](QPalette::ColorRole role, QRgb colour) {
    palette.setColor(QPalette::All, role, QColor::fromRgb(colour));
  };
  set(QPalette::Window, c.ground);
  set(QPalette::Base, c.base);
  set(QPalette::AlternateBase, c.ground);
  set(QPalette::Button, c.button);
  set(QPalette::ToolTipBase, c.button);
  set(QPalette::Highlight, c.accent);
  set(QPalette::HighlightedText, c.onAccent);
  set(QPalette::Link, c.accent);
  set(QPalette::LinkVisited, c.accent);
  set(QPalette::PlaceholderText, c.dim);
  for (const QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
    set(role, c.text);
  set(QPalette::BrightText, 0xffffffff);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, QColor::fromRgb(c.faint));
  return palette;
}

}  // namespace

Appearance::Appearance(ColourScheme scheme, int textPercent, QObject* parent)
    : QObject(parent), m_plain(QApplication::font()) {
  FieldStyle::layOverDesktop();
  setScheme(scheme);
  setTextPercent(textPercent);
}

Appearance::~Appearance() {
  if (m_scheme != ColourScheme::kDesktop) QApplication::setPalette(QPalette());
  if (m_textPercent != kSmallestPercent) QApplication::setFont(m_plain);
}

void Appearance::setScheme(ColourScheme scheme) {
  if (scheme == m_scheme) return;
  m_scheme = scheme;
  // A palette without a colour of its own stands for the desktop's.
  QApplication::setPalette(scheme == ColourScheme::kDesktop ? QPalette() : paletteOf(scheme));
  // A frame asks its style for its width when the style changes, and not for another palette.
  // Views that hear of it may make some of their parts anew.
  QEvent change(QEvent::StyleChange);
  const QWidgetList widgets = QApplication::allWidgets();
  for (const QPointer<QWidget>& widget : std::vector<QPointer<QWidget>>(widgets.begin(), widgets.end()))
    if (qobject_cast<QFrame*>(widget)) QCoreApplication::sendEvent(widget, &change);
  emit changed();
}

void Appearance::setTextPercent(int percent) {
  percent = std::clamp(percent, kSmallestPercent, kLargestPercent);
  if (percent == m_textPercent) return;
  m_textPercent = percent;
  QFont font = m_plain;
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * percent / 100);
  else
    font.setPixelSize(font.pixelSize() * percent / 100);
  QApplication::setFont(readable(font));
  emit fontChanged();
  emit changed();
}

QString Appearance::nameOf(ColourScheme scheme) {
  switch (scheme) {
    case ColourScheme::kDesktop:
      return tr("&Follow the desktop");
    case ColourScheme::kLight:
      return tr("&Light");
    case ColourScheme::kDark:
      return tr("&Dark");
    case ColourScheme::kHighContrast:
      return tr("&High contrast");
  }
  return {};
}

QString Appearance::keyOf(ColourScheme scheme) { return QString::fromLatin1(vitrine::nameOf(scheme)); }

ColourScheme Appearance::fromKey(const QString& key) {
  return fromName<ColourScheme>(key.toStdString()).value_or(ColourScheme::kDesktop);
}

QPalette Appearance::paletteOf(ColourScheme scheme) {
  return made(scheme == ColourScheme::kDark           ? kDark
              : scheme == ColourScheme::kHighContrast ? kHighContrast
                                                      : kLight);
}

}  // namespace vitrine

#include "moc_appearance.cpp"

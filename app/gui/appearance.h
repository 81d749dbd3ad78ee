// Appearance: the colours and the text size that the user has chosen, for the whole application, at once.
//
// "Follow the desktop" leaves the palette to the desktop. Every painted view takes its colours from its
// palette and its size from its font (widgets/support/theme.h), so nothing else has to know. Thread: the
// window's.
#pragma once

#include <QFont>
#include <QObject>
#include <QPalette>

namespace vitrine {

enum class ColourScheme { kDesktop, kLight, kDark, kHighContrast };

class Appearance : public QObject {
  Q_OBJECT

 public:
  static constexpr int kSmallestPercent = 100, kLargestPercent = 150;

  // The application's present font is 100 %.
  Appearance(ColourScheme scheme, int textPercent, QObject* parent = nullptr);
  ~Appearance() override;  // gives the application its font and palette back

  ColourScheme scheme() const { return m_scheme; }
  int textPercent() const { return m_textPercent; }
  void setScheme(ColourScheme scheme);
  void setTextPercent(int percent);  // between the smallest and the largest

  static QString keyOf(ColourScheme scheme);  // "desktop", "light", "dark", "high-contrast"
  static ColourScheme fromKey(const QString& key);
  static QPalette paletteOf(ColourScheme scheme);  // not of kDesktop

 signals:
  void fontChanged();

 private:
  const QFont m_plain;
  ColourScheme m_scheme = ColourScheme::kDesktop;
  int m_textPercent = kSmallestPercent;
};

}  // namespace vitrine

// Appearance: the colours and the text size that the user has chosen, for the whole application, at once.
//
// "Follow the desktop" leaves the palette to the desktop. Every painted view takes its colours from its
// palette and its size from its font (widgets/support/theme.h), so nothing else has to know. Thread: the
// window's.
#pragma once

#include <QFont>
#include <QObject>
#include <QPalette>
#include <array>

namespace vitrine {

enum class ColourScheme { kDesktop, kLight, kDark, kHighContrast };

class Appearance : public QObject {
  Q_OBJECT

 public:
  static constexpr std::array kPercents = {100, 125, 150};  // that are offered
  static constexpr int kSmallestPercent = kPercents.front(), kLargestPercent = kPercents.back();
  static constexpr std::array kSchemes = {ColourScheme::kDesktop, ColourScheme::kLight, ColourScheme::kDark,
                                          ColourScheme::kHighContrast};

  // The application's present font is 100 %.
  Appearance(ColourScheme scheme, int textPercent, QObject* parent = nullptr);
  ~Appearance() override;  // gives the application its font and palette back

  ColourScheme scheme() const { return m_scheme; }
  int textPercent() const { return m_textPercent; }
  void setScheme(ColourScheme scheme);
  void setTextPercent(int percent);  // between the smallest and the largest

  static QString nameOf(ColourScheme scheme);  // in a menu
  static QString keyOf(ColourScheme scheme);   // "desktop", "light", "dark", "high-contrast"
  static ColourScheme fromKey(const QString& key);
  static QPalette paletteOf(ColourScheme scheme);  // not of kDesktop

 signals:
  void changed();  // colours or text size
  void fontChanged();

 private:
  const QFont m_plain;
  ColourScheme m_scheme = ColourScheme::kDesktop;
  int m_textPercent = kSmallestPercent;
};

}  // namespace vitrine

// FineSpinBox: a field for a number that may be tiny: six decimals can be typed, and only those that say
// something are shown ("0.7", "0.0005"). Thread: the window's.
#pragma once

#include <QDoubleSpinBox>

namespace vitrine {

class FineSpinBox : public QDoubleSpinBox {
 public:
  static constexpr int kDigits = 6;
  static constexpr double kSmallest = 1e-6;  // what it can hold above 0

  explicit FineSpinBox(QWidget* parent = nullptr) : QDoubleSpinBox(parent) { setDecimals(kDigits); }

  static QString textOf(double value) {
    return QLocale().toString(value, 'f', QLocale::FloatingPointShortest);
  }
  QString textFromValue(double value) const override { return textOf(value); }
};

}  // namespace vitrine

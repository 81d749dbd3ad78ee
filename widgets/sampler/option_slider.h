// OptionSlider: the usual values of an option as stops, so that small ones have as much room as large ones. A
// value between two stops can be typed beside it; the slider then stands at the nearest one. Thread: the
// window's.
#pragma once

#include <QSlider>
#include <vector>

namespace vitrine {

class OptionSlider : public QSlider {
  Q_OBJECT
 public:
  OptionSlider(const QString& name, std::vector<double> stops, QWidget* parent = nullptr);

  void showValue(double value);  // emits no signal

 signals:
  void valueChosen(double value);  // by the user

 private:
  std::vector<double> m_stops;  // from left to right; one that means "off" may stand at either end
};

}  // namespace vitrine

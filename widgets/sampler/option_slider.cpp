#include "widgets/sampler/option_slider.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine {

OptionSlider::OptionSlider(const QString& name, std::vector<double> stops, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), m_stops(std::move(stops)) {
  setAccessibleName(name);
  setRange(0, static_cast<int>(m_stops.size()) - 1);
  setPageStep(1);
  connect(this, &QSlider::valueChanged, this,
          [this](int stop) { emit valueChosen(m_stops[static_cast<std::size_t>(stop)]); });
}

void OptionSlider::showValue(double value) {
  const QSignalBlocker quiet(this);
  const auto nearest =
      std::ranges::min_element(m_stops, {}, [value](double stop) { return std::abs(stop - value); });
  setValue(static_cast<int>(nearest - m_stops.begin()));
}

}  // namespace vitrine

#include "moc_option_slider.cpp"

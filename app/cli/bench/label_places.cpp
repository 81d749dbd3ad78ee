#include "bench/label_places.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vitrine::cli {

double widthOf(const std::string& words, double size) {
  const auto letters = std::ranges::count_if(words, [](char c) { return (c & 0xc0) != 0x80; });  // of UTF-8
  return static_cast<double>(letters) * size * 0.58;
}

void LabelPlaces::avoidLine(Point from, Point to) {
  constexpr double kStep = 6, kHalf = 3;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  for (double at = 0; at <= length; at += kStep) {
    const double x = std::lerp(from.x, to.x, at / length), y = std::lerp(from.y, to.y, at / length);
    m_taken.push_back({x - kHalf, y - kHalf, x + kHalf, y + kHalf});
  }
}

bool LabelPlaces::isFree(const Box& box) const {
  if (box.left < m_area.left || box.right > m_area.right || box.top < m_area.top ||
      box.bottom > m_area.bottom)
    return false;
  return std::ranges::none_of(m_taken, [&](const Box& taken) { return taken.meets(box); });
}

LabelPlace LabelPlaces::place(Point centre, double radius, const std::string& words, double size) {
  constexpr int kRings = 24, kDirections = 24;
  constexpr double kGap = 5, kRingWidth = 10;
  const double width = widthOf(words, size), height = size * 1.2;
  const auto beside = [&](double angle, double away) {
    // The box touches the circle of that distance from outside.
    const double x = std::cos(angle), y = std::sin(angle);
    const Point middle = {centre.x + x * (away + width / 2), centre.y + y * (away + height / 2)};
    const Box box = {middle.x - width / 2, middle.y - height / 2, middle.x + width / 2,
                     middle.y + height / 2};
    return LabelPlace{{box.left, box.top + size}, box, false};
  };
  for (int ring = 0; ring < kRings; ++ring) {
    for (int turn = 0; turn < kDirections; ++turn) {
      // Right, then alternately below and above, until left.
      const double angle = (turn % 2 == 0 ? -1 : 1) * ((turn + 1) / 2) * 2 * std::numbers::pi / kDirections;
      LabelPlace place = beside(angle, radius + kGap + ring * kRingWidth);
      if (!isFree(place.box)) continue;
      place.isApart = ring > 1;
      m_taken.push_back(place.box);
      return place;
    }
  }
  LabelPlace place = beside(0, radius + kGap);
  m_taken.push_back(place.box);
  return place;
}

}  // namespace vitrine::cli

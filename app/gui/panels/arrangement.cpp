#include "gui/panels/arrangement.h"

#include <algorithm>

namespace vitrine {

namespace {

// The measures of the design (a window of 1366×768 with letters of 15 pixels), in pixels there.
constexpr int kLetter = 15, kThreeColumnsFrom = 1100, kTwoGroupsFrom = 620, kDrawerBelowFrom = 900;
constexpr int kLeft = 250, kRight = 366, kReading = 330;
constexpr int kBars = 164;  // menu, tools, phases, axis and status strip

}  // namespace

Arrangement arrangementFor(QSize window, int letter) {
  const double scale = std::max(1, letter) / static_cast<double>(kLetter);
  const double width = window.width() / scale, height = window.height() / scale;
  Arrangement result;
  result.columns = width >= kThreeColumnsFrom ? Columns::kThree
                   : height >= kTwoGroupsFrom ? Columns::kTwo
                                              : Columns::kStacked;
  result.drawerBelow = height >= kDrawerBelowFrom;
  const auto scaled = [scale](int pixels) { return static_cast<int>(pixels * scale); };
  result.left = std::min(scaled(kLeft), window.width() * 22 / 100);
  result.reading = std::min(scaled(kReading), window.width() * 30 / 100);
  result.right = std::min(scaled(kRight), window.width() * 40 / 100);
  result.besideReading = std::min(result.right, window.width() * 32 / 100);
  const int room = std::max(window.height() - scaled(kBars), window.height() / 3);
  result.memory = room * (result.drawerBelow ? 32 : 34) / 100;
  result.drawer = room * 26 / 100;
  result.sampler = room * 60 / 100;
  result.why = room - result.sampler;
  return result;
}

int memoryHeight(const MiddleColumn& middle) {
  // In a window too low for both the pool still gets the greater part.
  const int most = std::max(middle.height - middle.fewLanes, middle.height * 11 / 20);
  return std::min(most, std::max(middle.comfortable, middle.largest));
}

QString keyOf(Columns columns) {
  switch (columns) {
    case Columns::kThree:
      return {};
    case Columns::kTwo:
      return QStringLiteral("-folded");
    case Columns::kStacked:
      return QStringLiteral("-small");
  }
  return {};
}

}  // namespace vitrine

// PlotContent: what one of the live plots draws of MetricsRow. A further plot is one more entry of
// livePlots(). Thread: any. Read next: plot_pane.h.
#pragma once

#include <QString>
#include <vector>

#include "widgets/plots/metrics_row.h"

namespace vitrine {

enum class PlotUnit : std::uint8_t { kCount, kRate, kMilliseconds, kPercent };

struct PlotLine {
  // kMain and kPart are filled down to the axis, kPart darker and in front; kSecond is dashed, kLimit dotted.
  enum class Style : std::uint8_t { kMain, kPart, kSecond, kLimit };
  using Value = double (*)(const MetricsRow&);  // NaN: nothing there

  QString name;  // in the legend
  Value height;
  Style style = Style::kMain;
  Value told = nullptr;  // the number in the legend where it is not the height: a part that lies on another
};

struct PlotContent {
  QString title;
  PlotUnit unit = PlotUnit::kCount;
  std::vector<PlotLine> lines;
  bool toPoolSize = false;  // the axis goes up to the number of blocks
};

std::vector<PlotContent> livePlots();

QString plotNumber(double value, PlotUnit unit);  // "1,559", "0.85", "12.3 %"; "–" for NaN

}  // namespace vitrine

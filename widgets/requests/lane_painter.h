// Paints one cell of LanesView: what a step did with a sequence, and the token's text where there is room.
// Thread: the window's. Read next: lanes_view.h.
#pragma once

#include <QFontMetricsF>

#include "widgets/requests/lane_model.h"
#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

inline constexpr double kLaneBar = 9;  // pixels: the height of a decode

// The height of a lane: a cell as high as a line with a line of text under it, a low cell with the text under
// it, or the cell alone.
enum class LaneRoom : std::uint8_t { kRoomy, kLow, kBare };
int laneHeightOf(LaneRoom room, int line);  // both in pixels

struct LaneLook {
  Theme theme;
  QFont font;
  QFontMetricsF metrics;
  int cursor = 0;  // the step shown
  QPoint corner;   // what stays visible while the content scrolls: names at x, step numbers at y
  SequenceId selected = 0;
  LaneRoom room = LaneRoom::kBare;
};

struct LaneCellWords {
  const LaneWait* wait = nullptr;  // of a cell that waits
  QString text;
};

// `cell` may be as wide as several steps with the same work.
void paintLaneCell(QPainter& painter, const QRectF& cell, const LaneCell& work, RequestId request,
                   const LaneCellWords& words, const LaneLook& look);

// What stands in a waiting cell, one line over the other: "needs 2" over "free 1".
struct WaitWords {
  QString first, second;
};
WaitWords waitWords(const LaneWait& wait);

}  // namespace vitrine

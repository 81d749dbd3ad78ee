// Paints a draw: what was drawn, the cumulative bar with the number as a needle, and the token that it fell
// on. Thread: the window's. Read next: widgets/sampler/draw_bar.h.
#pragma once

#include <QRectF>

#include "widgets/sampler/draw_bar.h"
#include "widgets/support/theme.h"

class QPainter;

namespace vitrine {

// The three columns of a row in which a draw is painted; the widths are those of all draws below each other.
struct DrawBarColumns {
  double label = 0, token = 0;  // the bar has the rest
  QRectF barIn(const QRectF& row) const;
};

QString drawBarLabel(const DrawBar& bar, bool preview);  // "drawn 0.412", "preview: greedy"
// A preview is hatched, so that it is never taken for the draw that was made.
void paintDrawBar(QPainter& painter, const QRectF& row, const DrawBar& bar, bool preview, const Theme& theme,
                  const DrawBarColumns& columns);

}  // namespace vitrine

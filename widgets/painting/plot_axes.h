// The look that all plots drawn with QCustomPlot share. Thread: the window's.
#pragma once

class QCPAxis;
class QFont;

namespace vitrine {

class Theme;

void applyThemeTo(QCPAxis& axis, const Theme& theme, const QFont& font);  // lines, numbers and the grid

// Numbers in full. `fractions`: they may be below 1.
void useRoundSteps(QCPAxis& axis, bool fractions);
// Of an axis with round steps: ticks 1, 2, 5, 10, 20, ... apart: the smallest of these, times `unit`, that
// makes no more than `most`.
void setRoundRange(QCPAxis& axis, double low, double high, int most, double unit = 1);

}  // namespace vitrine

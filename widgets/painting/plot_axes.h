// The look that all plots drawn with QCustomPlot share. Thread: the window's.
#pragma once

class QCPAxis;
class QFont;

namespace vitrine {

class Theme;

void applyThemeTo(QCPAxis& axis, const Theme& theme, const QFont& font);  // lines, numbers and the grid

}  // namespace vitrine

#include "widgets/painting/plot_axes.h"

#include <qcustomplot.h>

#include "widgets/support/theme.h"

namespace vitrine {

void applyThemeTo(QCPAxis& axis, const Theme& theme, const QFont& font) {
  axis.setTickLabelFont(font);
  axis.setTickLabelColor(theme.dimText());
  axis.setLabelFont(font);
  axis.setLabelColor(theme.dimText());
  for (const auto& set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen})
    (axis.*set)(QPen(theme.line(), 1));
  axis.grid()->setPen(QPen(theme.panel(), 1));
  axis.grid()->setZeroLinePen(QPen(theme.line(), 1));
}

}  // namespace vitrine

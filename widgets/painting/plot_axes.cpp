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

void useRoundSteps(QCPAxis& axis, bool fractions) {
  axis.setNumberFormat(fractions ? QStringLiteral("g") : QStringLiteral("f"));
  axis.setNumberPrecision(fractions ? 6 : 0);
  axis.setTicker(QSharedPointer<QCPAxisTickerFixed>::create());
  axis.setLayer(QStringLiteral("axes"));
}

void setRoundRange(QCPAxis& axis, double low, double high, int most, double unit) {
  double step = unit;
  for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  axis.setRange(low, high);
  static_cast<QCPAxisTickerFixed*>(axis.ticker().data())->setTickStep(step);
}

}  // namespace vitrine

#include "widgets/weights/histogram_view.h"

#include <qcustomplot.h>

#include <algorithm>

#include "widgets/painting/plot_axes.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {

namespace {

constexpr int kHistogramLeastLines = 8, kHistogramUsualLines = 12;  // of text, high
constexpr int kHistogramMostTicks = 6;
constexpr double kHistogramSide = 14;   // pixels
constexpr double kHistogramGap = 0.94;  // of a bar's part of the range, filled

}  // namespace

HistogramView::HistogramView(HistogramModel* model, QWidget* parent)
    : CursorView(model, {.way = CursorHabits::Way::kAcross, .ends = true, .always = true}, parent),
      m_histogram(model),
      m_plot(new QCustomPlot(this)),
      m_bars(new QCPBars(m_plot->xAxis, m_plot->yAxis)),
      m_present(new QCPBars(m_plot->xAxis, m_plot->yAxis)) {
  setAccessibleName(tr("Histogram of the weights"));
  m_plot->hide();
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->xAxis->setLabel(tr("weight"));
  m_plot->yAxis->setLabel(tr("% of them"));
  m_plot->xAxis->grid()->setVisible(false);
}

QSize HistogramView::sizeHint() const {
  return {50 * fontMetrics().averageCharWidth(), kHistogramUsualLines * fontMetrics().height()};
}

QSize HistogramView::minimumSizeHint() const {
  return {24 * fontMetrics().averageCharWidth(), kHistogramLeastLines * fontMetrics().height()};
}

QString HistogramView::summary() const {
  return m_histogram->rowCount() > 0 ? m_histogram->describe(currentRow()) : QString();
}

QString HistogramView::emptyText() const {
  return m_histogram->rowCount() > 0 ? QString() : tr("How often the weights have which size.");
}

void HistogramView::applyTheme() {
  const Theme colours = theme();
  m_plot->axisRect()->setMinimumMargins(QMargins(4, fontMetrics().height() + 4, 14, 2));
  m_plot->setBackground(colours.base());
  for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) applyThemeTo(*axis, colours, font());
  const QColor quiet = mix(colours.base(), colours.accent(), colours.isHighContrast() ? 1.0 : 0.55);
  m_bars->setPen(Qt::NoPen);
  m_bars->setBrush(quiet);
  m_present->setPen(QPen(colours.text(), 2));
  m_present->setBrush(colours.accent());
}

// A tensor whose weights are all equal has one place, and still an axis around it.
void HistogramView::arrange() {
  const int bins = m_histogram->rowCount();
  if (bins == 0) return;
  applyTheme();
  const int present = std::min(currentRow(), bins - 1);
  const double from = m_histogram->at(0).from, to = m_histogram->at(bins - 1).to;
  const double range = to > from ? to - from : std::max(std::abs(from), 1.0);
  const double width = range / bins, middle = (from + to) / 2;
  QVector<double> places, shares;
  for (int bin = 0; bin < bins; ++bin) {
    places << middle - range / 2 + (bin + 0.5) * width;
    shares << 100 * m_histogram->at(bin).share;
  }
  m_bars->setData(places, shares, true);
  m_present->setData({places[present]}, {shares[present]}, true);
  for (QCPBars* bars : {m_bars, m_present}) bars->setWidth(width * kHistogramGap);
  m_present->setVisible(hasFocus());
  m_plot->xAxis->setRange(middle - range / 2 - width / 2, middle + range / 2 + width / 2);
  m_plot->yAxis->setRange(0, 1.06 * *std::ranges::max_element(shares));
  const int line = fontMetrics().height(), letter = fontMetrics().averageCharWidth();
  m_plot->xAxis->ticker()->setTickCount(
      std::clamp(viewport()->width() / (10 * letter), 3, kHistogramMostTicks));
  m_plot->yAxis->ticker()->setTickCount(
      std::clamp(viewport()->height() / (3 * line), 2, kHistogramMostTicks));
  m_plot->setViewport(QRect(QPoint(), viewport()->size().expandedTo({1, 1})));
  m_plot->replot();  // places the axes
}

// QCustomPlot draws through its own painter; a QPicture transfers the drawing as vectors.
void HistogramView::paintContent(QPainter& painter, const QRect&, const Theme& colours) const {
  m_present->setVisible(hasFocus());
  QPicture drawing;
  QCPPainter plotPainter(&drawing);
  m_plot->toPainter(&plotPainter, viewport()->width(), viewport()->height());
  plotPainter.end();
  painter.drawPicture(0, 0, drawing);
  if (!hasFocus()) return;
  painter.setPen(colours.text());
  const QRectF line(kHistogramSide, 0, viewport()->width() - 2 * kHistogramSide, fontMetrics().height() + 2);
  paintText(painter, line, kAtRight, elidedText(font(), summary(), line.width()));
}

QRectF HistogramView::binArea(int bin) const {
  const double middle = (m_bars->data()->constBegin() + bin)->key, half = m_bars->width() / 2;
  const double left = m_plot->xAxis->coordToPixel(middle - half),
               right = m_plot->xAxis->coordToPixel(middle + half),
               top = m_plot->yAxis->coordToPixel(100 * m_histogram->at(bin).share),
               foot = m_plot->yAxis->coordToPixel(0);
  return {left, top, right - left, foot - top};
}

// The whole height: a low bar is hard to meet.
ViewItem HistogramView::itemAt(const QPoint& content) const {
  for (int bin = 0; bin < m_histogram->rowCount(); ++bin) {
    const QRectF area = binArea(bin);
    if (content.x() >= area.left() && content.x() <= area.right() && content.y() <= area.bottom())
      return {bin};
  }
  return {};
}

}  // namespace vitrine

#include "moc_histogram_view.cpp"

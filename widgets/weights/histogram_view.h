// HistogramView: a tensor's weights by size: a bar for each equal part of their range, as high as its share.
//
// Left, Right, Home and End walk the bars, a click chooses one; the present bar is read to screen readers.
// QCustomPlot lays out and draws it, into the view and its exports alike. Thread: the window's. Read next:
// histogram_model.h, painted_view.h.
#pragma once

#include <memory>

#include "widgets/painting/painted_view.h"
#include "widgets/weights/histogram_model.h"

class QCPBars;
class QCustomPlot;

namespace vitrine {

class HistogramView : public PaintedView {
  Q_OBJECT
 public:
  explicit HistogramView(HistogramModel* model, QWidget* parent = nullptr);

  QString summary() const override;  // of the present bar
  int currentBin() const { return m_bin; }
  QRectF binArea(int bin) const;  // in content coordinates; requires a bin, and a view that is visible

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  QSize contentSize() const override { return viewport()->size(); }
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void arrange();
  void applyTheme();
  void setCurrent(int bin);
  int binAt(const QPoint& content) const;  // -1: none

  HistogramModel* m_histogram;
  QCustomPlot* m_plot;  // never shown itself
  QCPBars *m_bars, *m_present;
  int m_bin = 0;
};

}  // namespace vitrine

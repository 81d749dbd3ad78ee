// HistogramView: a tensor's weights by size: a bar for each equal part of their range, as high as its share.
//
// Left, Right, Home and End walk the bars, a click chooses one; the present bar is read to screen readers.
// QCustomPlot lays out and draws it, into the view and its exports alike. Thread: the window's. Read next:
// histogram_model.h, cursor_view.h.
#pragma once

#include "widgets/painting/cursor_view.h"
#include "widgets/weights/histogram_model.h"

class QCPBars;
class QCustomPlot;

namespace vitrine {

class HistogramView : public CursorView {
  Q_OBJECT
 public:
  explicit HistogramView(HistogramModel* model, QWidget* parent = nullptr);

  QString summary() const override;  // of the present bar
  int currentBin() const { return currentRow(); }
  QRectF binArea(int bin) const;  // in content coordinates; requires a bin, and a view that is visible

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  QSize contentSize() const override { return viewport()->size(); }
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  ViewItem itemAt(const QPoint& content) const override;
  QRect itemRect(const ViewItem& item) const override { return binArea(item.row).toAlignedRect(); }
  QString describeItem(const ViewItem& item) const override { return m_histogram->describe(item.row); }
  void currentChanged() override { arrange(); }
  void arrange() override;

 private:
  void applyTheme();

  HistogramModel* m_histogram;
  QCustomPlot* m_plot;  // never shown itself
  QCPBars *m_bars, *m_present;
};

}  // namespace vitrine

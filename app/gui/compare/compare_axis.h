// CompareAxis: one time axis for two runs: a row of bars each, a step's tokens as their heights; the cursor
// for both, and a mark where they first differ.
//
// A click, Left, Right, Home and End choose a step. Thread: the window's. Read next: compare_axis_model.h.
#pragma once

#include "gui/compare/compare_axis_model.h"
#include "widgets/painting/painted_view.h"

namespace vitrine {

class CompareAxis : public PaintedView {
  Q_OBJECT

 public:
  explicit CompareAxis(CompareAxisModel* model, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 signals:
  void stepRequested(int step);

 protected:
  QSize contentSize() const override { return viewport()->size(); }
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  QRectF area() const;   // of the bars of both
  double pitch() const;  // of a step
  int stepAt(double x) const;
  double xOf(int step) const { return area().left() + (step - 1) * pitch(); }
  void paintRow(QPainter& painter, int side, const QRectF& row, const Theme& theme) const;

  CompareAxisModel* m_axis;
};

}  // namespace vitrine

// UncertaintyStrip: entropy and surprise over the answer, a bar and a tick for each token; a token goes to
// the step that sampled it. Thread: the window's. Read next: uncertainty_model.h.
#pragma once

#include "widgets/painting/painted_view.h"
#include "widgets/sampler/uncertainty_model.h"

namespace vitrine {

class UncertaintyStrip : public PaintedView {
  Q_OBJECT
 public:
  explicit UncertaintyStrip(UncertaintyModel* model, QWidget* parent = nullptr);

  int currentRow() const { return m_current; }
  QRect tokenArea(int row) const;  // in content coordinates
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 signals:
  void stepRequested(int step);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  int legendHeight() const { return fontMetrics().height() + 2; }
  int tokenWidth() const;
  int rowAt(const QPoint& content) const;  // -1: none
  void setCurrent(int row);
  void paintLegend(QPainter& painter, const Theme& theme) const;
  void paintToken(QPainter& painter, int row, const Theme& theme) const;

  UncertaintyModel* m_tokens;
  int m_current = -1;
  int m_shown = 0;            // rows at the last refresh
  SequenceId m_sequence = 0;  // then
};

}  // namespace vitrine

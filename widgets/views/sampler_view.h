// SamplerView: the candidates of the latest token as bars, one column a stage, and which stage removed which.
// Thread: the window's. Read next: sampler_controls.h.
#pragma once

#include "widgets/models/sampler_model.h"
#include "widgets/views/painted_view.h"

namespace vitrine {

class SamplerView : public PaintedView {
  Q_OBJECT
 public:
  explicit SamplerView(SamplerModel* model, QWidget* parent = nullptr);

  int currentRow() const { return m_current; }
  QString summary() const override;

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  int rowHeight() const;
  int headHeight() const;
  int tokenWidth() const;
  int stageWidth() const;
  void setCurrent(int row);
  void paintHead(QPainter& painter, const Theme& theme) const;
  void paintRow(QPainter& painter, int row, const Theme& theme) const;
  void paintBar(QPainter& painter, const QRectF& cell, const SamplerRow& row, int stage,
                const Theme& theme) const;

  SamplerModel* m_candidates;
  int m_current = -1;
};

}  // namespace vitrine

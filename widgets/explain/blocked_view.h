// BlockedView: a bar for each reason that kept sequences waiting over the run, the longest first, with its
// number of steps and its share. Up and Down go through the bars. Thread: the window's.
#pragma once

#include "widgets/explain/blocked_model.h"
#include "widgets/painting/painted_view.h"

namespace vitrine {

class BlockedView : public PaintedView {
  Q_OBJECT
 public:
  explicit BlockedView(BlockedModel* model, QWidget* parent = nullptr);

  QString summary() const override;             // "41 steps of waiting"
  int currentRow() const { return m_current; }  // -1: none
  QRect rowRect(int row) const;                 // in content coordinates

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  int rowHeight() const;
  int rowAt(const QPoint& content) const;
  double nameWidth() const;
  void setCurrent(int row);

  BlockedModel* m_blocked;
  int m_current = -1;
};

}  // namespace vitrine

// LanesView: the schedule: one lane for each sequence, one cell for each step. Prefill and decode differ in
// shape as well as in words; the step shown is a highlighted column. Thread: the window's.
#pragma once

#include "widgets/models/lane_model.h"
#include "widgets/views/painted_view.h"

namespace vitrine {

class LanesView : public PaintedView {
  Q_OBJECT
 public:
  explicit LanesView(LaneModel* model, QWidget* parent = nullptr);

  QRect cellRect(int lane, int step) const;  // in content coordinates

 signals:
  void stepRequested(int step);  // a column was clicked, or reached with the arrow keys
  void sequenceSelected(int sequence);

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  struct Look;

  int laneHeight() const;
  int cellWidth() const;
  int headWidth() const;  // of the names, which stay visible while the cells scroll
  int headHeight() const;
  std::pair<int, int> stepsIn(const QRect& exposed) const;  // first and last
  std::pair<int, int> lanesIn(const QRect& exposed) const;
  void followCursor();
  void paintCell(QPainter& painter, const QRectF& cell, const LaneCell& work, const Lane& lane,
                 const Look& look) const;
  void paintSteps(QPainter& painter, const QRect& exposed, const Look& look) const;
  void paintHead(QPainter& painter, const QRect& exposed, const Look& look) const;

  LaneModel* m_lanes;
  int m_current = -1;
  bool m_follow = true;      // until the user scrolls away from the cursor
  bool m_followLane = true;  // until the user scrolls away from the selected sequence
};

}  // namespace vitrine

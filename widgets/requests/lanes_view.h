// LanesView: the schedule: one lane for each sequence, one cell for each step, and the token's text under it.
// Prefill, decode and drafts differ in shape as well as in words; the step shown is a lit column.
//
// Only the lanes of sequences that live in the steps in sight are there, so a lane goes when its request has
// finished. Thread: the window's. Read next: lane_painter.h.
#pragma once

#include "widgets/painting/painted_view.h"
#include "widgets/requests/lane_painter.h"

class QToolButton;

namespace vitrine {

class LanesView : public PaintedView {
  Q_OBJECT
 public:
  explicit LanesView(LaneModel* model, QWidget* parent = nullptr);

  int currentLane() const { return m_current; }
  const std::vector<int>& lanesInSight() const { return m_sight; }
  QRect cellRect(int lane, int step) const;  // in content coordinates; empty for a lane out of sight
  int cellWidth() const { return m_cellWidth; }
  bool showsTexts() const { return room() != LaneRoom::kBare; }  // under the cells
  QString summary() const;                                       // "steps 11 to 17"
  // One line that says what the signs in sight mean, as much of it as is whole in the width.
  QString key() const;
  // The height for so many roomy lanes, their key and the scroll bar below them.
  int heightFor(int lanes) const;
  int mostLanes() const { return m_mostLanes; }  // that were in sight at once in this run

 public slots:
  void zoomIn() override;
  void zoomOut() override;
  void fit() override;  // the whole run, or as much of it as narrow cells can show

 signals:
  void stepRequested(int step);  // a column was clicked, or reached with the arrow keys
  void sequenceSelected(int sequence);
  void roomChanged();  // mostLanes() has

 protected:
  QSize contentSize() const override;
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  prose::Target targetAt(const QPoint& content) const override;
  void contentChanged() override;
  void spotlightMoved() override { viewport()->update(); }
  QString fitWords() const override { return tr("&Fit the whole run"); }
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void zoomByWheel(int turned, const QPointF& at) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Spot {
    int lane = -1, step = 0;  // -1 and 0 outside

    bool operator==(const Spot&) const = default;
  };

  // Which kinds of cells are in sight.
  struct LaneSigns {
    bool decode = false, prefill = false, waits = false, swapped = false, preempted = false;
    bool accepted = false, rejected = false, cached = false, finished = false;
  };

  LaneSigns signsInSight() const;
  int usualCellWidth() const;
  LaneRoom mostRoom() const;  // that the width of the cells leaves
  LaneRoom room() const;      // with which all lanes have their place, if any has
  int laneHeight() const { return laneHeightOf(room(), fontMetrics().height()); }
  int headWidth() const;  // of the names, which stay visible while the cells scroll
  int headHeight() const { return fontMetrics().height() + 12; }
  int lanesBottom() const { return headHeight() + static_cast<int>(m_sight.size()) * laneHeight(); }
  int keyHeight() const { return fontMetrics().height() + 16; }  // of the line that says what the signs mean
  bool showsKey() const;
  int placeOf(int lane) const;  // in sight, -1 for none
  Spot spotAt(const QPoint& content) const;
  std::pair<int, int> stepsIn(const QRect& exposed) const;  // first and last
  std::pair<int, int> placesIn(const QRect& exposed) const;
  void findSight();  // which lanes are in sight
  void followCursor();
  int zoomCentre() const;
  void zoomTo(int cellWidth, int x);  // the step at x, in the viewport, stays there
  void hover(const Spot& spot);
  void walk(int by);
  void paintLane(QPainter& painter, int place, std::pair<int, int> steps, const LaneLook& look) const;
  void paintSteps(QPainter& painter, const QRect& exposed, const LaneLook& look) const;
  // Before the first step, in grey: what steps will bring.
  void paintComing(QPainter& painter, const Theme& theme) const;
  void paintNames(QPainter& painter, const QRect& exposed, const LaneLook& look) const;

  LaneModel* m_lanes;
  QToolButton* m_fit;
  std::vector<int> m_sight;
  Spot m_hover;
  int m_cellWidth = 0;
  int m_current = -1;
  int m_mostLanes = 0;
  bool m_zoomed = false;     // by the user; otherwise the cells follow the font
  bool m_follow = true;      // until the user scrolls away from the cursor
  bool m_followLane = true;  // until the user scrolls away from the selected sequence
};

}  // namespace vitrine

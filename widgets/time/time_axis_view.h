// TimeAxisView: one axis for the whole run: the blocks in use, and below them every step with its events,
// breakpoints and bookmarks. Click or drag to go to a step, the wheel zooms, Home and End go
// to the ends; PageUp and PageDown (which presenters' clickers send) step the machine. A click, a drag or an
// arrow key with Shift chooses a step to compare the shown one with. Thread: the window's.
#pragma once

#include <optional>

#include "widgets/painting/painted_view.h"
#include "widgets/time/time_axis_model.h"

namespace vitrine {

class TimeAxisView : public PaintedView {
  Q_OBJECT
 public:
  explicit TimeAxisView(TimeAxisModel* model, QWidget* parent = nullptr);

  bool showsBlocks() const;  // they fold away in a low window or with a large font

  StepMark markOf(int step) const { return m_model->at(step).strongest(); }
  // In coordinates of the viewport.
  int stepAt(double x) const;
  double xOf(int step) const { return area().left() + (step - firstShown()) * pitch(); }
  // A step that is compared with the one shown: the steps between them are shaded.
  void setCompared(std::optional<int> step);
  void zoom(double factor, double x);  // the step at x stays where it is
  double pitch() const;                // pixels a step

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

 signals:
  void stepRequested(int step);  // show that step
  void liveRequested();          // follow the end
  void comparisonRequested(int step);
  void backRequested();     // PageUp
  void forwardRequested();  // PageDown: the next step, or a new one when LIVE; the host decides

 protected:
  QSize contentSize() const override { return viewport()->size(); }
  void paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const override;
  QString emptyText() const override;
  QString tipAt(const QPoint& content) const override;
  void contentChanged() override;
  void addActions(QMenu& menu) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  const Session& session() const { return *m_model->session(); }
  void goTo(double x);
  void compareWith(int step);
  double labelWidth() const;
  QRectF area() const;        // right of the labels
  QRectF stepArea() const;    // of the ticks
  double fitPitch() const;    // at which the whole run is in sight
  double firstShown() const;  // step, at the left edge
  // Steps that share the pixel of `step`: the last of them.
  int lastOfPixel(int step) const;
  void paintBlocks(QPainter& painter, const Theme& theme, const QRectF& box) const;
  void paintValue(QPainter& painter, const Theme& theme, const QRectF& box) const;
  void paintTicks(QPainter& painter, const Theme& theme) const;
  void paintMark(QPainter& painter, const Theme& theme, StepMark mark, const QPointF& top) const;
  void paintMarks(QPainter& painter, const Theme& theme) const;
  void paintBranch(QPainter& painter, const Theme& theme) const;
  void paintCompared(QPainter& painter, const Theme& theme) const;
  void paintCursor(QPainter& painter, const Theme& theme) const;

  static constexpr double kMargin = 12;
  TimeAxisModel* m_model;
  std::optional<int> m_compared;
  double m_zoom = 1;  // of fitPitch()
  double m_from = 0;  // the step at the left edge, when zoomed
  mutable QFont m_labelFont;
  mutable double m_labelWidth = 0;  // in m_labelFont; 0: not measured
};

}  // namespace vitrine

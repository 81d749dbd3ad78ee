// TimelineView: every step as a tick, a tall one for an arrival, an end or a preemption. Click, drag, arrow
// keys, PageUp and PageDown (which presenters' clickers send) go to a step. Thread: the window's.
#pragma once

#include <QWidget>
#include <deque>

#include "widgets/models/lane_model.h"
#include "widgets/support/theme.h"

namespace vitrine {

// The most important event of a step, strongest first.
enum class StepMark : std::uint8_t { kNone, kPlain, kArrived, kFinished, kPreempted };

class TimelineView : public QWidget {
  Q_OBJECT
 public:
  explicit TimelineView(Session* session, QWidget* parent = nullptr);

  StepMark markOf(int step) const;
  int stepAt(double x) const;
  double xOf(int step) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void stepRequested(int step);  // show that step
  void liveRequested();          // follow the end
  void backRequested();          // PageUp
  void forwardRequested();       // PageDown: the next step, or a new one when LIVE; the host decides

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void refresh();
  void restart();
  void take(const Event& event);
  StepMark strongest(int first, int last) const;  // of these steps
  void goTo(double x);
  QRectF track() const;
  void paintTicks(QPainter& painter, const Theme& theme) const;
  void paintCursor(QPainter& painter, const Theme& theme) const;

  Session* m_session;
  static constexpr int kStretch = 64;
  std::deque<StepMark> m_marks;      // [0] is the first step's
  std::deque<StepMark> m_strongest;  // of each kStretch steps, so that painting does not look at each
};

}  // namespace vitrine

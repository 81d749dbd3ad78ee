// AnimationClock: thirty ticks a second while something moves, and none otherwise.
//
// Each animated view has one. Under reduced motion run() ends at once, and the view shows the final state.
// Thread: the window's.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace vitrine {

class AnimationClock : public QObject {
  Q_OBJECT
 public:
  explicit AnimationClock(QObject* parent = nullptr);

  qint64 nowMs() const { return m_elapsed.elapsed(); }
  bool isRunning() const { return m_timer.isActive(); }

  // Ticks for at least `durationMs` from now; a longer earlier request stays in force.
  void run(int durationMs);
  void stop();

  // For the whole program; VITRINE_REDUCED_MOTION=1 in the environment turns it on until the first call.
  static bool reducedMotion();
  static void setReducedMotion(bool reduced);

 signals:
  void tick();

 private:
  void onTimeout();

  QElapsedTimer m_elapsed;
  QTimer m_timer;
  qint64 m_endMs = 0;
};

}  // namespace vitrine

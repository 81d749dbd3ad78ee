// RecordingPlayer: plays a recording that no machine computes: a timer moves the cursor forward until a
// breakpoint is met or the recording ends. Whatever else moves the cursor, or begins a run, ends the playing.
// Thread: the window's, which it never holds up: a tick reads the events of a few steps. Read next: run_to.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "vitrine/breakpoints.h"
#include "widgets/session/session.h"

namespace vitrine {

// The first event of [place, end) in the recording that meets one of the breakpoints, which have seen those
// before; `place` moves on over what was checked. Throws EngineError where the disk has lost a part of the
// past.
std::optional<BreakHit> firstHit(Breakpoints& breakpoints, const Recording& recording, std::int64_t& place,
                                 std::int64_t end);

class RecordingPlayer : public QObject {
  Q_OBJECT

 public:
  explicit RecordingPlayer(Session& session, QObject* parent = nullptr);  // the session must outlive it

  void setStepsPerSecond(double rate);  // 0: several steps a tick
  // From the step shown, to the first of these.
  void play(std::vector<Breakpoint> breakpoints);
  void stop();
  bool isPlaying() const { return m_timer.isActive(); }

 signals:
  void met(const vitrine::BreakStop& stop);  // the cursor is at the step that has it
  void ended();                              // the cursor is at the recording's end
  void playingChanged();                     // after these

 private:
  void advance();
  std::optional<BreakHit> check(int step);
  void moveTo(int step);

  Session& m_session;
  QTimer m_timer;
  Breakpoints m_breakpoints;
  std::int64_t m_place = 0;  // the events before it have been checked
  int m_stepsATick = 1;
  bool m_moves = false;  // the cursor's move is the player's own
};

}  // namespace vitrine

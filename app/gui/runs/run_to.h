// RunTo: runs to the next moment that a breakpoint names. In the past it first searches the recording, which
// needs no engine; behind its end, the engine runs on. A recording that no engine computes is played to that
// moment. Also hands the window's breakpoints to the engine.
// Thread: the window's. Read next: run_to_menu.h.
#pragma once

#include <QObject>

#include "gui/machine/engine_host.h"
#include "gui/runs/recording_player.h"
#include "widgets/time/breakpoint_list.h"

namespace vitrine {

class RunTo : public QObject {
  Q_OBJECT

 public:
  RunTo(Session& session, EngineHost& host, BreakpointList& list, QObject* parent = nullptr);

  BreakpointList& list() { return m_list; }
  Session& session() { return m_session; }
  RecordingPlayer& player() { return m_player; }

  // To this moment, or to an enabled breakpoint of the list if that comes first.
  void run(const Breakpoint& once, RunSpeed speed = RunSpeed::kChosen);
  // Plays the recording from the step shown, to an enabled breakpoint of the list. Requires that there is no
  // machine.
  void play() { m_player.play(m_list.all()); }
  // The first moment after the step shown that the recording has; none: it must be computed.
  std::optional<BreakStop> findRecorded(const std::vector<Breakpoint>& wanted) const;

 signals:
  void stopped(const QString& reason, int step);  // "Stopped at step 46: B was preempted."
  void met(const vitrine::BreakHit& hit);         // the event that stopped it

 private:
  bool hasWork() const;
  void onStopped(const BreakStop& stop);
  void onMode(MachineMode mode);
  void onPlayedToTheEnd();

  Session& m_session;
  EngineHost& m_host;
  BreakpointList& m_list;
  RecordingPlayer m_player;
  bool m_runs = false;  // since run(), the machine has run
};

}  // namespace vitrine

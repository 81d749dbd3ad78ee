// Recording: the events of a run, kept so that any step can be seen again.
//
// A snapshot of the state every 64 steps makes stateAt() cheap at any length: nearest snapshot, then at most
// 64 steps of events. Holds no model. Thread: one thread (the window's). Read next: trace.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

class Recording {
 public:
  static constexpr int kSnapshotInterval = 64;

  // Events of one run in order. An EngineLoaded begins anew; a Snapshot first is where a late joiner starts.
  void append(Event event);
  void clear();

  int lastStep() const { return m_live.step; }  // the latest finished or unfinished step; 0 before any
  int lastFinishedStep() const { return m_lastFinished; }
  int firstStep() const { return m_firstStep; }
  const MachineState& live() const { return m_live; }  // after the last event

  // The machine when `step` had finished (0: before the first step, with what had been submitted by then).
  // Requires firstStep() <= step <= lastFinishedStep().
  MachineState stateAt(int step) const;

  // The events of one step, from its StepStarted to the event before the next one's; step 0: all before.
  std::span<const Event> eventsOf(int step) const;
  std::span<const Event> events() const { return m_events; }

 private:
  struct Mark {
    std::size_t event;
    MachineState state;
    int step;
  };  // state after events [0, event)

  std::vector<Event> m_events;
  std::vector<std::size_t> m_stepBegin;  // index of each step's first event; [0] is step firstStep's
  std::vector<Mark> m_marks;
  MachineState m_live;
  int m_firstStep = 0;
  int m_lastFinished = 0;
};

}  // namespace vitrine

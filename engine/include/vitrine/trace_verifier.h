// TraceVerifier: checks the events of a run as they come, from a file or from another program.
//
// Every event must fit the state before it, numbers must have no gaps, pool invariants must hold after every
// step, and every snapshot must equal the replayed state; so must the counts of a step's end. A recording
// that begins in the middle of a run has a snapshot behind its engine_loaded. Thread: a value. Read next:
// trace.h.
#pragma once

#include "vitrine/trace.h"

namespace vitrine {

class TraceVerifier {
 public:
  // Throws EngineError(kFileCorrupt) with what does not hold.
  void add(const Event& event);
  // An event that this program does not know has a number of its own, or that of the event before it, as a
  // snapshot. Throws as add().
  void skip(const Event& event);
  TraceReport report(const TraceReading& reading) const;

 private:
  void checkSnapshot(const Event& event);
  void checkNumber(const Event& event);
  void checkStep(const StepFinished& finished);

  MachineState m_state;
  TraceReport m_report;
  std::int32_t m_run = 0;
  std::int64_t m_next = 0, m_timeNs = 0;
};

}  // namespace vitrine

// EngineClock: engine time, in nanoseconds since the run began.
//
// It is a monotonic clock that can be stopped. A host that pauses the machine for a reader, inside a gate or
// between steps, takes no engine time, so batching windows, deadlines, aging and all measured times are those
// of the machine. The source is injectable: tests and recordings give their own readings. Invariant: engine
// time never runs backwards, and stands still while the clock is stopped, whatever the source reads.
// Thread: the engine's. Read next: event_stream.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace vitrine {

// Monotonic nanoseconds since any moment.
using ClockSource = std::function<std::int64_t()>;

inline std::int64_t steadyNowNs() {
  const auto sinceEpoch = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(sinceEpoch).count();
}

class EngineClock {
 public:
  // Begins at 0, and runs.
  explicit EngineClock(ClockSource source = steadyNowNs)
      : m_source(std::move(source)), m_originNs(m_source()) {}

  std::int64_t nowNs() const { return (m_runs ? m_source() : m_stoppedNs) - m_originNs; }
  bool isRunning() const { return m_runs; }

  // Returns whether it ran before.
  bool setRunning(bool runs) {
    if (runs == m_runs) return runs;
    if (runs)
      m_originNs += m_source() - m_stoppedNs;
    else
      m_stoppedNs = m_source();
    return std::exchange(m_runs, runs);
  }
  // Moves engine time on by so much at once. Requires ns >= 0.
  void pass(std::int64_t ns) { m_originNs -= ns; }

 private:
  const ClockSource m_source;
  std::int64_t m_originNs;  // the source's reading at engine time 0, later by all the time it stood still
  std::int64_t m_stoppedNs = 0;
  bool m_runs = true;
};

// Runs or stops the clock for as long as it lives.
class ClockScope {
 public:
  ClockScope(EngineClock& clock, bool runs) : m_clock(clock), m_ranBefore(clock.setRunning(runs)) {}
  ~ClockScope() { m_clock.setRunning(m_ranBefore); }
  ClockScope(const ClockScope&) = delete;
  ClockScope& operator=(const ClockScope&) = delete;

 private:
  EngineClock& m_clock;
  const bool m_ranBefore;
};

}  // namespace vitrine

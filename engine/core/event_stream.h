// EventStream: stamps what the engine's parts publish (run, number, step, phase, time) and hands it on.
//
// One stream for each engine, so that numbers count up by one without gaps, whichever class publishes.
// Thread: the engine's. Read next: vitrine/event.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "vitrine/event_sink.h"

namespace vitrine {

// Monotonic nanoseconds; tests give their own so that times can be asserted.
using Clock = std::function<std::int64_t()>;

inline std::int64_t steadyNowNs() {
  const auto sinceEpoch = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(sinceEpoch).count();
}

class EventStream {
 public:
  // The sink must outlive the stream and must not call the engine back.
  EventStream(EventSink& sink, std::int32_t run, Clock clock = steadyNowNs)
      : m_sink(sink), m_clock(std::move(clock)), m_originNs(m_clock()) {
    m_event.run = run;
  }

  void beginStep() { ++m_event.step; }
  void setPhase(Phase phase) { m_event.phase = phase; }
  std::int32_t step() const { return m_event.step; }
  std::int64_t nowNs() const { return m_clock() - m_originNs; }  // since the run began

  // Gives the event's time.
  template <typename Body>
  std::int64_t publish(Body&& body) {
    return publishAt(nowNs(), std::forward<Body>(body));
  }
  // The same with a time that the caller has measured since the event before.
  template <typename Body>
  std::int64_t publishAt(std::int64_t timeNs, Body&& body) {
    m_event.timeNs = timeNs;
    m_event.body = std::forward<Body>(body);
    m_sink.publish(m_event);
    ++m_event.number;
    return timeNs;
  }

 private:
  EventSink& m_sink;
  const Clock m_clock;
  const std::int64_t m_originNs;
  Event m_event;
};

}  // namespace vitrine

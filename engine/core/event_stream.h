// EventStream: stamps what the engine's parts publish (run, number, step, phase, engine time) and hands it
// on.
//
// One stream for each engine, so that numbers count up by one without gaps, whichever class publishes.
// Thread: the engine's. Read next: engine_clock.h, vitrine/event.h.
#pragma once

#include <cstdint>
#include <utility>

#include "core/engine_clock.h"
#include "vitrine/event_sink.h"

namespace vitrine {

class EventStream {
 public:
  // The sink must outlive the stream and must not call the engine back.
  EventStream(EventSink& sink, std::int32_t run, ClockSource source = steadyNowNs)
      : m_sink(sink), m_clock(std::move(source)) {
    m_event.run = run;
  }

  void beginStep() {
    ++m_event.step;
    m_stepNs = nowNs();
  }
  void setPhase(Phase phase) { m_event.phase = phase; }
  std::int32_t step() const { return m_event.step; }
  std::int64_t nowNs() const { return m_clock.nowNs(); }
  EngineClock& clock() { return m_clock; }
  // When the step began: the one reading of the clock by which it decides, so that a recording has it.
  std::int64_t stepNs() const { return m_stepNs; }

  // Numbers the next event behind this one.
  void goOnBehind(std::int64_t number) { m_event.number = number + 1; }

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
  EngineClock m_clock;
  std::int64_t m_stepNs = 0;
  Event m_event;
};

}  // namespace vitrine

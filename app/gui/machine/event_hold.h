// EventHold: keeps the events of an engine that is being made until it is made, since one that cannot be must
// not leave a half-told run. Thread: the engine's. Read next: engine_worker.h.
#pragma once

#include <utility>
#include <vector>

#include "vitrine/event_sink.h"

namespace vitrine {

class EventHold final : public EventSink {
 public:
  explicit EventHold(EventSink& sink) : m_sink(sink) {}

  void hold() { m_holding = true; }
  void pass() {  // those held, and from now on all
    m_holding = false;
    for (const Event& event : std::exchange(m_events, {})) m_sink.publish(event);
  }
  void drop() { m_holding = false, m_events = {}; }  // those held

  void publish(const Event& event) override {
    if (m_holding)
      m_events.push_back(event);
    else
      m_sink.publish(event);
  }

 private:
  EventSink& m_sink;
  bool m_holding = false;
  std::vector<Event> m_events;
};

}  // namespace vitrine

// EventSink: who hears events; EventQueue: the bounded one between the engine's thread and another.
//
// A full queue drops detail (token candidates, layer taps), never lifecycle. Where it dropped some in a row
// an EventsDropped stands in their place, so that the numbers still account for every event. The engine never
// waits for a reader.
// Read next: event.h, engine.h.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

class EventSink {
 public:
  virtual ~EventSink() = default;
  // Called on the engine's thread, in order. Must be quick and must not throw.
  virtual void publish(const Event& event) = 0;
};

// Hands every event to several sinks, in order.
class EventFanOut final : public EventSink {
 public:
  void add(EventSink* sink) { m_sinks.push_back(sink); }  // not owned
  void publish(const Event& event) override {
    for (EventSink* sink : m_sinks) sink->publish(event);
  }

 private:
  std::vector<EventSink*> m_sinks;
};

// One writer, one reader. drain() gives everything since the last drain.
class EventQueue final : public EventSink {
 public:
  explicit EventQueue(std::size_t detailCapacity = 65536) : m_detailCapacity(detailCapacity) {}

  void publish(const Event& event) override;

  // Moves the waiting events to the end of `events`, oldest first; returns how many.
  std::size_t drain(std::vector<Event>& events);

 private:
  std::mutex m_mutex;
  std::vector<Event> m_events;
  const std::size_t m_detailCapacity;  // details are dropped while this many events wait
};

}  // namespace vitrine

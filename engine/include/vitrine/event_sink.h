// EventSink: receives events. EventQueue: a bounded sink between the engine's thread and another.
//
// This is the boundary between threads: publish() is called on the engine's thread alone; EventQueue::drain()
// on the reader's thread, which may be another; everything else before the first event. A full queue drops
// detail (token candidates, layer taps), never lifecycle. An EventsDropped takes the place of details dropped
// in a row, so that the numbers still account for every event. The engine never waits for a reader. Read
// next: event.h, engine.h.
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
  // Called on the engine's thread, in order. Must be quick, must not throw, and must not call the engine.
  virtual void publish(const Event& event) = 0;
};

// Passes every event to several sinks, in order of add().
class EventFanOut final : public EventSink {
 public:
  void add(EventSink* sink) { m_sinks.push_back(sink); }  // not owned
  void publish(const Event& event) override {
    for (EventSink* sink : m_sinks) sink->publish(event);
  }

 private:
  std::vector<EventSink*> m_sinks;
};

// One writer (the engine's thread), one reader (any other).
class EventQueue final : public EventSink {
 public:
  explicit EventQueue(std::size_t detailCapacity = 65536) : m_detailCapacity(detailCapacity) {}

  void publish(const Event& event) override;

  // Moves all events since the last drain to the end of `events`, oldest first; returns how many. On the
  // reader's thread.
  std::size_t drain(std::vector<Event>& events);

 private:
  std::mutex m_mutex;
  std::vector<Event> m_events;
  const std::size_t m_detailCapacity;  // details are dropped while this many events wait
};

}  // namespace vitrine

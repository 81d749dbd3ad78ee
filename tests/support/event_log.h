// EventLog: a sink that keeps everything, for tests that ask what was published.
#pragma once

#include <vector>

#include "vitrine/event_sink.h"

namespace vitrine {

class EventLog final : public EventSink {
 public:
  void publish(const Event& event) override { events.push_back(event); }
  void clear() { events.clear(); }

  // The bodies of one kind, in order.
  template <typename Body>
  std::vector<Body> of() const {
    std::vector<Body> found;
    for (const Event& event : events) {
      if (const Body* body = bodyOf<Body>(event)) found.push_back(*body);
    }
    return found;
  }

  std::vector<Event> events;
};

}  // namespace vitrine

// AddingSink: hands events on, and adds some behind the beginning of the first forward, as another engine
// would publish them there. The numbers of what follows move up.
#pragma once

#include <utility>
#include <vector>

#include "vitrine/event_sink.h"

namespace vitrine::test {

class AddingSink final : public EventSink {
 public:
  AddingSink(EventSink& next, std::vector<EventBody> added) : m_next(next), m_waiting(std::move(added)) {}

  void publish(const Event& event) override {
    Event moved = event;
    moved.number += m_added;
    m_next.publish(moved);
    const auto* const phase = bodyOf<PhaseStarted>(event);
    if (phase == nullptr || phase->phase != Phase::kForward) return;
    for (EventBody& body : std::exchange(m_waiting, {})) {
      ++m_added;
      ++moved.number;
      moved.body = std::move(body);
      m_next.publish(moved);
    }
  }

 private:
  EventSink& m_next;
  std::vector<EventBody> m_waiting;
  int m_added = 0;
};

}  // namespace vitrine::test

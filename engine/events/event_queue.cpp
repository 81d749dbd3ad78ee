#include <iterator>

#include "vitrine/event_sink.h"

namespace vitrine {

void EventQueue::publish(const Event& event) {
  const std::lock_guard lock(m_mutex);
  if (!isDetail(event) || m_events.size() < m_detailCapacity) {
    m_events.push_back(event);
    return;
  }
  // A counter takes the place of the first dropped detail; the details right behind it raise the count.
  EventsDropped* counter = m_events.empty() ? nullptr : std::get_if<EventsDropped>(&m_events.back().body);
  if (counter != nullptr && m_events.back().number + counter->details == event.number) {
    ++counter->details;
    return;
  }
  Event& dropped = m_events.emplace_back();
  dropped.run = event.run;
  dropped.number = event.number;
  dropped.step = event.step;
  dropped.phase = event.phase;
  dropped.timeNs = event.timeNs;
  dropped.body = EventsDropped{1};
}

std::size_t EventQueue::drain(std::vector<Event>& events) {
  std::vector<Event> taken;
  if (events.empty()) taken.swap(events);  // the writer goes on in the reader's memory
  {
    const std::lock_guard lock(m_mutex);
    taken.swap(m_events);  // the engine waits for a swap at most, never for the copying
  }
  const std::size_t count = taken.size();
  if (events.empty())
    events = std::move(taken);
  else
    events.insert(events.end(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
  return count;
}

}  // namespace vitrine

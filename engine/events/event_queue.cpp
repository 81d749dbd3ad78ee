#include <iterator>

#include "vitrine/event_sink.h"

namespace vitrine {

bool isDetail(const Event& event) {
  return isA<TokenCandidates>(event) || std::holds_alternative<LayerTap>(event.body);
}

void EventQueue::publish(const Event& event) {
  const std::lock_guard lock(m_mutex);
  if (!isDetail(event) || m_events.size() < m_detailCapacity) {
    m_events.push_back(event);
    return;
  }
  // The one that is dropped leaves its place to a counter; those right behind it only raise the count.
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
    taken.swap(m_events);  // the writer waits for a swap, never for a copy
  }
  const std::size_t count = taken.size();
  if (events.empty())
    events = std::move(taken);
  else
    events.insert(events.end(), std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
  return count;
}

}  // namespace vitrine

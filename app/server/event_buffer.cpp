#include "server/event_buffer.h"

#include <new>
#include <utility>

namespace vitrine::server {
namespace {

// Events that wait for the feed's thread; details are left out from half of it on.
constexpr std::size_t kMostEvents = 16384;

}  // namespace

void EventBuffer::publish(const Event& event) {
  bool wakes = false;
  {
    const std::lock_guard lock(m_mutex);
    wakes = take(event);
    m_isWoken = m_isWoken || wakes;
  }
  if (wakes) m_wake.notify_one();
}

void EventBuffer::wake(bool ends) {
  {
    const std::lock_guard lock(m_mutex);
    m_isWoken = true;
    m_ends = m_ends || ends;
  }
  m_wake.notify_one();
}

void EventBuffer::clear() {
  const std::lock_guard lock(m_mutex);
  m_events.clear();
  m_isLost = m_overflowed = false;
}

EventBuffer::News EventBuffer::wait(std::optional<std::chrono::milliseconds> patience) {
  std::unique_lock lock(m_mutex);
  const auto isWoken = [this] { return m_isWoken; };
  if (patience)
    m_wake.wait_for(lock, *patience, isWoken);
  else
    m_wake.wait(lock, isWoken);
  m_isWoken = false;
  return {m_ends, std::exchange(m_overflowed, false), std::exchange(m_events, {})};
}

// Whether the feed's thread shall look: once a phase, since waking it costs the engine more than an event.
bool EventBuffer::take(const Event& event) {
  if (isA<EngineLoaded>(event)) m_isLost = m_isInStep = false;
  if (m_isLost) return false;
  if (isDetail(event) && m_events.size() >= kMostEvents / 2) return false;
  try {
    if (m_events.size() >= kMostEvents) throw std::bad_alloc();
    m_events.push_back(event);
  } catch (const std::bad_alloc&) {
    m_events = {};
    m_isLost = m_overflowed = true;
    return true;
  }
  if (isA<StepStarted>(event)) m_isInStep = true;
  if (isA<StepFinished>(event)) m_isInStep = false;
  return !m_isInStep || isA<PhaseStarted>(event);
}

}  // namespace vitrine::server

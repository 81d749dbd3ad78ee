// EventBuffer: events on their way from the engine's thread to a feed's, bounded.
//
// The engine's thread only puts copies in. Details are left out from half of the bound on; at the bound all
// is, and the reader has to ask for a snapshot. Read next: event_feed.h, page_feed.h.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "vitrine/event_sink.h"

namespace vitrine::server {

class EventBuffer final : public EventSink {
 public:
  struct News {
    bool ends = false;
    bool overflowed = false;  // events before these are missing
    std::vector<Event> events;
  };

  void publish(const Event& event) override;
  // The reader's wait() returns; with `ends` for the last time. Any thread.
  void wake(bool ends = false);
  void clear();
  // What came since the last call; waits for a phase's end or a wake(), at most for `patience`.
  News wait(std::optional<std::chrono::milliseconds> patience = {});

 private:
  bool take(const Event& event);

  std::mutex m_mutex;  // of all
  std::condition_variable m_wake;
  std::vector<Event> m_events;
  bool m_isWoken = false, m_ends = false, m_isInStep = false;
  bool m_overflowed = false;
  bool m_isLost = false;  // until the next EngineLoaded
};

}  // namespace vitrine::server

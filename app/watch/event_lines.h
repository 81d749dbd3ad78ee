// EventLines: the messages of GET /v1/events as events, checked against the state that they lead to.
//
// Reads bytes from outside: tests/fuzz/fuzz_event_lines. Thread: a value. Read next: event_stream.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine::watch {

class EventLines {
 public:
  // The events that a message brings: none for a header, two where a run begins anew. Throws
  // EngineError(kFileCorrupt, kUnsupported).
  std::vector<Event> take(std::string_view message);

 private:
  void check(const Event& event);

  std::optional<Event> m_loaded;                    // of the run; none before its EngineLoaded
  bool m_hasHeader = false, m_isNewHeader = false;  // new: no run has begun behind it
  bool m_needsSnapshot = false;                     // next: a run begins, or events were left out
  std::int64_t m_next = 0;                          // the number of the next event
  MachineState m_state;
};

}  // namespace vitrine::watch

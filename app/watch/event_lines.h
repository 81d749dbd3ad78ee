// EventLines: the messages of GET /v1/events as events, checked as those of a trace are.
//
// Reads bytes from outside: tests/fuzz/fuzz_event_lines. Thread: a value. Read next: event_stream.h,
// vitrine/trace_verifier.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "vitrine/trace_verifier.h"

namespace vitrine::watch {

class EventLines {
 public:
  // The events that a message brings: none for a header, two where a run begins anew. Throws
  // EngineError(kFileCorrupt, kUnsupported).
  std::vector<Event> take(std::string_view message);

 private:
  std::vector<Event> begin(Event snapshot);
  void check(const Event& event);

  std::optional<Event> m_loaded;                    // of the run; none before its EngineLoaded
  bool m_hasHeader = false, m_isNewHeader = false;  // new: no run has begun behind it
  // None before the run's state is there, and again where events were left out.
  std::optional<TraceVerifier> m_run;
};

}  // namespace vitrine::watch

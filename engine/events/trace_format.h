// The two lines of a trace that are no events: its header and its end. The writer makes them (the header as
// traceHeader(), which names no paths), the reader takes them apart (vitrine/trace.h says what is in them).
// Thread: any.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "events/json_value.h"
#include "vitrine/event.h"

namespace vitrine {

std::string headerLine(const EngineLoaded& loaded);

struct TraceEnd {
  std::int64_t events = 0;  // that the trace says it has
  std::set<int> bookmarks;  // steps
};
std::string toLine(const TraceEnd& end);
// Nothing when the line is an event.
std::optional<TraceEnd> traceEndFrom(const JsonIn& line);

}  // namespace vitrine

// The two lines of a trace that are no events: its header and its end. The writer makes them, the reader
// takes them apart (vitrine/trace.h says what is in them). Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "events/json_value.h"
#include "vitrine/event.h"

namespace vitrine {

std::string traceHeader(const EngineLoaded& loaded);
// Throws EngineError: kFileCorrupt for what is no header, kUnsupported for another version.
void checkTraceHeader(std::string_view line);

std::string traceEnd(std::int64_t events);
// How many events the trace says it has. Nothing when the line is an event.
std::optional<std::int64_t> eventsAtTraceEnd(const JsonIn& line);

}  // namespace vitrine

// A number for what an event says, and no times: two runs that decide alike have equal digests.
//
// Made from the events' descriptions. Thread: any. Read next: vitrine/run_script.h.
#pragma once

#include <cstdint>
#include <optional>

#include "vitrine/event.h"

namespace vitrine {

// Of tokens, plans and blocks; empty for events that only report (times, phases, detail) or come from
// outside.
std::optional<std::uint64_t> digestOf(const EventBody& body);

// The digest of events in a row.
inline std::uint64_t joinDigests(std::uint64_t before, std::uint64_t next) {
  return (before ^ next) * 0x9E3779B97F4A7C15u + (before >> 29);
}

}  // namespace vitrine

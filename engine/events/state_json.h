// MachineState as JSON and back, for the snapshots in a trace; and the invariants of every state.
//
// The JSON stays short for a large pool: it lists only the blocks that are held or cached, and the free queue
// as runs of consecutive ids. Thread: any. Read next: state_json.cpp, vitrine/trace.h.
#pragma once

#include "events/json_value.h"
#include "vitrine/machine_state.h"

namespace vitrine {

JsonOut toJson(const Snapshot& snapshot);
// Throws EngineError(kFileCorrupt); the state it returns satisfies requireConsistent().
void fromJson(const char* field, const JsonIn& in, Snapshot& snapshot);

// An event from a parsed line of a trace (trace.h). Throws EngineError(kFileCorrupt).
Event eventFrom(const JsonIn& line);

// Requires that every block is free, or held as often as its count says, that lists and statuses agree, and
// that every id exists. Holds between steps. Throws EngineError(kFileCorrupt).
void requireConsistent(const MachineState& state);

}  // namespace vitrine

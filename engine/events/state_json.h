// MachineState as JSON and back, for the snapshots in a trace; and the invariants every state keeps.
//
// Compact where a big pool would be long: of the blocks only those in use or cached, of the free queue its
// runs of consecutive ids. Thread: any. Read next: state_json.cpp, vitrine/trace.h.
#pragma once

#include "events/json_value.h"
#include "vitrine/machine_state.h"

namespace vitrine {

JsonOut toJson(const Snapshot& snapshot);
// Throws EngineError(kFileCorrupt); the state that comes back satisfies requireConsistent().
void fromJson(const char* field, const JsonIn& in, Snapshot& snapshot);

// An event from a parsed line of a trace (trace.h). Throws EngineError(kFileCorrupt).
Event eventFrom(const JsonIn& line);

// The pool's books balance: every block is free exactly once or held as often as its count says, lists and
// statuses agree, no id points nowhere. Holds between steps. Throws EngineError(kFileCorrupt).
void requireConsistent(const MachineState& state);

}  // namespace vitrine

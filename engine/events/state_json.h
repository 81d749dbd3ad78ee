// MachineState as JSON and back, for the snapshots in a trace; and the invariants of every state.
//
// The JSON stays short for a large pool: it lists only the blocks that are held or cached, and the free queue
// as runs of consecutive ids. Thread: any. Read next: state_json.cpp, vitrine/trace.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "events/json_fields.h"
#include "vitrine/machine_state.h"

namespace vitrine {

// The parts of a state with a form of their own (OwnForm).
struct PoolSize {  // stands before the blocks
  static constexpr const char* kWords = "int";
  JsonOut toJson(const MachineState& state) const;
  void fromJson(const char* field, const JsonIn& in, MachineState& state) const;
};
struct BlocksInUse {
  static constexpr const char* kWords = "list of [block, references, filled tokens, hash if cached]";
  JsonOut toJson(const MachineState& state) const;
  void fromJson(const char* field, const JsonIn& in, MachineState& state) const;
};
struct FreeRuns {
  // null: of an engine that is seen from outside
  static constexpr const char* kWords = "list of [first block, blocks]";
  JsonOut toJson(const MachineState& state) const;
  void fromJson(const char* field, const JsonIn& in, MachineState& state) const;
};

VITRINE_STRUCT(MachineState, "machine_state", field("step", &T::step), field("block_size", &T::blockSize),
               field("num_blocks", PoolSize()), field("blocks", BlocksInUse()),
               field("free_queue", FreeRuns()), field("requests", &T::requests),
               field("sequences", &T::sequences), field("waiting", &T::waiting),
               field("running", &T::running), field("batch", &T::batch),
               field("swap_blocks", &T::swapBlocks));

// A map as a list of its values, each with its id.
template <typename Id, typename Value>
JsonOut toJson(const std::map<Id, Value>& values) {
  JsonOut out = JsonOut::array();
  for (const auto& [id, value] : values) out.push_back(toJson(value));
  return out;
}
template <typename Id, typename Value>
void fromJson(const char* field, const JsonIn& in, std::map<Id, Value>& values) {
  values.clear();
  for (const JsonIn& item : arrayOf(field, in)) {
    Value value;
    fromJson(field, item, value);
    const Id id = value.id;
    if (!values.emplace(id, std::move(value)).second) corruptField(field, "names an id twice");
  }
}

JsonOut toJson(const std::shared_ptr<const MachineState>& state);
// Throws EngineError(kFileCorrupt); the state that comes back satisfies requireConsistent().
void fromJson(const char* field, const JsonIn& in, std::shared_ptr<const MachineState>& state);

// A line of a trace as an event. An event that this program does not know, by its name or by a word in it,
// has only what all events have: number, run, step and time.
struct EventLine {
  Event event;
  bool known = false;
  std::vector<std::string> unknown;  // "prefix_missed", or "sequence_waiting (reason \"gpu\")"
};
EventLine eventLineFrom(JsonIn line);  // throws EngineError(kFileCorrupt)
Event eventFrom(JsonIn line);          // the same, and for an event that is not known

// Requires that every block is free, or held as often as its count says, that lists and statuses agree, and
// that every id exists. Holds between steps. Throws EngineError(kFileCorrupt).
void requireConsistent(const MachineState& state);

}  // namespace vitrine

// Events and states as bytes and back: what a recording stores of its chunks. Lossless.
//
// A tenth of the bytes of the same in JSON, and of the time. Damage that the store did not find is an
// EngineError(kFileCorrupt). Thread: values. Read next: packed_fields.h.
#pragma once

#include "events/packed_fields.h"
#include "vitrine/machine_state.h"

namespace vitrine {

void packState(PackedWriter& out, const MachineState& state);
void unpackState(PackedReader& in, MachineState& state);

// Events in order: each writes its number and its time as the distance from the event before.
class EventPacker {
 public:
  explicit EventPacker(PackedWriter& out) : m_out(out) {}
  void add(const Event& event);

 private:
  PackedWriter& m_out;
  std::int64_t m_number = 0, m_timeNs = 0;  // of the event before
};

class EventUnpacker {
 public:
  explicit EventUnpacker(PackedReader& in) : m_in(in) {}
  Event next();  // requires that there is one

 private:
  PackedReader& m_in;
  std::int64_t m_number = 0, m_timeNs = 0;
};

}  // namespace vitrine

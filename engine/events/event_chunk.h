// EventChunk: the events of consecutive steps with the state before them, and the same as bytes.
//
// A recording is a list of chunks, and it stores all but the newest as bytes. A step's own events begin
// behind the end of the step before it: events between two steps belong to the later one. Thread: a value.
// Read next: vitrine/recording.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vitrine/recording.h"

namespace vitrine {

struct EventChunk {
  MachineState begin;             // before the first event
  int firstStep = 0;              // the step of the first events
  bool beginsRecording = false;   // then the events before the first step belong to that step too
  std::vector<Event> events;      // append with add()
  std::vector<std::size_t> ends;  // of each step that has ended: the place behind its last event
  std::size_t roughBytes = 0;     // an estimate of the length as bytes

  void add(Event event);
  int steps() const { return static_cast<int>(ends.size()); }
  // [first, last) of a step's own events; of a step that has not ended, up to the last event.
  std::pair<std::size_t, std::size_t> boundsOf(int step) const;
};

// The bytes: the state `begin` if wanted, and the events (packed_events.h). fromBytes() requires the same
// `withState`, a chunk with firstStep and beginsRecording set, and `begin` set when the bytes hold no state.
// It throws EngineError(kFileCorrupt).
std::string toBytes(const EventChunk& chunk, bool withState, std::size_t* stateBytes = nullptr);
void fromBytes(std::string_view bytes, bool withState, EventChunk& chunk);

}  // namespace vitrine

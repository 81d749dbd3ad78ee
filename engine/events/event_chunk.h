// EventChunk: the events of consecutive steps with the state before them, and the same as JSON Lines.
//
// A recording is a list of chunks, and it stores all but the newest as text. A step's own events begin behind
// the end of the step before it: events between two steps belong to the later one. Thread: a value.
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
  std::size_t roughBytes = 0;     // an estimate of the length as text

  void add(Event event);
  int steps() const { return static_cast<int>(ends.size()); }
  // [first, last) of a step's own events; of a step that has not ended, up to the last event.
  std::pair<std::size_t, std::size_t> boundsOf(int step) const;
};

// The text: a snapshot of `begin` if wanted, and the events. fromText() requires the same `withSnapshot`, a
// chunk with firstStep and beginsRecording set, and `begin` set when the text has no snapshot. It throws
// EngineError(kFileCorrupt).
std::string toText(const EventChunk& chunk, bool withSnapshot, std::size_t* snapshotBytes = nullptr);
void fromText(std::string_view text, bool withSnapshot, EventChunk& chunk);

}  // namespace vitrine

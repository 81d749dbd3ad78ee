// EventChunk: the events of some steps in a row, with the machine before them; and the same as JSON Lines.
//
// A recording is a list of chunks: all but the newest are put away as text. A step's own events begin behind
// the end of the step before: what came between two steps belongs to the later one. Thread: a value.
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
  Recording::Moment begin;        // before the first event
  int firstStep = 0;              // whose own events stand first
  bool beginsRecording = false;   // then the events before the first step belong to that step too
  std::vector<Event> events;      // to be lengthened by add()
  std::vector<std::size_t> ends;  // of the steps that have ended: behind their last event
  std::size_t roughBytes = 0;     // as text, more or less

  void add(Event event);
  int steps() const { return static_cast<int>(ends.size()); }
  // [first, last) of a step's own events; of a step that has not ended all there are.
  std::pair<std::size_t, std::size_t> boundsOf(int step) const;
};

// Brings a moment forward by one event. Throws EngineError(kFileCorrupt) when the event contradicts it.
void advance(Recording::Moment& moment, const Event& event);

// The text: a snapshot if wanted, the waits as the events that told them, and the events. fromText() wants
// the same numbers, and the chunk's place and beginning (when the text has no snapshot) set already.
std::string toText(const EventChunk& chunk, bool withSnapshot, std::size_t* snapshotBytes = nullptr);
void fromText(std::string_view text, bool withSnapshot, std::size_t waits, EventChunk& chunk);

}  // namespace vitrine

// Traces: a run on disk, as JSON Lines (`.vitrine`).
//
// The first line is a header {"format":"vitrine-trace","version":3,"model":{..},"engine":{..},"seed":n,
// "program":"vitrine 0.1.0","schema":{..}}; every other line is one event; a full snapshot follows every 64
// steps, so that a reader may begin anywhere. The last line is {"end":{"events":n,"bookmarks":[steps]}}:
// without it the recording program was interrupted, and the events before that can still be read. `time_ns`
// is engine time, which a pause does not move on (engine.h). A trace replays without a model: see
// recording.h.
//
// Version 3 stays readable. The schema lists the events and fields that the writing program knew, for people
// and other programs; this reader does not need it. A missing field has its default, an unknown field is
// passed over, and an event with an unknown name, or with an unknown word of an enum, is skipped and counted.
// A skipped event keeps its number, so that a gap is still found. If the machine's state depends on a skipped
// event, a later event contradicts the state and the error says what was skipped. Thread: one object, one
// thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "vitrine/event_sink.h"
#include "vitrine/machine_state.h"
#include "vitrine/output_file.h"

namespace vitrine {

// One event as one line of JSON, without the newline, and back.
std::string eventToJson(const Event& event);
Event eventFromJson(std::string_view line);  // throws EngineError(kFileCorrupt)

// The lines that TraceWriter writes, without the newline: the header, and an event. Models and folders are
// named without their paths (place_name.h), so that no line says where this computer has its files.
std::string traceHeader(const EngineLoaded& loaded);
std::string traceLine(const Event& event);
// Throws EngineError: kFileCorrupt for what is no header, kUnsupported for another version.
void checkTraceHeader(std::string_view line);

class TraceWriter final : public EventSink {
 public:
  // The file is there when finish() has returned (output_file.h). Throws EngineError(kIo) when it cannot be
  // made.
  explicit TraceWriter(const std::filesystem::path& file);

  // The header is written with the first EngineLoaded. A write error is kept for finish(): publish() must not
  // throw in the engine's step.
  void publish(const Event& event) override;
  // Writes the last line, with steps that the user wants to find again. Throws EngineError(kIo) with what
  // went wrong.
  void finish(const std::set<int>& bookmarks = {});

 private:
  void writeLine(const std::string& line);

  OutputFile m_file;
  MachineState m_state;
  std::int64_t m_events = 0;  // written
  std::string m_error;
};

struct TraceReading {
  bool whole = false;        // not cut short
  std::int64_t skipped = 0;  // events that this program does not know
  std::set<int> bookmarks;   // steps, as finish() was given them
  // What it does not know, and in how many events: "prefix_missed", "sequence_waiting (reason \"gpu\")". Also
  // an option of engine_loaded, which is not skipped but reads as its default. After 32 names only "others".
  std::map<std::string, std::int64_t> unknown;
};

// Reads a trace from the beginning, calling `accept` for each event, and `skip` for each skipped event with
// an Event that has number, run, step and time, but no body. Throws EngineError with the file's name:
// kFileNotFound, kFileCorrupt with the line's number (a cut last line too), kUnsupported for another version.
using EventReader = std::function<void(const Event&)>;
TraceReading readTrace(const std::filesystem::path& file, const EventReader& accept,
                       const EventReader& skip = {});
TraceReading parseTrace(std::string_view bytes, const EventReader& accept, const EventReader& skip = {});

struct TraceReport : TraceReading {
  int steps = 0;
  std::int64_t events = 0;  // without the skipped ones
  int snapshots = 0;
  int lastStep = 0;  // that has finished
};

// Replays a trace: every event must fit the state before it, numbers must have no gaps, pool invariants must
// hold after every step, and every snapshot must equal the replayed state. Throws EngineError as readTrace(),
// and kFileCorrupt for a trace that does not hold this.
TraceReport verifyTrace(const std::filesystem::path& file);

}  // namespace vitrine

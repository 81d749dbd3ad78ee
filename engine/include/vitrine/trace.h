// Traces: a run on disk, as JSON Lines (`.vitrine`).
//
// The first line is a header {"format":"vitrine-trace","version":2,"model":{..},"engine":{..},"seed":n,
// "program":"vitrine 0.1.0"}; every other line is one event; a full snapshot follows every 64 steps, so that
// a reader may begin anywhere. The last line is {"end":{"events":n}}: without it the program that recorded
// did not come to its end, and what there is still reads. A new event or field is a new version, which other
// versions are refused for. A trace replays without a model: see recording.h. Thread: one object, one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "vitrine/event_sink.h"
#include "vitrine/machine_state.h"
#include "vitrine/output_file.h"

namespace vitrine {

// One event as one line of JSON, without the newline, and back.
std::string eventToJson(const Event& event);
Event eventFromJson(std::string_view line);  // throws EngineError(kFileCorrupt)

class TraceWriter final : public EventSink {
 public:
  // The file is there when finish() has returned (output_file.h). Throws EngineError(kIo) when it cannot be
  // made.
  explicit TraceWriter(const std::filesystem::path& file);

  // The header is written with the first EngineLoaded. A write error is kept for finish(): publish() must
  // not throw in the engine's step.
  void publish(const Event& event) override;
  void finish();  // writes the last line; throws EngineError(kIo) with what went wrong

 private:
  void writeLine(const std::string& line);

  OutputFile m_file;
  MachineState m_state;
  std::int64_t m_events = 0;  // written
  std::string m_error;
};

// Reads a trace from the beginning, calling `accept` for each event. False when it was cut short behind some
// event. Throws EngineError: kFileNotFound, kFileCorrupt with the line's number (a cut last line too),
// kUnsupported for another version.
bool readTrace(const std::filesystem::path& file, const std::function<void(const Event&)>& accept);
bool parseTrace(std::string_view bytes, const std::function<void(const Event&)>& accept);

struct TraceReport {
  int steps = 0;
  std::int64_t events = 0;
  int snapshots = 0;
  int lastStep = 0;    // that has finished
  bool whole = false;  // not cut short
};

// Replays a trace: every event must fit the state before it, numbers must have no gaps, pool invariants must
// hold after every step, and every snapshot must equal the replayed state. Throws EngineError(kFileCorrupt).
TraceReport verifyTrace(const std::filesystem::path& file);

}  // namespace vitrine

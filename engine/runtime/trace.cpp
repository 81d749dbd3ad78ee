#include "vitrine/trace.h"

#include <fstream>
#include <optional>

#include "core/input_file.h"
#include "runtime/event_fields.h"
#include "runtime/state_json.h"
#include "vitrine/program_files.h"
#include "vitrine/recording.h"

namespace vitrine {
namespace {

constexpr const char* kFormat = "vitrine-trace";
constexpr std::int64_t kVersion = 2;

std::string headerLine(const EngineLoaded& loaded) {
  JsonOut engine = toJson(loaded);
  engine.erase("model");
  return writeLine({{"format", kFormat},
                    {"version", kVersion},
                    {"model", toJson(loaded.model)},
                    {"engine", engine},
                    {"seed", loaded.seed},
                    {"program", std::string("vitrine ") + version()}});
}

std::string writtenEnd(std::int64_t events) { return writeLine({{"end", {{"events", events}}}}); }

void checkHeader(std::string_view line) {
  const JsonIn header = parseLine(line);
  std::string format;
  std::int64_t version = 0;
  fromJson("format", memberOf("format", header), format);
  if (format != kFormat) throw EngineError(ErrorCode::kFileCorrupt, "the first line is not a trace's header");
  fromJson("version", memberOf("version", header), version);
  if (version != kVersion)
    throw EngineError(ErrorCode::kUnsupported,
                      "trace version " + std::to_string(version) + " is not known here",
                      "This program reads version " + std::to_string(kVersion) +
                          "; record the trace again, or use the program that wrote it.");
}

// Nothing when the line is an event.
std::optional<std::int64_t> eventsAtEnd(const JsonIn& line) {
  if (!line.is_object() || !line.contains("end")) return std::nullopt;
  std::int64_t events = 0;
  fromJson("events", memberOf("events", memberOf("end", line)), events);
  return events;
}

// Takes bytes as they come and hands on one event a line.
class LineReader {
 public:
  explicit LineReader(const std::function<void(const Event&)>& accept) : m_accept(accept) {}

  void add(std::string_view bytes) {
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
      if (m_begun.empty()) {
        take(bytes.substr(0, end));
      } else {
        take(m_begun.append(bytes.substr(0, end)));
        m_begun.clear();
      }
    }
    m_begun.append(bytes);
    if (m_begun.size() > kMaxLineBytes) corrupt("the line is longer than 16 MiB");
  }

  // Whether the last line has come.
  bool finish() const {
    if (!m_begun.empty()) corrupt("the trace is cut in the middle of this line");
    if (m_line == 1) corrupt("the trace is empty");
    return m_ended;
  }

 private:
  [[noreturn]] void corrupt(const std::string& what) const {
    throw EngineError(ErrorCode::kFileCorrupt, "line " + std::to_string(m_line) + ": " + what,
                      "The trace is damaged from here on; record it again.");
  }

  void take(std::string_view line) {
    try {
      if (m_line == 1)
        checkHeader(line);
      else
        takeEvent(parseLine(line));
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kFileCorrupt) throw;
      corrupt(error.what());
    }
    ++m_line;
  }

  void takeEvent(const JsonIn& line) {
    if (m_ended) throw EngineError(ErrorCode::kFileCorrupt, "the trace goes on behind its end");
    const std::optional<std::int64_t> events = eventsAtEnd(line);
    m_ended = events.has_value();
    if (!m_ended) return m_accept(eventFrom(line));
    if (*events != m_line - 2) throw EngineError(ErrorCode::kFileCorrupt, "the trace's count of its events");
  }

  const std::function<void(const Event&)>& m_accept;
  std::string m_begun;  // a line whose end has not come yet
  std::int64_t m_line = 1;
  bool m_ended = false;
};

// What verifyTrace() knows of the trace so far.
class Verifier {
 public:
  void add(const Event& event) {
    const bool snapshot = std::holds_alternative<Snapshot>(event.body);
    if (m_report.events == 0) {
      require(isA<EngineLoaded>(event), "a trace begins with engine_loaded");
      m_run = event.run;
      m_next = event.number;
    } else {
      require(!isA<EngineLoaded>(event), "a trace holds one run");
    }
    require(event.run == m_run, "an event of another run");
    require(event.timeNs >= m_timeNs, "time runs backwards");
    snapshot ? checkSnapshot(event) : checkNumber(event);
    m_timeNs = event.timeNs;
    ++m_report.events;
  }
  TraceReport report(bool whole) const {
    TraceReport told = m_report;
    told.whole = whole;
    return told;
  }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) throw EngineError(ErrorCode::kFileCorrupt, what);
  }

  // A snapshot is not numbered itself: it is the state after the event whose number it has.
  void checkSnapshot(const Event& event) {
    if (m_report.events == 1) {  // recording began in the middle of a run
      m_state.apply(event);
      m_next = event.number + 1;
      m_report.lastStep = m_state.step;
    }
    require(event.number == m_next - 1 && event.step == m_state.step, "a snapshot out of place");
    require(*std::get<Snapshot>(event.body).state == m_state, "the snapshot differs from the replayed state");
    ++m_report.snapshots;
  }

  void checkNumber(const Event& event) {
    require(event.number == m_next, "an event is missing or repeated");
    const EventsDropped* dropped = std::get_if<EventsDropped>(&event.body);
    const std::int64_t stands = dropped == nullptr ? 1 : dropped->details;
    require(stands >= 1 && stands <= std::numeric_limits<std::int64_t>::max() - m_next,
            "a count out of range");
    m_next += stands;
    m_state.apply(event);
    if (const StepFinished* finished = std::get_if<StepFinished>(&event.body)) checkStep(*finished);
  }

  void checkStep(const StepFinished& finished) {
    requireConsistent(m_state);
    ++m_report.steps;
    m_report.lastStep = m_state.step;
    int freeBlocks = 0, cachedBlocks = 0;
    for (const BlockState& block : m_state.blocks) {
      freeBlocks += block.refCount == 0 ? 1 : 0;
      cachedBlocks += block.refCount == 0 && block.cached ? 1 : 0;
    }
    require(finished.freeBlocks == freeBlocks && finished.cachedBlocks == cachedBlocks,
            "the step's count of free blocks");
    require(finished.waiting == static_cast<int>(m_state.waiting.size()) &&
                finished.running == static_cast<int>(m_state.running.size()),
            "the step's count of sequences");
  }

  MachineState m_state;
  TraceReport m_report;
  std::int32_t m_run = 0;
  std::int64_t m_next = 0, m_timeNs = 0;
};

}  // namespace

TraceWriter::TraceWriter(const std::filesystem::path& file) : m_file(file) {}

void TraceWriter::writeLine(const std::string& line) {
  if (line.size() > kMaxLineBytes) throw EngineError(ErrorCode::kIo, "an event is too large for a trace");
  m_file.write(line + '\n');
}

void TraceWriter::publish(const Event& event) {
  if (!m_error.empty()) return;
  try {
    const bool begun = m_state.blockSize > 0;
    if (const EngineLoaded* loaded = bodyOf<EngineLoaded>(event)) {
      if (begun) throw EngineError(ErrorCode::kIo, "a trace holds one run, and another engine was loaded");
      writeLine(headerLine(*loaded));
    } else if (!begun) {
      return;  // without an engine there is nothing to tell of
    }
    m_state.apply(event);
    writeLine(eventToJson(event));
    ++m_events;
    if (!std::holds_alternative<StepFinished>(event.body) || event.step % Recording::kSnapshotInterval != 0)
      return;
    Event snapshot = event;
    snapshot.body = Snapshot{std::make_shared<const MachineState>(m_state)};
    const std::string line = eventToJson(snapshot);
    if (line.size() > kMaxLineBytes) return;  // a reader does without, only more slowly
    writeLine(line);
    ++m_events;
  } catch (const std::exception& error) {
    m_error = *error.what() != '\0' ? error.what() : "unknown error";
  }
}

void TraceWriter::finish() {
  if (m_error.empty() && m_state.blockSize == 0)
    m_error = "no engine was loaded, so there is nothing to record";
  try {
    if (!m_error.empty()) throw EngineError(ErrorCode::kIo, m_error);
    writeLine(writtenEnd(m_events));
    m_file.finish();
  } catch (const EngineError& error) {
    throw EngineError(ErrorCode::kIo, "the trace was not saved: " + std::string(error.what()),
                      "Look for free space on the disk, and record it again.");
  }
}

bool parseTrace(std::string_view bytes, const std::function<void(const Event&)>& accept) {
  LineReader reader(accept);
  reader.add(bytes);
  return reader.finish();
}

bool readTrace(const std::filesystem::path& path, const std::function<void(const Event&)>& accept) {
  LineReader reader(accept);
  readChunks(path, [&](std::string_view chunk) { reader.add(chunk); });
  return reader.finish();
}

TraceReport verifyTrace(const std::filesystem::path& file) {
  Verifier verifier;
  const bool whole = readTrace(file, [&](const Event& event) { verifier.add(event); });
  return verifier.report(whole);
}

}  // namespace vitrine

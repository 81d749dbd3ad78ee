#include <optional>

#include "events/state_json.h"
#include "events/trace_format.h"
#include "formats/input_file.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

constexpr std::size_t kMostUnknownNames = 32;  // a hostile file may hold any number

// Takes bytes as they come and hands on one event a line.
class LineReader {
 public:
  // `file` stands in errors; empty when the bytes come from no file.
  LineReader(std::string file, const EventReader& accept, const EventReader& skip)
      : m_accept(accept), m_skip(skip), m_prefix(file.empty() ? "" : std::move(file) + ": ") {}

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

  TraceReading finish() const {
    if (!m_begun.empty()) corrupt("the trace is cut in the middle of this line");
    if (m_line == 1) corrupt("the trace is empty");
    return m_reading;
  }

 private:
  [[noreturn]] void corrupt(const std::string& what) const {
    std::string hint = "The trace is damaged from here on; record it again.";
    if (m_reading.skipped > 0)
      hint = "This program does not know, and skipped, " + std::to_string(m_reading.skipped) +
             " events before this line, such as " + m_reading.unknown.begin()->first +
             "; read the trace with the program that wrote it.";
    throw EngineError(ErrorCode::kFileCorrupt, m_prefix + "line " + std::to_string(m_line) + ": " + what,
                      hint);
  }

  void take(std::string_view line) {
    try {
      if (m_line == 1)
        takeHeader(line);
      else
        takeLine(parseLine(line));
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kFileCorrupt) throw;
      corrupt(error.what());
    }
    ++m_line;
  }

  void takeHeader(std::string_view line) {
    try {
      checkTraceHeader(line);
    } catch (const EngineError& error) {
      if (error.code() != ErrorCode::kUnsupported) throw;
      throw EngineError(error.code(), m_prefix + error.what(), error.hint());
    }
  }

  void takeLine(JsonIn line) {
    if (m_reading.whole) throw EngineError(ErrorCode::kFileCorrupt, "the trace goes on behind its end");
    std::optional<TraceEnd> end = traceEndFrom(line);
    m_reading.whole = end.has_value();
    if (!end) return takeEvent(eventLineFrom(std::move(line)));
    if (end->events != m_line - 2)
      throw EngineError(ErrorCode::kFileCorrupt, "the trace's count of its events");
    m_reading.bookmarks = std::move(end->bookmarks);
  }

  void takeEvent(const EventLine& line) {
    for (const std::string& name : line.unknown) countUnknown(name);
    if (line.known) return m_accept(line.event);
    ++m_reading.skipped;
    if (m_skip) m_skip(line.event);
  }

  void countUnknown(const std::string& name) {
    const bool room = m_reading.unknown.size() < kMostUnknownNames || m_reading.unknown.contains(name);
    ++m_reading.unknown[room ? name : "others"];
  }

  const EventReader& m_accept;
  const EventReader& m_skip;
  std::string m_prefix;
  std::string m_begun;  // a line whose end has not come yet
  std::int64_t m_line = 1;
  TraceReading m_reading;
};

}  // namespace

TraceReading parseTrace(std::string_view bytes, const EventReader& accept, const EventReader& skip) {
  LineReader reader({}, accept, skip);
  reader.add(bytes);
  return reader.finish();
}

TraceReading readTrace(const std::filesystem::path& path, const EventReader& accept,
                       const EventReader& skip) {
  LineReader reader(path.string(), accept, skip);
  readChunks(path, [&](std::string_view chunk) { reader.add(chunk); });
  return reader.finish();
}

}  // namespace vitrine

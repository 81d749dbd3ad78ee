#include <optional>

#include "core/input_file.h"
#include "events/state_json.h"
#include "events/trace_format.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

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
        checkTraceHeader(line);
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
    const std::optional<std::int64_t> events = eventsAtTraceEnd(line);
    m_ended = events.has_value();
    if (!m_ended) return m_accept(eventFrom(line));
    if (*events != m_line - 2) throw EngineError(ErrorCode::kFileCorrupt, "the trace's count of its events");
  }

  const std::function<void(const Event&)>& m_accept;
  std::string m_begun;  // a line whose end has not come yet
  std::int64_t m_line = 1;
  bool m_ended = false;
};

}  // namespace

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

}  // namespace vitrine

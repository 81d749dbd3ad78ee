#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "events/json_value.h"
#include "events/trace_format.h"
#include "vitrine/option_schema.h"
#include "vitrine/place_name.h"
#include "vitrine/recording.h"
#include "vitrine/trace.h"

namespace vitrine {

namespace {

// A folder keeps its name, by which a model is found again. That of the swap file is of use here alone.
void hidePaths(EngineOptions& options) {
  visitEngineOptions(options, [](const auto& info, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
      if (info.text == TextKind::kFolder) value = placeName(value);
  });
  options.swapFolder.clear();
}

EngineLoaded named(EngineLoaded loaded) {
  loaded.model.path = placeName(loaded.model.path);
  hidePaths(loaded.options);
  return loaded;
}

// What a trace must not carry away: where this computer has its files. Nothing for most events.
std::optional<Event> named(const Event& event) {
  Event copy;
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    copy = event;
    copy.body = named(*loaded);
  } else if (const auto* changed = bodyOf<OptionsChanged>(event)) {
    OptionsChanged body = *changed;
    hidePaths(body.options);
    copy = event;
    copy.body = std::move(body);
  } else if (const auto* failed = bodyOf<EngineFailed>(event)) {
    copy = event;
    copy.body = EngineFailed{failed->code, withPlaceNames(failed->message), withPlaceNames(failed->hint)};
  } else {
    return std::nullopt;
  }
  return copy;
}

}  // namespace

std::string traceHeader(const EngineLoaded& loaded) { return headerLine(named(loaded)); }

std::string traceLine(const Event& event) {
  const std::optional<Event> changed = named(event);
  return eventToJson(changed ? *changed : event);
}

TraceWriter::TraceWriter(const std::filesystem::path& file) : m_file(file) {}

void TraceWriter::writeLine(const std::string& line) {
  if (line.size() > kMaxLineBytes) throw EngineError(ErrorCode::kIo, "an event is too large for a trace");
  m_file.write(line);
  m_file.write("\n");
}

void TraceWriter::publish(const Event& event) {
  if (!m_error.empty()) return;
  try {
    const bool begun = m_state.blockSize > 0;
    if (const EngineLoaded* loaded = bodyOf<EngineLoaded>(event)) {
      if (begun) throw EngineError(ErrorCode::kIo, "a trace holds one run, and another engine was loaded");
      writeLine(traceHeader(*loaded));
    } else if (!begun) {
      return;  // without an engine there is nothing to record
    }
    m_state.apply(event);
    writeLine(traceLine(event));
    ++m_events;
    if (!std::holds_alternative<StepFinished>(event.body) || event.step % Recording::kSnapshotInterval != 0)
      return;
    Event snapshot = event;
    snapshot.body = Snapshot{std::make_shared<const MachineState>(m_state)};
    const std::string line = traceLine(snapshot);
    if (line.size() > kMaxLineBytes) return;  // a reader does without, only more slowly
    writeLine(line);
    ++m_events;
  } catch (const std::exception& error) {
    m_error = *error.what() != '\0' ? error.what() : "unknown error";
  }
}

void TraceWriter::finish(const std::set<int>& bookmarks) {
  if (m_error.empty() && m_state.blockSize == 0)
    m_error = "no engine was loaded, so there is nothing to record";
  try {
    if (!m_error.empty()) throw EngineError(ErrorCode::kIo, m_error);
    writeLine(toLine(TraceEnd{m_events, bookmarks}));
    m_file.finish();
  } catch (const EngineError& error) {
    throw EngineError(ErrorCode::kIo, "the trace was not saved: " + std::string(error.what()),
                      "Look for free space on the disk, and record it again.");
  }
}

}  // namespace vitrine

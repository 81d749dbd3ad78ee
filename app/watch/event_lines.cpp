#include "watch/event_lines.h"

#include <nlohmann/json.hpp>

#include "vitrine/error.h"
#include "vitrine/json_reader.h"
#include "vitrine/trace.h"

namespace vitrine::watch {
namespace {

constexpr int kTraceVersion = 3;

EngineError contradiction(const std::string& what) {
  return {ErrorCode::kFileCorrupt, "the server's events contradict each other: " + what,
          "It may run another version of Vitrine."};
}

// A header, {"format": ...}, or {"dropped": ...}: what stands between events.
nlohmann::json controlIn(std::string_view message) {
  const bool mayBe = message.starts_with("{\"dropped\"") || message.starts_with("{\"format\"");
  nlohmann::json control;
  return mayBe && parseJson(message, {}, control).empty() ? control : nlohmann::json();
}

void requireHeader(const nlohmann::json& header) {
  if (header["format"] == "vitrine-trace" && header.contains("version") && header["version"] == kTraceVersion)
    return;
  throw EngineError(ErrorCode::kUnsupported, "the server sends no events that this program knows",
                    "It may run another version of Vitrine.");
}

}  // namespace

std::vector<Event> EventLines::take(std::string_view message) {
  if (const nlohmann::json control = controlIn(message); control.is_object()) {
    if (control.contains("format")) {
      requireHeader(control);
      m_hasHeader = m_isNewHeader = true;
    } else {
      m_needsSnapshot = true;
    }
    return {};
  }
  if (!m_hasHeader)
    throw EngineError(ErrorCode::kUnsupported, "the server sends no events that this program knows",
                      "Name one that vitrine-cli serve or the window's Serve has started.");
  Event event = eventFromJson(message);
  if (isA<EngineLoaded>(event)) {
    if (!m_isNewHeader) throw contradiction("a run begins without a header");
    m_isNewHeader = false;
    m_state = {};
    m_state.apply(event);
    m_loaded = std::move(event);
    m_needsSnapshot = true;
    return {};
  }
  if (!m_loaded || event.run != m_loaded->run) throw contradiction("an event belongs to no run");
  if (m_needsSnapshot) {
    if (!isA<Snapshot>(event)) throw contradiction("a run begins without the machine's state");
    m_state.apply(event);
    m_needsSnapshot = false;
    m_next = event.number + 1;
    return {*m_loaded, std::move(event)};
  }
  if (isA<Snapshot>(event)) return {};  // says again what the events have said
  check(event);
  return {std::move(event)};
}

// Numbers without gaps, but for details that were left out; and the state takes the event.
void EventLines::check(const Event& event) {
  if (event.number != m_next) throw contradiction("event " + std::to_string(m_next) + " is missing");
  const auto* const dropped = bodyOf<EventsDropped>(event);
  m_next = event.number + (dropped != nullptr ? dropped->details : 1);
  m_state.apply(event);
}

}  // namespace vitrine::watch

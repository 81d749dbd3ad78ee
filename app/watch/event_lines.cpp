#include "watch/event_lines.h"

#include <nlohmann/json.hpp>

#include "vitrine/error.h"
#include "vitrine/json_reader.h"
#include "vitrine/trace.h"

namespace vitrine::watch {
namespace {

EngineError contradiction(const std::string& what) {
  return {ErrorCode::kFileCorrupt, "the server's events contradict each other: " + what,
          "It may run another version of Vitrine."};
}

EngineError unknown(const char* hint) {
  return {ErrorCode::kUnsupported, "the server sends no events that this program knows", hint};
}

void requireHeader(std::string_view message) {
  try {
    checkTraceHeader(message);
  } catch (const EngineError&) {
    throw unknown("It may run another version of Vitrine.");
  }
}

// {"dropped": ...}: events were left out.
bool tellsOfGap(std::string_view message) {
  nlohmann::json gap;
  return message.starts_with("{\"dropped\"") && parseJson(message, {}, gap).empty();
}

}  // namespace

std::vector<Event> EventLines::take(std::string_view message) {
  if (message.starts_with("{\"format\"")) {
    requireHeader(message);
    m_hasHeader = m_isNewHeader = true;
    return {};
  }
  if (tellsOfGap(message)) {
    m_run.reset();
    return {};
  }
  if (!m_hasHeader) throw unknown("Name one that vitrine-cli serve or the window's Serve has started.");
  Event event = eventFromJson(message);
  if (isA<EngineLoaded>(event)) {
    if (!m_isNewHeader) throw contradiction("a run begins without a header");
    m_isNewHeader = false;
    m_loaded = std::move(event);
    m_run.reset();
    return {};
  }
  if (!m_loaded || event.run != m_loaded->run) throw contradiction("an event belongs to no run");
  if (!m_run) return begin(std::move(event));
  if (isA<Snapshot>(event)) return {};  // says again what the events have said
  check(event);
  return {std::move(event)};
}

std::vector<Event> EventLines::begin(Event snapshot) {
  if (!isA<Snapshot>(snapshot)) throw contradiction("a run begins without the machine's state");
  m_run.emplace();
  check(*m_loaded);
  check(snapshot);
  return {*m_loaded, std::move(snapshot)};
}

void EventLines::check(const Event& event) {
  try {
    m_run->add(event);
  } catch (const EngineError& error) {
    throw contradiction(error.what());
  }
}

}  // namespace vitrine::watch

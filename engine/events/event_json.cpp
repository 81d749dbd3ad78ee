#include <algorithm>
#include <type_traits>

#include "events/event_fields.h"
#include "events/json_line.h"
#include "events/state_json.h"
#include "vitrine/message_text.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

constexpr std::size_t kUsualLine = 256;  // bytes

template <std::size_t... I>
EventBody bodyFromJson(std::size_t kind, const JsonIn& data, std::index_sequence<I...>) {
  EventBody body;
  const auto read = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    using Body = std::variant_alternative_t<K, EventVariant>;
    std::decay_t<decltype(unboxed(std::declval<Body>()))> value{};
    fromJson("data", data, value);
    if constexpr (std::is_same_v<Body, Snapshot>)
      if (!value.state) corruptField("state", "is missing");
    body = std::move(value);
  };
  ((kind == I ? read(std::integral_constant<std::size_t, I>()) : void()), ...);
  return body;
}

EventBody bodyFromJson(std::size_t kind, const JsonIn& data) {
  return bodyFromJson(kind, data, std::make_index_sequence<std::variant_size_v<EventVariant>>());
}

std::string inWords(const std::string& event, const UnknownWord& word) {
  const std::string field = word.path().empty() ? "phase" : word.path().back();
  return event + " (" + field + " \"" + word.word() + "\")";
}

// A trace cannot be replayed without its engine_loaded. There the word only describes an option, so the field
// is removed and reads as its default. False when there is no such field.
bool dropField(JsonIn& data, const std::vector<std::string>& path) {
  if (path.empty()) return false;
  JsonIn* holder = &data;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (!holder->is_object() || !holder->contains(path[i])) return false;
    holder = &(*holder)[path[i]];
  }
  return holder->is_object() && holder->erase(path.back()) == 1;
}

void readBody(std::size_t kind, const std::string& name, JsonIn& data, EventLine& line) {
  for (;;) {
    try {
      line.event.body = bodyFromJson(kind, data);
      line.known = true;
      return;
    } catch (const UnknownWord& word) {
      line.unknown.push_back(inWords(name, word));
      if (name != Description<EngineLoaded>::kName || !dropField(data, word.path())) return;
    }
  }
}

}  // namespace

std::string eventToJson(const Event& event) {
  std::string line;
  line.reserve(kUsualLine);
  line += "{\"event\":";
  appendName(line, eventName(event));
  const auto add = [&line](const char* name, auto value) {
    line += ',';
    appendName(line, name);
    line += ':';
    appendJson(line, value);
  };
  add("number", event.number);
  add("run", event.run);
  add("step", event.step);
  add("phase", event.phase);
  add("time_ns", event.timeNs);
  line += ",\"data\":";
  std::visit([&line](const auto& body) { appendJson(line, unboxed(body)); }, event.body);
  line += '}';
  return line;
}

Event eventFromJson(std::string_view line) { return eventFrom(parseLine(line)); }

EventLine eventLineFrom(JsonIn in) {
  EventLine line;
  Event& event = line.event;
  const auto read = [&](const char* name, auto& value) { fromJson(name, memberOf(name, in), value); };
  read("number", event.number);
  read("run", event.run);
  read("step", event.step);
  read("time_ns", event.timeNs);
  if (event.number < 0 || event.step < 0) corruptField("number", "or step is negative");
  std::string name;
  read("event", name);
  memberOf("data", in);
  const auto info = std::ranges::find_if(allEvents(), [&](const EventInfo& one) { return one.name == name; });
  if (info == allEvents().end()) {
    line.unknown.push_back(forMessage(name, 60));
    return line;
  }
  try {
    read("phase", event.phase);
  } catch (const UnknownWord& word) {
    line.unknown.push_back(inWords(name, word));
    return line;
  }
  readBody(static_cast<std::size_t>(info - allEvents().begin()), name, in["data"], line);
  return line;
}

Event eventFrom(JsonIn in) {
  EventLine line = eventLineFrom(std::move(in));
  if (!line.unknown.empty())
    throw EngineError(ErrorCode::kFileCorrupt, "this event is not known here: " + line.unknown.front());
  return std::move(line.event);
}

}  // namespace vitrine

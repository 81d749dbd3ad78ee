#include <algorithm>
#include <type_traits>

#include "events/event_fields.h"
#include "events/json_fields.h"
#include "events/state_json.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

template <std::size_t... I>
EventBody bodyFromJson(std::size_t kind, const JsonIn& data, std::index_sequence<I...>) {
  EventBody body;
  const auto read = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    using Body = std::variant_alternative_t<K, EventBody>;
    std::decay_t<decltype(unboxed(std::declval<Body>()))> value{};
    fromJson("data", data, value);
    body = std::move(value);
  };
  ((kind == I ? read(std::integral_constant<std::size_t, I>()) : void()), ...);
  return body;
}

}  // namespace

std::string eventToJson(const Event& event) {
  JsonOut out = {{"event", eventName(event)}, {"number", event.number},       {"run", event.run},
                 {"step", event.step},        {"phase", toJson(event.phase)}, {"time_ns", event.timeNs}};
  out["data"] = std::visit([](const auto& body) { return toJson(unboxed(body)); }, event.body);
  return writeLine(out);
}

Event eventFromJson(std::string_view line) { return eventFrom(parseLine(line)); }

Event eventFrom(const JsonIn& in) {
  Event event;
  const auto read = [&](const char* name, auto& value) { fromJson(name, memberOf(name, in), value); };
  read("number", event.number);
  read("run", event.run);
  read("step", event.step);
  read("phase", event.phase);
  read("time_ns", event.timeNs);
  if (event.number < 0 || event.step < 0) corruptField("number", "or step is negative");
  std::string name;
  read("event", name);
  const auto infos = allEvents();
  const auto info = std::ranges::find_if(infos, [&](const EventInfo& one) { return one.name == name; });
  if (info == infos.end()) corruptField("event", "has an unknown value");
  event.body = bodyFromJson(static_cast<std::size_t>(info - infos.begin()), memberOf("data", in),
                            std::make_index_sequence<std::variant_size_v<EventBody>>());
  return event;
}

}  // namespace vitrine

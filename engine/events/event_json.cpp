#include <algorithm>
#include <type_traits>

#include "events/event_fields.h"
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

const char* eventName(const Event& event) { return kEventNames[event.body.index()]; }

bool isEventName(std::string_view name) { return std::ranges::find(kEventNames, name) != kEventNames.end(); }

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
  const std::size_t kind =
      indexOfName("event", memberOf("event", in), kEventNames.data(), kEventNames.size());
  event.body = bodyFromJson(kind, memberOf("data", in), std::make_index_sequence<kEventNames.size()>());
  return event;
}

}  // namespace vitrine

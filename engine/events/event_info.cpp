// What the descriptions of all events say together; the compiler checks that they agree with the structs.
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "events/event_fields.h"
#include "events/member_count.h"
#include "vitrine/event.h"

namespace vitrine {
namespace {

template <typename T>
struct BodyOf {
  using type = T;
};
template <typename T>
struct BodyOf<Boxed<T>> {
  using type = T;
};

template <typename Variant>
struct Infos;
template <typename... Bodies>
struct Infos<std::variant<Bodies...>> {
  static_assert((DescribedEvent<typename BodyOf<Bodies>::type> && ...), "an event without a description");
  static_assert((describesAllMembers<typename BodyOf<Bodies>::type>() && ...),
                "an event whose description lacks a member, or names one twice");
  static constexpr std::array<EventInfo, sizeof...(Bodies)> list = {
      Description<typename BodyOf<Bodies>::type>::kInfo...};
};

constexpr auto& kInfos = Infos<EventVariant>::list;

constexpr bool namesAreUnique() {
  for (std::size_t i = 0; i < kInfos.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (std::string_view(kInfos[i].name) == kInfos[k].name) return false;
  return true;
}
static_assert(namesAreUnique(), "two events have one name");

static_assert(std::tuple_size_v<decltype(OptionTable<EngineOptions>::list)> + 1 ==
                      memberCount<EngineOptions>() &&
                  std::tuple_size_v<decltype(OptionTable<SpeculationOptions>::list)> ==
                      memberCount<SpeculationOptions>(),
              "an option without an entry in engine_option_table.h: no trace would have it");
// A request has six members that are no options: its name, the prompt in three, the forced beginning, and the
// options of sampling.
static_assert(std::tuple_size_v<decltype(OptionTable<Request>::list)> + 6 == memberCount<Request>() &&
                  std::tuple_size_v<decltype(OptionTable<SamplingOptions>::list)> ==
                      memberCount<SamplingOptions>(),
              "an option without an entry in request_option_table.h: no trace would have it");

}  // namespace

const EventInfo& infoOf(const Event& event) { return kInfos[event.body.index()]; }

std::span<const EventInfo> allEvents() { return kInfos; }

bool isEventName(std::string_view name) {
  for (const EventInfo& info : kInfos)
    if (info.name == name) return true;
  return false;
}

}  // namespace vitrine

// Descriptions: what a struct is called in files, its fields and, of an event, its kind and role.
//
// A description stands beside its struct and is the only place that names these: event names and kinds, JSON
// both ways and the schema of a trace are derived from it. The names are those of files: they stay when a
// member is renamed. Thread: any. Read next: events/blocks.h, then event.h.
#pragma once

#include <cstdint>

#include "vitrine/names.h"

namespace vitrine {

// What an event is about; logs filter by it.
enum class EventKind : std::uint8_t { kEngine, kRequest, kSequence, kBlock, kStep, kToken };
inline constexpr int kEventKindCount = 6;
VITRINE_NAMES(EventKind, "engine", "request", "sequence", "block", "step", "token");
static_assert(Names<EventKind>::list.size() == kEventKindCount);

// kDecision: a step that is repeated must decide it again, and resuming a run compares it
// (events/event_digest.h). kReport: it tells of an input, of the phases or of a measurement, and is not
// compared. kDetail: a report that is published on request, and that a full queue may drop.
enum class EventRole : std::uint8_t { kDecision, kReport, kDetail };

struct EventInfo {
  const char* name;  // "block_freed"
  EventKind kind;
  EventRole role;
};

// Has `static constexpr const char* kName` and the function template fields(visitor), which calls
// visitor(name, member) for each field; of an event also `static constexpr EventInfo kInfo`. `member` is a
// pointer to a member, a Hexadecimal or a Nested.
template <typename T>
struct Description;

template <typename T>
concept Described = requires {
  Description<T>::kName;
};
template <typename T>
concept DescribedEvent = requires {
  Description<T>::kInfo;
};

// A hash, which files spell as hexadecimal text: other readers of JSON lose the bits beyond 2^53.
template <typename T>
struct Hexadecimal {
  std::uint64_t T::*member;
};
template <typename T>
constexpr Hexadecimal<T> hexadecimal(std::uint64_t T::*member) {
  return {member};
}

// A member of a member, which files write as a field of the whole.
template <typename T, typename Part, typename M>
struct Nested {
  Part T::*part;
  M Part::*member;
};
template <typename T, typename Part, typename M>
constexpr Nested<T, Part, M> nested(Part T::*part, M Part::*member) {
  return {part, member};
}

}  // namespace vitrine

// Describe a struct, and an event of each role. The fields are calls `field("name", &T::member)`,
// separated by commas, in the order in which files write them. For use in namespace vitrine.
#define VITRINE_STRUCT(Type, name, ...)         \
  template <>                                   \
  struct Description<Type> {                    \
    static constexpr const char* kName = name;  \
    VITRINE_DESCRIBED_FIELDS(Type, __VA_ARGS__) \
  }
#define VITRINE_DECISION(Type, name, kind, ...) \
  VITRINE_DESCRIBED_EVENT(Type, name, kind, kDecision, __VA_ARGS__)
#define VITRINE_REPORT(Type, name, kind, ...) VITRINE_DESCRIBED_EVENT(Type, name, kind, kReport, __VA_ARGS__)
#define VITRINE_DETAIL(Type, name, kind, ...) VITRINE_DESCRIBED_EVENT(Type, name, kind, kDetail, __VA_ARGS__)

#define VITRINE_DESCRIBED_EVENT(Type, name, kind, role, ...)                     \
  template <>                                                                    \
  struct Description<Type> {                                                     \
    static constexpr const char* kName = name;                                   \
    static constexpr EventInfo kInfo = {name, EventKind::kind, EventRole::role}; \
    VITRINE_DESCRIBED_FIELDS(Type, __VA_ARGS__)                                  \
  }
#define VITRINE_DESCRIBED_FIELDS(Type, ...)       \
  template <typename Visitor>                     \
  static constexpr void fields(Visitor&& field) { \
    using T = Type;                               \
    __VA_ARGS__;                                  \
  }

// Events: the only way out of the engine. One variant of plain structs, a header for each subject in events/.
// Every decision is an event, and its reason is data (`needs 4 blocks, 2 free`), never prose: views make the
// prose.
//
// The same stream feeds the Qt models, the trace file and MachineState (machine_state.h), which rebuilds the
// whole machine from any prefix of it. Within a run, `number` counts up by one without gaps.
// Thread: values; the engine publishes them on its own thread. Read next: machine_state.h, event_sink.h,
// trace.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "vitrine/boxed.h"
#include "vitrine/error.h"
#include "vitrine/events/beams.h"
#include "vitrine/events/blocks.h"
#include "vitrine/events/forward.h"
#include "vitrine/events/loading.h"
#include "vitrine/events/preemption.h"
#include "vitrine/events/requests.h"
#include "vitrine/events/roof.h"
#include "vitrine/events/sampling.h"
#include "vitrine/events/scheduling.h"
#include "vitrine/events/speculation.h"
#include "vitrine/events/steps.h"
#include "vitrine/events/swapping.h"

namespace vitrine {

// A full queue dropped detail. This event takes the place of `details` events in a row, and has the number of
// the first.
struct EventsDropped {
  std::int64_t details = 0;
};
VITRINE_REPORT(EventsDropped, "events_dropped", kEngine, field("details", &T::details));

struct MachineState;
// The state after the event that has the same number.
struct Snapshot {
  std::shared_ptr<const MachineState> state;  // never null
};
VITRINE_REPORT(Snapshot, "snapshot", kEngine, field("state", &T::state));

using EventVariant = std::variant<
    Boxed<EngineLoaded>, Boxed<EngineFailed>, Boxed<RequestSubmitted>, Boxed<RequestRejected>,
    RequestCancelled, SamplingChanged, RequestFinished, SequenceWaiting, SequenceAged, SequenceAdmitted,
    SequenceScheduled, SequencePreempted, KvForgotten, SequenceForked, SequenceFinished, BlockAllocated,
    BlockShared, BlockHit, BlockCopied, BlockCached, BlockEvicted, ContextEvicted, BlockFreed, StepStarted,
    StepPlanned, PhaseStarted, StepFinished, DraftProposed, DraftVerified, DraftRolledBack, StepSpeculated,
    TokenSampled, Boxed<TokenCandidates>, LayerTap, EventsDropped, Snapshot, BlockSwappedOut, BlockDemoted,
    BlockSwappedIn, Boxed<SwapFailed>, StepSwapped, SequenceReplaced, Boxed<BeamStep>, Boxed<BeamChosen>,
    AnswersRanked, RequestForgotten, PrefixMissed, Boxed<OptionsChanged>, ForwardMeasured, BatchPadded,
    Boxed<LaunchesMeasured>, Boxed<RoofMeasured>, ForwardAhead, DraftSkipped, Boxed<GrammarMasked>>;

// Its copies and its end are compiled in event.cpp, once: those of the variant took seconds in each source
// that keeps events.
class EventBody final : public EventVariant {
 public:
  using EventVariant::EventVariant;
  using EventVariant::operator=;
  EventBody();
  EventBody(const EventBody&);
  EventBody(EventBody&&) noexcept;
  EventBody& operator=(const EventBody&);
  EventBody& operator=(EventBody&&) noexcept;
  ~EventBody();
};

struct Event {
  std::int32_t run = 0;     // which engine load this belongs to
  std::int64_t number = 0;  // 0, 1, 2, ... within the run
  std::int32_t step = 0;    // 0 before the first step
  Phase phase = Phase::kAdmit;
  std::int64_t timeNs = 0;  // engine time (engine.h), since the run began; never decreases
  EventBody body;
};

// A number for a run that begins, unlike those of all others of this program. Thread: any.
std::int32_t nextRun();

static_assert(sizeof(Event) <= 128, "put a larger body into a Boxed");

// A body as the struct it is, boxed or not.
template <typename T>
const T& unboxed(const T& body) {
  return body;
}
template <typename T>
const T& unboxed(const Boxed<T>& body) {
  return *body;
}

template <typename T, typename... Bodies>
constexpr bool isOneOf(const std::variant<Bodies...>*) {
  return (std::is_same_v<T, Bodies> || ...);
}

// The body when it is a T, boxed or not; null when it is another.
template <typename T>
const T* bodyOf(const EventBody& body) {
  if constexpr (isOneOf<T>(static_cast<const EventBody*>(nullptr))) {
    return std::get_if<T>(&body);
  } else {
    const Boxed<T>* const boxed = std::get_if<Boxed<T>>(&body);
    return boxed != nullptr ? &**boxed : nullptr;
  }
}
template <typename T>
const T* bodyOf(const Event& event) {
  return bodyOf<T>(event.body);
}
template <typename T>
bool isA(const Event& event) {
  return bodyOf<T>(event.body) != nullptr;
}

// What the description of the event's struct says. A full queue may drop detail; everything else is
// lifecycle, which is never dropped.
const EventInfo& infoOf(const Event& event);
inline const char* eventName(const Event& event) { return infoOf(event).name; }  // "block_freed"
inline EventKind eventKind(const Event& event) { return infoOf(event).kind; }
inline bool isDetail(const Event& event) { return infoOf(event).role == EventRole::kDetail; }

std::span<const EventInfo> allEvents();  // in EventVariant's order
bool isEventName(std::string_view name);

}  // namespace vitrine

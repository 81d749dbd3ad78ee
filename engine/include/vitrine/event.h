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
#include <type_traits>
#include <utility>
#include <variant>

#include "vitrine/error.h"
#include "vitrine/events/beams.h"
#include "vitrine/events/blocks.h"
#include "vitrine/events/loading.h"
#include "vitrine/events/requests.h"
#include "vitrine/events/sampling.h"
#include "vitrine/events/scheduling.h"
#include "vitrine/events/speculation.h"
#include "vitrine/events/steps.h"
#include "vitrine/events/swapping.h"

namespace vitrine {

// A full queue dropped detail. This event takes the place of `details` events in a row, and has the number of
// the first.
struct EventsDropped {
  std::int64_t details;
};

struct MachineState;
// The state after the event that has the same number.
struct Snapshot {
  std::shared_ptr<const MachineState> state;  // never null
};

// A body that is too large for the variant. It lives on the heap, immutable and shared by all copies of the
// event, so that an event is small and cheap to copy. It converts to a T; an empty one reads as a default T.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : m_value(std::make_shared<const T>(std::move(value))) {}

  operator const T&() const { return **this; }
  const T& operator*() const {
    static const T kNothing{};
    return m_value ? *m_value : kNothing;
  }
  std::shared_ptr<const T> share() const { return m_value; }

 private:
  std::shared_ptr<const T> m_value;
};

using EventBody =
    std::variant<Boxed<EngineLoaded>, Boxed<EngineFailed>, Boxed<RequestSubmitted>, Boxed<RequestRejected>,
                 RequestCancelled, SamplingChanged, RequestFinished, SequenceWaiting, SequenceAged,
                 SequenceAdmitted, SequenceScheduled, SequencePreempted, KvForgotten, SequenceForked,
                 SequenceFinished, BlockAllocated, BlockShared, BlockHit, BlockCopied, BlockCached,
                 BlockEvicted, ContextEvicted, BlockFreed, StepStarted, StepPlanned, PhaseStarted,
                 StepFinished, DraftProposed, DraftVerified, DraftRolledBack, StepSpeculated, TokenSampled,
                 Boxed<TokenCandidates>, LayerTap, EventsDropped, Snapshot, BlockSwappedOut, BlockDemoted,
                 BlockSwappedIn, Boxed<SwapFailed>, StepSwapped, SequenceReplaced, Boxed<BeamStep>,
                 BeamChosen, AnswersRanked, RequestForgotten>;

struct Event {
  std::int32_t run = 0;     // which engine load this belongs to
  std::int64_t number = 0;  // 0, 1, 2, ... within the run
  std::int32_t step = 0;    // 0 before the first step
  Phase phase = Phase::kAdmit;
  std::int64_t timeNs = 0;  // monotonic, since the run began
  EventBody body;
};

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

// A full queue may drop detail. Everything else is lifecycle, which is never dropped.
bool isDetail(const Event& event);

}  // namespace vitrine

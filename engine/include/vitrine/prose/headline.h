// The headline of a step: one sentence that says what the step decided.
//
// A step has many events, and one of them is what a person would tell. The kind of an event ranks it: a
// failure goes before a preemption, that before an eviction, and so on down to plain decoding. Events of one
// kind share the sentence ("A, B and C start"). It has kMostHeadline characters at most; what it leaves out
// is in "Why this step?" (why.h). Thread: any; pure functions. Read next: why.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vitrine/machine_state.h"
#include "vitrine/prose/event_prose.h"

namespace vitrine::prose {

inline constexpr int kMostHeadline = 120;  // characters, where the names of requests are short

// From the one that is told first.
enum class HeadlineKind : std::uint8_t {
  kFailure,
  kPreemption,
  kEviction,  // of a context, or of cached blocks
  kMiss,      // a prompt is computed again
  kRejection,
  kAdmission,
  kWaiting,  // for a reason that is new
  kCompletion,
  kFirstToken,
  kWork,  // prefill, decode, beams, drafts
  kNothing,
};
inline constexpr int kHeadlineKinds = 11;

struct Headline {
  HeadlineKind kind = HeadlineKind::kNothing;
  std::string text;
  std::vector<Link> links = {};
  std::int64_t event = -1;  // the number of the first event that it tells
};

// `events`: those of one step, or of its beginning, with what came between it and the step before; `after`:
// the state that they lead to. Empty while there is nothing to tell yet.
std::optional<Headline> headlineOf(std::span<const Event> events, const MachineState& after,
                                   const Names& names = {}, const Language& language = english());

// Headline::event alone, without a sentence; -1: nothing to tell yet.
std::int64_t headlineEvent(std::span<const Event> events, const MachineState& after);

}  // namespace vitrine::prose

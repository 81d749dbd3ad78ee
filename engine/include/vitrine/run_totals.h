// RunTotals: what an engine did in a run, added up from its events.
//
// Times are in nanoseconds. Thread: a value. Read next: statistics.h.
#pragma once

#include <array>
#include <cstdint>

#include "vitrine/events/scheduling.h"

namespace vitrine {

struct RunTotals {
  std::int64_t submitted = 0, finished = 0, rejected = 0;  // requests
  std::int64_t promptTokens = 0, cachedTokens = 0;         // of the requests admitted so far
  std::int64_t steps = 0;
  std::int64_t prefillTokens = 0, decodeTokens = 0;      // computed, as planned
  std::int64_t sampledTokens = 0, completionTokens = 0;  // completionTokens: of finished requests
  // Time inside phases of the steps that compute prompt tokens, and of those that only decode; tokens that
  // the latter sampled.
  std::int64_t prefillNs = 0, decodeNs = 0, decodedTokens = 0;
  // By WaitReason: the steps at whose end a sequence waited for that reason, summed over all sequences.
  std::array<std::int64_t, kWaitReasonCount> waitSteps{};
  std::int64_t preemptions = 0;
  std::int64_t recomputedTokens = 0;  // computed a second time, after a preemption or a failed swap
  std::int64_t swapOuts = 0, swapIns = 0, swapFailures = 0;  // of sequences
  std::int64_t swappedOutBytes = 0, swapDemotedBytes = 0, swappedInBytes = 0, swapNs = 0;
  std::int64_t blockHits = 0, evictions = 0, copies = 0;  // blocks
  std::int64_t aged = 0, deadlines = 0, missedDeadlines = 0;
  std::int64_t aheadRows = 0, wastedRows = 0;  // of forwards that began early; computed in vain
  int mostSequences = 0;                       // in one step
};

}  // namespace vitrine

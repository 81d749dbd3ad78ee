// RequestRecord: what the engine keeps of a request beside what the scheduler sees of its sequences.
//
// Records stay when a request has finished, since Engine::snapshot() tells of finished requests too, until
// Engine::forget(); their blocks do not. Thread: the engine's. Read next: engine_impl.h.
#pragma once

#include <memory>
#include <vector>

#include "runtime/beam_group.h"

namespace vitrine {

struct RequestRecord {
  RequestId id = 0;
  Request request;                               // without the prompt's ids, which the first sequence has
  SequenceId firstSequence = 0;                  // the answers' sequences are firstSequence + 0, 1, ...
  std::uint64_t seed = 0;                        // the engine's and the request's own, mixed
  std::vector<std::unique_ptr<Answer>> answers;  // by index; the others come when the first one forks
  std::unique_ptr<BeamGroup> beams;              // null without a beam search

  bool finished = false, cancelled = false, taken = false;
  int promptTokens = 0, cachedTokens = 0;  // cached: at the first admission
  // On the stream's clock; -1: not yet. A preempted sequence that comes back changes none of them.
  std::int64_t submittedNs = 0, admittedNs = -1, firstTokenNs = -1, finishedNs = -1;
  std::int64_t lateNs() const;  // when it has finished: after its deadline, below 0 before it; 0 without one
};

}  // namespace vitrine

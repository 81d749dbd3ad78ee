// RequestRecord: what the engine keeps of a request, in addition to what the scheduler knows of its
// sequences.
//
// A record stays after its request has finished, since Engine::snapshot() describes finished requests too,
// until Engine::forget(); its blocks do not stay. Thread: the engine's. Read next: request_table.h.
#pragma once

#include <memory>
#include <vector>

#include "runtime/answer_grammar.h"
#include "runtime/beam_group.h"

namespace vitrine {

struct RequestRecord {
  RequestId id = 0;
  Request request;                               // without the prompt's ids, which the first sequence has
  SequenceId firstSequence = 0;                  // the answers' sequences are firstSequence + 0, 1, ...
  std::uint64_t seed = 0;                        // the engine's and the request's own, mixed
  std::vector<std::unique_ptr<Answer>> answers;  // by index; the others come when the first one forks
  std::unique_ptr<AnswerGrammar> grammar;        // null without one
  std::unique_ptr<BeamGroup> beams;              // null without a beam search

  bool finished = false, cancelled = false, taken = false;
  int promptTokens = 0, cachedTokens = 0;  // cached: at the first admission
  // In engine time; -1: not yet. A preempted sequence that resumes changes none of them.
  std::int64_t submittedNs = 0, admittedNs = -1, firstTokenNs = -1, finishedNs = -1;

  // Require that the request has finished.
  std::int64_t queueNs() const { return (admittedNs >= 0 ? admittedNs : finishedNs) - submittedNs; }
  std::int64_t ttftNs() const { return firstTokenNs >= 0 ? firstTokenNs - submittedNs : 0; }
  std::int64_t totalNs() const { return finishedNs - submittedNs; }
  std::int64_t lateNs() const;  // time after its deadline, negative before it; 0 without a deadline
};

}  // namespace vitrine

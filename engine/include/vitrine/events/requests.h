// Events of a request's life, from submission to the end.
// Thread: values. Read next: scheduling.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/ids.h"
#include "vitrine/request.h"

namespace vitrine {

enum class FinishReason : std::uint8_t { kStop, kLength, kCancelled, kFailed, kPruned };  // kPruned: a beam
VITRINE_NAMES(FinishReason, "stop", "length", "cancelled", "failed", "pruned");

struct RequestSubmitted {
  RequestId request = 0;
  // With a name and the ids of its prompt: submitted again, it asks for the same. Each option is a field of
  // the event (events/event_fields.h), so that no resumed run lacks one.
  Request asked = {.maxTokens = 0, .sequences = 0};
  // The text of each token, those of asked.outputIds behind the prompt's; empty without a tokenizer.
  std::vector<std::string> pieces = {};
  SequenceId firstSequence = 0;  // it computes the prompt; the others fork from it
  // The policy's order: the request with the smaller rank goes first, then the one with the smaller id.
  std::int64_t rank = 0;
  std::string outputText = {};  // of asked.outputIds, the text that is final
};

struct RequestRejected {
  std::string name, code, message, hint;
};
VITRINE_REPORT(RequestRejected, "request_rejected", kRequest, field("name", &T::name),
               field("code", &T::code), field("message", &T::message), field("hint", &T::hint));

struct RequestCancelled {
  RequestId request = 0;
};
VITRINE_DECISION(RequestCancelled, "request_cancelled", kRequest, field("request", &T::request));

struct SamplingChanged {
  RequestId request = 0;
  SamplingOptions sampling;  // from the next token on
};
VITRINE_DECISION(SamplingChanged, "sampling_changed", kRequest, field("request", &T::request),
                 field("sampling", &T::sampling));

struct RequestFinished {
  RequestId request = 0;
  FinishReason reason = FinishReason::kStop;  // of its last sequence; of a search, of the best answer
  int promptTokens = 0, completionTokens = 0, cachedTokens = 0, preemptions = 0;
  // Since submission; ttftNs includes the queue, and is 0 without a token.
  std::int64_t queueNs = 0, ttftNs = 0, totalNs = 0;
  double deadlineMs = 0;        // since submission; 0: none
  std::int64_t lateNs = 0;      // time after the deadline; negative when the request was early
  bool missedDeadline = false;  // late, and not cancelled
  int givenTokens = 0;          // of completionTokens: the forced beginnings, which were not generated
};
VITRINE_REPORT(RequestFinished, "request_finished", kRequest, field("request", &T::request),
               field("reason", &T::reason), field("prompt_tokens", &T::promptTokens),
               field("completion_tokens", &T::completionTokens), field("cached_tokens", &T::cachedTokens),
               field("preemptions", &T::preemptions), field("queue_ns", &T::queueNs),
               field("ttft_ns", &T::ttftNs), field("total_ns", &T::totalNs),
               field("deadline_ms", &T::deadlineMs), field("late_ns", &T::lateNs),
               field("missed_deadline", &T::missedDeadline), field("given_tokens", &T::givenTokens));

// The engine keeps nothing of a finished request and its sequences any more (Engine::forget()).
struct RequestForgotten {
  RequestId request = 0;
};
VITRINE_REPORT(RequestForgotten, "request_forgotten", kRequest, field("request", &T::request));

}  // namespace vitrine

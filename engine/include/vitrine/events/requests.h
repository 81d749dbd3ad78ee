// Events of a request's life, from submission to the end.
// Thread: values. Read next: scheduling.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/ids.h"
#include "vitrine/options.h"

namespace vitrine {

enum class FinishReason : std::uint8_t { kStop, kLength, kCancelled, kFailed, kPruned };  // kPruned: a beam
VITRINE_NAMES(FinishReason, "stop", "length", "cancelled", "failed", "pruned");

struct RequestSubmitted {
  RequestId request = 0;
  std::string name, prompt;
  std::vector<TokenId> tokenIds;
  // The text of each token, those of outputIds behind the prompt's; empty without a tokenizer.
  std::vector<std::string> pieces;
  SamplingOptions sampling;
  int maxTokens = 0, sequences = 0;
  SequenceId firstSequence = 0;  // it computes the prompt; the others fork from it
  int priority = 0;
  double deadlineMs = 0;  // since submission; 0: none
  // The policy's order: the request with the smaller rank goes first, then the one with the smaller id.
  std::int64_t rank = 0;
  int bestOf = 0, beamWidth = 1;
  double lengthPenalty = 1;
  EarlyStopping earlyStopping = EarlyStopping::kHeuristic;
  bool ignoreEos = false;
  std::vector<std::string> stop = {};
  int logprobs = 0;  // alternatives asked for with each token
  std::uint64_t cacheSalt = 0;
  std::vector<TokenId> outputIds = {};  // the forced beginning of each answer
  std::string outputText = {};          // of it, what is final
};
VITRINE_EVENT(RequestSubmitted, "request_submitted", kRequest, field("request", &T::request),
              field("name", &T::name), field("prompt", &T::prompt), field("token_ids", &T::tokenIds),
              field("pieces", &T::pieces), field("sampling", &T::sampling),
              field("max_tokens", &T::maxTokens), field("sequences", &T::sequences),
              field("first_sequence", &T::firstSequence), field("priority", &T::priority),
              field("deadline_ms", &T::deadlineMs), field("rank", &T::rank), field("best_of", &T::bestOf),
              field("beam_width", &T::beamWidth), field("length_penalty", &T::lengthPenalty),
              field("early_stopping", &T::earlyStopping), field("ignore_eos", &T::ignoreEos),
              field("stop", &T::stop), field("logprobs", &T::logprobs), field("cache_salt", &T::cacheSalt),
              field("output_ids", &T::outputIds), field("output_text", &T::outputText));

struct RequestRejected {
  std::string name, code, message, hint;
};
VITRINE_EVENT(RequestRejected, "request_rejected", kRequest, field("name", &T::name), field("code", &T::code),
              field("message", &T::message), field("hint", &T::hint));

struct RequestCancelled {
  RequestId request = 0;
};
VITRINE_EVENT(RequestCancelled, "request_cancelled", kRequest, field("request", &T::request));

struct SamplingChanged {
  RequestId request = 0;
  SamplingOptions sampling;  // from the next token on
};
VITRINE_EVENT(SamplingChanged, "sampling_changed", kRequest, field("request", &T::request),
              field("sampling", &T::sampling));

struct RequestFinished {
  RequestId request = 0;
  FinishReason reason = FinishReason::kStop;  // of its last sequence
  int promptTokens = 0, completionTokens = 0, cachedTokens = 0, preemptions = 0;
  // Since submission; ttftNs includes the queue, and is 0 without a token.
  std::int64_t queueNs = 0, ttftNs = 0, totalNs = 0;
  double deadlineMs = 0;        // since submission; 0: none
  std::int64_t lateNs = 0;      // time after the deadline; negative when the request was early
  bool missedDeadline = false;  // late, and not cancelled
  int givenTokens = 0;          // of completionTokens: the forced beginnings, which were not generated
};
VITRINE_EVENT(RequestFinished, "request_finished", kRequest, field("request", &T::request),
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
VITRINE_EVENT(RequestForgotten, "request_forgotten", kRequest, field("request", &T::request));

}  // namespace vitrine

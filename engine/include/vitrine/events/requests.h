// Events of a request's life, from submission to the end.
// Thread: values. Read next: scheduling.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/ids.h"
#include "vitrine/options.h"

namespace vitrine {

enum class FinishReason : std::uint8_t { kStop, kLength, kCancelled, kFailed, kPruned };  // kPruned: a beam

struct RequestSubmitted {
  RequestId request;
  std::string name, prompt;
  std::vector<TokenId> tokenIds;
  std::vector<std::string> pieces;  // the text of each token; empty without a tokenizer
  SamplingOptions sampling;
  int maxTokens, sequences;
  SequenceId firstSequence;  // it computes the prompt; the others fork from it
  int priority = 0;
  double deadlineMs = 0;  // since submission; 0: none
  // The policy's order: the request with the smaller rank goes first, then the one with the smaller id.
  std::int64_t rank = 0;
  int bestOf = 0, beamWidth = 1;
  double lengthPenalty = 1;
  EarlyStopping earlyStopping = EarlyStopping::kHeuristic;
};

struct RequestRejected {
  std::string name, code, message, hint;
};

struct RequestCancelled {
  RequestId request;
};

struct SamplingChanged {
  RequestId request;
  SamplingOptions sampling;  // from the next token on
};

struct RequestFinished {
  RequestId request;
  FinishReason reason;  // of its last sequence
  int promptTokens, completionTokens, cachedTokens, preemptions;
  std::int64_t queueNs, ttftNs,
      totalNs;                  // since submission; ttft includes the queue, and is 0 without a token
  double deadlineMs = 0;        // since submission; 0: none
  std::int64_t lateNs = 0;      // time after the deadline; negative when the request was early
  bool missedDeadline = false;  // late, and not cancelled
};

// The engine keeps nothing of a finished request and its sequences any more (Engine::forget()).
struct RequestForgotten {
  RequestId request;
};

}  // namespace vitrine

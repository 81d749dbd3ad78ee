// What an engine hands over directly, for a program that wants results rather than events: the answers of a
// request, and the model's view of a prompt. Thread: values. Read next: engine.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/events/requests.h"

namespace vitrine {

struct TokenLogprob {
  TokenId token;
  double logprob;
  std::vector<std::pair<TokenId, double>> top;
};
struct SequenceResult {
  std::vector<TokenId> tokenIds;  // generated
  std::string text;
  FinishReason reason = FinishReason::kStop;
  double cumulativeLogprob = 0;        // under the model's own distribution
  double score = 0;                    // cumulative logprob / tokens^length penalty; a beam's after penalties
  std::vector<TokenLogprob> logprobs;  // when the request asked
};
struct RequestResult {
  RequestId id = 0;
  std::string name;
  std::vector<SequenceResult> sequences;  // as many as asked for, unless a grammar leaves a search fewer
  int promptTokens = 0, cachedTokens = 0, preemptions = 0;
  int givenTokens = 0;  // of each sequence's tokens, the forced beginning (Request::outputIds)
  std::int64_t queueNs = 0, ttftNs = 0, totalNs = 0;
  double deadlineMs = 0;  // as in RequestFinished
  std::int64_t lateNs = 0;
};

// The model's raw view of one prompt, computed apart from the running requests.
struct ForwardReport {
  std::vector<std::vector<float>> logits;  // [position][vocabulary]
  std::vector<std::vector<float>> hidden;  // [layer][position * hiddenSize], embeddings first, the last
};                                         // after the final norm; empty unless asked for

// What a position's token is chosen from, for a preview of the draw (sampling_preview.h).
struct NextLogits {
  std::vector<float> logits;  // [vocabulary]
  std::vector<std::pair<TokenId, std::string>>
      pieces;  // texts of the most likely tokens, as in TokenCandidates
};

}  // namespace vitrine

// Sampler: chooses a token from logits by a chain of named stages (stages.h). It has no state: the same
// logits, history, options and draw give the same token anywhere.
//
// Ties: greedy and the draw order equal logits by the smaller id. When no logit is above -inf the smallest id
// is drawn, so that broken weights cannot crash a server. Thread: one sampler (it owns scratch memory), one
// thread. Read next: stages.h, candidates.h.
#pragma once

#include <span>
#include <vector>

#include "sampling/draw_key.h"
#include "sampling/stages.h"
#include "vitrine/event.h"

namespace vitrine {

struct SampledToken {
  TokenId token = 0;
  double logprob = 0;  // log softmax of the raw logits at token
};

// Receives what each stage has left: "logits" first, then the table's stages in order.
struct StageRecord {
  std::vector<SamplingStage>* stages = nullptr;  // null: not wanted
  int candidates = 0;                            // the most likely of each stage; 0: all that are left
};

class Sampler {
 public:
  // Whether the stages are recorded changes no bit of the result.
  SampledToken sample(const SamplerInput& input, DrawKey key, const StageRecord& record = {});

  // The same token, without its logprob: a pass over the vocabulary less.
  TokenId choose(const SamplerInput& input, DrawKey key, const StageRecord& record = {});

  // The probability of a token after the stages that the last call ran. Requires such a call; at temperature
  // 0 the stages run only when they are recorded.
  double probabilityOf(TokenId token);

  // The stages alone; draws nothing.
  std::vector<SamplingStage> distribution(const SamplerInput& input, int candidates = 0);

  // What sample() would draw from, as probabilities after all stages. out: [vocabulary].
  void probabilities(const SamplerInput& input, std::span<double> out, const StageRecord& record = {});

  static double logprobOf(const LogitsRow& logits, TokenId token);  // log softmax of the raw logits

  // The most likely tokens of the raw logits with their logprobs, most likely first.
  static std::vector<std::pair<TokenId, double>> topLogprobs(const LogitsRow& row, int count);

 private:
  TokenId mostLikelyToken(const SamplerInput& input);
  void runStages(const SamplerInput& input, const StageRecord& record);
  void add(const StageRecord& record, const char* name);
  TokenId draw(double uniform);

  SamplerState m_state;
};

}  // namespace vitrine

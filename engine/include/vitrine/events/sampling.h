// Events of sampling: the chosen token, and the candidates of each stage.
// Thread: values. Read next: speculation.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/ids.h"

namespace vitrine {

struct TokenSampled {
  SequenceId sequence = 0;
  TokenId token = 0;
  int position = 0;        // of the token in the sequence
  float entropy = -1;      // of the model's own distribution, in bits; -1: not measured
  double logprob = 0;      // under the same
  std::string text;        // that became final with this token; may be empty
  std::string piece = {};  // when `text` is empty, the token as text: "</s>"; empty for a part of a character
};
VITRINE_DECISION(TokenSampled, "token_sampled", kToken, field("sequence", &T::sequence),
                 field("token", &T::token), field("position", &T::position), field("logprob", &T::logprob),
                 field("text", &T::text), field("piece", &T::piece), field("entropy", &T::entropy));

struct Candidate {
  TokenId token = 0;
  float probability = 0;
};
VITRINE_STRUCT(Candidate, "candidate", field("token", &T::token), field("probability", &T::probability));

struct SamplingStage {
  std::string name;
  int kept = 0;                // candidates that are left
  std::vector<Candidate> top;  // most likely first
};
VITRINE_STRUCT(SamplingStage, "sampling_stage", field("name", &T::name), field("kept", &T::kept),
               field("top", &T::top));

struct TokenCandidates {  // detail: a full queue drops it first
  SequenceId sequence = 0;
  int position = 0;
  TokenId chosen = 0;
  std::vector<SamplingStage> stages;
  std::vector<std::string> pieces;  // text of each token in the first stage's `top`
};
VITRINE_DETAIL(TokenCandidates, "token_candidates", kToken, field("sequence", &T::sequence),
               field("position", &T::position), field("chosen", &T::chosen), field("stages", &T::stages),
               field("pieces", &T::pieces));

}  // namespace vitrine

// Events of sampling: the chosen token, and the candidates of each stage.
// Thread: values. Read next: speculation.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine {

struct TokenSampled {
  SequenceId sequence;
  TokenId token;
  int position;      // of the token in the sequence
  double logprob;    // under the model's own distribution
  std::string text;  // that became final with this token; may be empty
};

struct Candidate {
  TokenId token;
  float probability;
};

struct SamplingStage {
  std::string name;
  int kept;                    // candidates that are left
  std::vector<Candidate> top;  // most likely first
};

struct TokenCandidates {  // detail: a full queue drops it first
  SequenceId sequence;
  int position;
  TokenId chosen;
  std::vector<SamplingStage> stages;
  std::vector<std::string> pieces;  // text of each token in the first stage's `top`
};

}  // namespace vitrine

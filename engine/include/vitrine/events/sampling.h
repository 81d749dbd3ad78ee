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
  TokenId token = 0;       // below 0: a number for its text alone (EngineLoaded::isFromOutside())
  int position = 0;        // of the token in the sequence
  float entropy = -1;      // of the model's own distribution, in bits; -1: not measured
  double logprob = 0;      // under the same; above 0: not told
  std::string text;        // that became final with this token; may be empty
  std::string piece = {};  // when `text` is empty, the token as text: "</s>"; empty for a part of a character
};
VITRINE_DECISION(TokenSampled, "token_sampled", kToken, field("sequence", &T::sequence),
                 field("token", &T::token), field("position", &T::position), field("logprob", &T::logprob),
                 field("text", &T::text), field("piece", &T::piece), field("entropy", &T::entropy));

// Before the token of a position is drawn, in a request with a grammar. It follows from the tokens before.
struct GrammarMasked {
  SequenceId sequence = 0;
  int position = 0;                     // of the token in the sequence
  int allowed = 0;                      // tokens of the vocabulary that may come
  bool mayEnd = false;                  // the answer is whole: it may end here
  std::vector<std::string> rules = {};  // where the answer is: names of rules, from the root on
  std::string expected = {};            // characters that may come next, as in a class: "0-9 . e"
};
VITRINE_REPORT(GrammarMasked, "grammar_masked", kToken, field("sequence", &T::sequence),
               field("position", &T::position), field("allowed", &T::allowed), field("may_end", &T::mayEnd),
               field("rules", &T::rules), field("expected", &T::expected));

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
  // In a request with a grammar, as in GrammarMasked.
  std::vector<std::string> rules = {};
  std::string expected = {};
};
VITRINE_DETAIL(TokenCandidates, "token_candidates", kToken, field("sequence", &T::sequence),
               field("position", &T::position), field("chosen", &T::chosen), field("stages", &T::stages),
               field("pieces", &T::pieces), field("rules", &T::rules), field("expected", &T::expected));

}  // namespace vitrine

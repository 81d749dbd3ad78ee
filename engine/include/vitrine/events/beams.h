// Events of requests with several answers: beam search (sampling/beam_search.h) and best-of.
// Thread: values. Read next: ../event.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/ids.h"

namespace vitrine {

// What a step of a beam search does with one continuation.
enum class BeamFate : std::uint8_t {
  kKept,      // it is a beam of the next step
  kFinished,  // complete, and among the best `beamWidth` hypotheses so far
  kWorse,     // complete, and worse than all hypotheses
  kTooLow,    // complete, and not among the best `beamWidth` continuations
  kPruned,    // not complete, and there was no slot for it, or the search has ended
};
VITRINE_NAMES(BeamFate, "kept", "finished", "worse", "too_low", "pruned");

enum class BeamEnd : std::uint8_t {
  kNone,           // the search goes on
  kEnough,         // early stopping: there are as many hypotheses as beams
  kNoImprovement,  // the best beam cannot reach the worst hypothesis: bestPossible, worstFinished
  kNothingLeft,    // all continuations are complete
};
VITRINE_NAMES(BeamEnd, "none", "enough", "no_improvement", "nothing_left");

struct BeamCandidate {
  SequenceId parent = 0;  // the beam it continues
  TokenId token = 0;
  std::string piece;      // the token as text; empty without a tokenizer
  double logprob = 0;     // of the token, after penalties
  double cumulative = 0;  // the sum over the beam
  double score = 0;       // cumulative / tokens^length penalty
  BeamFate fate = BeamFate::kKept;
  SequenceId sequence = 0;  // kKept: the sequence that carries it on
  int hypothesis = 0;       // kFinished: its number in this request, 1, 2, ...
  double modelLogprob = 0;  // of the token, before penalties
};
VITRINE_STRUCT(BeamCandidate, "beam_candidate", field("parent", &T::parent), field("token", &T::token),
               field("piece", &T::piece), field("logprob", &T::logprob), field("cumulative", &T::cumulative),
               field("score", &T::score), field("fate", &T::fate), field("sequence", &T::sequence),
               field("hypothesis", &T::hypothesis), field("model_logprob", &T::modelLogprob));

// One step of the tree: a node is (length, sequence), its parent (length - 1, candidate.parent).
struct BeamStep {
  RequestId request = 0;
  int length = 0;                         // tokens of an answer with these continuations
  std::vector<BeamCandidate> candidates;  // best first; the kept ones are the next beams, best first
  std::vector<int> displaced;             // hypotheses that better ones pushed out
  int finished = 0;                       // number of hypotheses now
  // What early stopping compares; 0 without a beam, without a hypothesis.
  double bestPossible = 0, worstFinished = 0;
  BeamEnd end = BeamEnd::kNone;
};
VITRINE_DECISION(BeamStep, "beam_step", kToken, field("request", &T::request), field("length", &T::length),
                 field("candidates", &T::candidates), field("displaced", &T::displaced),
                 field("finished", &T::finished), field("best_possible", &T::bestPossible),
                 field("worst_finished", &T::worstFinished), field("end", &T::end));

// No continuation of this beam was kept: its sequence takes over the tokens and blocks of another beam.
struct SequenceReplaced {
  SequenceId sequence = 0, parent = 0;
  int sharedBlocks = 0;
};
VITRINE_DECISION(SequenceReplaced, "sequence_replaced", kSequence, field("sequence", &T::sequence),
                 field("parent", &T::parent), field("shared_blocks", &T::sharedBlocks));

// The search has ended, and this is one of its answers; the best one is in the request's first sequence.
struct BeamChosen {
  SequenceId sequence = 0;
  int hypothesis = 0;
  std::vector<TokenId> tokenIds;  // generated; they replace those of the sequence
  std::string text;
  double score = 0;
  std::string piece = {};  // of the last token when it has none of the text: "</s>"; as TokenSampled::piece
};
VITRINE_DECISION(BeamChosen, "beam_chosen", kSequence, field("sequence", &T::sequence),
                 field("hypothesis", &T::hypothesis), field("token_ids", &T::tokenIds),
                 field("text", &T::text), field("score", &T::score), field("piece", &T::piece));

struct RankedAnswer {
  SequenceId sequence = 0;
  double score = 0;
  bool chosen = false;
};
VITRINE_STRUCT(RankedAnswer, "ranked_answer", field("sequence", &T::sequence), field("score", &T::score),
               field("chosen", &T::chosen));

struct AnswersRanked {  // best-of
  RequestId request = 0;
  std::vector<RankedAnswer> answers;  // best first
};
VITRINE_DECISION(AnswersRanked, "answers_ranked", kRequest, field("request", &T::request),
                 field("answers", &T::answers));

}  // namespace vitrine

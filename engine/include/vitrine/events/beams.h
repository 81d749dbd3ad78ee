// Events of requests with several answers: beam search (sampling/beam_search.h) and best-of.
// Thread: values. Read next: ../event.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

enum class BeamEnd : std::uint8_t {
  kNone,           // the search goes on
  kEnough,         // early stopping: there are as many hypotheses as beams
  kNoImprovement,  // the best beam cannot reach the worst hypothesis: bestPossible, worstFinished
  kNothingLeft,    // all continuations are complete
};

struct BeamCandidate {
  SequenceId parent;  // the beam it continues
  TokenId token;
  std::string piece;  // the token as text; empty without a tokenizer
  double logprob;     // of the token, after penalties
  double cumulative;  // the sum over the beam
  double score;       // cumulative / tokens^length penalty
  BeamFate fate;
  SequenceId sequence;  // kKept: the sequence that carries it on
  int hypothesis;       // kFinished: its number in this request, 1, 2, ...
};

// One step of the tree: a node is (length, sequence), its parent (length - 1, candidate.parent).
struct BeamStep {
  RequestId request;
  int length;                             // tokens of an answer with these continuations
  std::vector<BeamCandidate> candidates;  // best first; the kept ones are the next beams, best first
  std::vector<int> displaced;             // hypotheses that better ones pushed out
  int finished;                           // number of hypotheses now
  double bestPossible, worstFinished;  // what early stopping compares; 0 without a beam, without a hypothesis
  BeamEnd end;
};

// No continuation of this beam was kept: its sequence takes over the tokens and blocks of another beam.
struct SequenceReplaced {
  SequenceId sequence, parent;
  int sharedBlocks;
};

// The search has ended, and this is one of its answers; the best one is in the request's first sequence.
struct BeamChosen {
  SequenceId sequence;
  int hypothesis;
  std::vector<TokenId> tokenIds;  // generated; they replace those of the sequence
  std::string text;
  double score;
};

struct RankedAnswer {
  SequenceId sequence;
  double score;
  bool chosen;
};

struct AnswersRanked {  // best-of
  RequestId request;
  std::vector<RankedAnswer> answers;  // best first
};

}  // namespace vitrine

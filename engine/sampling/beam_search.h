// BeamSearch: which continuations of a request's beams are kept. It stores no tokens, text or tensors.
//
// A beam is an unfinished answer with the sum of its tokens' logprobs. A step looks at the best continuations
// over all beams and the whole vocabulary: complete ones become hypotheses when they are good enough, the
// best of the others are the beams of the next step. The rules are those of transformers' generate()
// since 4.50 (do_sample off): logprobs are penalised after the softmax and not normalised again; max(2, 1 +
// end tokens) * width continuations are looked at; a complete one counts only among the first `width`; a
// hypothesis scores its sum divided by tokens^length penalty, its end token counted; when the search ends:
// EarlyStopping (request.h). Ties: the better beam first, then the smaller token; an older hypothesis before
// a newer one. Thread: one object, one thread. Read next: runtime/beam_group.h.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sampling/stages.h"
#include "vitrine/event.h"

namespace vitrine {

struct Continuation {
  TokenId token = 0;
  double logprob = 0;       // after the penalties
  double modelLogprob = 0;  // before
};

// The best ways to go on from one beam.
class ContinuationRanker {
 public:
  // The history is the beam's. Returns the `count` best, best first, or fewer where a grammar allows fewer. A
  // logit that is NaN counts as -inf. Of the options only the penalties apply; what is not allowed is masked
  // before the softmax.
  std::vector<Continuation> best(const SamplerInput& input, int count);

 private:
  void penalise(const TokenHistory& history, const SamplingOptions& options);

  std::vector<double> m_logprobs;  // [vocabulary]
  std::vector<float> m_masked;     // [vocabulary], where a grammar forbids some
  TokenCounts m_counts;
};

struct BeamOptions {
  int width = 1;
  double lengthPenalty = 1;
  EarlyStopping earlyStopping = EarlyStopping::kHeuristic;
  int endTokens = 0;  // how many of the vocabulary end an answer
  int maxTokens = 1;  // at which any answer is complete
};

// What a step decided about one continuation.
struct RankedContinuation {
  int beam = 0;  // 0 is the best one
  Continuation next;
  double cumulative = 0, score = 0;  // score: cumulative / tokens^length penalty
  BeamFate fate = BeamFate::kPruned;
  int hypothesis = 0;  // its number, when kFinished
};
struct BeamSelection {
  std::vector<RankedContinuation> ranked;  // best first; those kept are the next beams, in this order
  std::vector<int> displaced;              // hypotheses that better ones pushed out
  double bestPossible = 0;                 // the score that early stopping compares; 0 without a beam
  BeamEnd end = BeamEnd::kNone;
};

class BeamSearch {
 public:
  struct Hypothesis {
    int number;  // 1, 2, ... in order of completion
    double score;
  };
  // Whether a beam's answer ends with this token.
  using IsComplete = std::function<bool(int beam, TokenId token)>;

  explicit BeamSearch(const BeamOptions& options) : m_options(options) {}

  int continuationsPerBeam() const;  // as many as a step may need of one beam
  // continuations[i]: those of the i-th best beam, best first. Requires that the search has not ended.
  BeamSelection step(std::span<const std::vector<Continuation>> continuations, const IsComplete& isComplete);

  int length() const { return m_length; }                               // tokens of each beam
  const std::vector<double>& beams() const { return m_beams; }          // cumulative logprobs, best first
  const std::vector<Hypothesis>& hypotheses() const { return m_best; }  // best first, at most `width`
  double score(double cumulative, int tokens) const;

 private:
  void rank(std::span<const std::vector<Continuation>> continuations,
            std::vector<RankedContinuation>& ranked) const;
  void complete(RankedContinuation& candidate, BeamSelection& selection);
  bool isFull() const { return static_cast<int>(m_best.size()) == m_options.width; }
  BeamEnd endOf(BeamSelection& selection) const;

  const BeamOptions m_options;
  std::vector<double> m_beams = {0};
  std::vector<Hypothesis> m_best;
  int m_length = 0, m_completed = 0;
};

}  // namespace vitrine

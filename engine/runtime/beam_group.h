// BeamGroup: a request's beam search in the engine. BeamSearch decides which continuations live on; the group
// knows which sequences they belong to and what their answers say.
//
// A search has as many sequences as beams, for its whole life. A beam that goes on keeps its sequence; where
// it goes on in several ways, the others take over sequences of beams that do not, with all blocks shared, or
// fork new ones. Beams may be computed in different steps (a small token budget, a recompute), so each offers
// its continuations when it has its logits, and the group chooses when all have. A sequence that no beam
// needs lies idle with its blocks until one does. Thread: the engine's. Read next: sampling/beam_search.h,
// beams.cpp.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "runtime/answer.h"
#include "sampling/beam_search.h"

namespace vitrine {

class BeamGroup {
 public:
  using TopLogprobs = std::vector<std::pair<TokenId, double>>;
  struct Hypothesis {
    int number;
    FinishReason reason;
    std::vector<TokenId> tokens;  // generated, the end token included
    TextStream stream;
    SequenceResult result;
  };
  // A beam of the next step: `parent` goes on with `token`.
  struct Child {
    Answer* parent;
    Answer* answer;  // which carries it on: the parent itself, or another's; null: to be forked
    TokenId token;
    double modelLogprob;
    TopLogprobs top;
  };
  struct Choice {
    BeamStep event;
    std::vector<Child> children;  // best first; none when the search has ended
  };

  // endTokens: those that end an answer. `first` is the sequence that computes the prompt.
  BeamGroup(const BeamOptions& options, std::vector<TokenId> endTokens, Answer& first);

  int continuationsPerBeam() const { return m_search.continuationsPerBeam(); }
  void offer(const Answer& beam, std::vector<Continuation> continuations, TopLogprobs top);
  // All beams are computed and have offered, and no beam is still to join: an idle sequence may be needed
  // now.
  bool isReady(std::span<const std::unique_ptr<Answer>> answers) const;
  // Requires isReady(answers). `answers` are all the request has.
  Choice choose(std::span<const std::unique_ptr<Answer>> answers);
  void setBeams(std::vector<Answer*> beams) { m_beams = std::move(beams); }

  const std::vector<Hypothesis>& hypotheses() const { return m_hypotheses; }  // best first
  // The beams, best first, and their scores as they are: all there is after a cancellation. None when the
  // search has come to its end.
  std::vector<std::pair<const Answer*, double>> unfinished() const;
  void describe(RequestState& state) const;

 private:
  struct Offer {
    std::vector<Continuation> continuations;
    TopLogprobs top;
  };
  bool completes(const Answer& beam, TokenId token) const;
  bool isEnd(TokenId token) const;
  void addHypothesis(const RankedContinuation& candidate, const Offer& offer);
  std::vector<Child> placeChildren(const BeamSelection& selection, const std::vector<Offer>& offers,
                                   std::span<const std::unique_ptr<Answer>> answers) const;

  BeamSearch m_search;
  const std::vector<TokenId> m_endTokens;
  std::vector<Answer*> m_beams;  // best first
  std::map<const Answer*, Offer> m_offers;
  std::vector<Hypothesis> m_hypotheses;
};

}  // namespace vitrine

// BeamGroup: a request's beam search in the engine. BeamSearch decides which continuations are kept; the
// group knows their sequences and the text of their answers.
//
// A search has as many sequences as beams, for its whole life. The best continuation of a beam keeps the
// beam's sequence; other continuations take over sequences of beams that end, with all blocks shared, or fork
// new ones. Beams may be computed in different steps (a small token budget, a recompute), so each offers its
// continuations when it has its logits, and the group chooses when all have offered. A sequence that no beam
// needs stays idle with its blocks until a beam needs it. Thread: the engine's. Read next:
// sampling/beam_search.h, beam_searches.h.
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
    bool endsSilently = false;  // the last token gave no text
  };
  // A beam of the next step: `parent` goes on with `token`.
  struct Child {
    Answer* parent;
    Answer* answer;  // carries it on: the parent itself, or another answer; null: to be forked
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
  // The beam is computed, and what it offers is not known yet: offerAs() or offer() says so later.
  void expectOffer(const Answer& beam) { m_offers[&beam].expected = true; }
  std::vector<Answer*> expected() const;
  // All beams offer what they offered in this step of the same search. Throws EngineError(kFileCorrupt) when
  // that is nothing.
  void offerAs(const BeamStep& step);
  // All beams are computed and have offered, and all sequences run: an idle one may be needed now.
  bool isReady(std::span<const std::unique_ptr<Answer>> answers) const;
  // Requires isReady(answers). `answers` are all the request has.
  Choice choose(std::span<const std::unique_ptr<Answer>> answers);
  void setBeams(std::vector<Answer*> beams) { m_beams = std::move(beams); }

  const std::vector<Hypothesis>& hypotheses() const { return m_hypotheses; }  // best first
  // The beams, best first, with their present scores: the result of a cancelled search. None when the search
  // has ended.
  std::vector<std::pair<const Answer*, double>> unfinished() const;
  void describe(RequestState& state) const;

 private:
  struct Offer {
    std::vector<Continuation> continuations;
    TopLogprobs top;
    bool expected = false;  // it is still to come
  };
  bool completes(Answer& beam, TokenId token) const;
  bool isEnd(TokenId token) const;
  void addHypothesis(const RankedContinuation& candidate, const Offer& offer);
  BeamStep eventOf(const BeamSelection& selection, std::span<const Child> children,
                   std::span<const std::unique_ptr<Answer>> answers) const;
  std::vector<Child> assignChildren(const BeamSelection& selection, const std::vector<Offer>& offers,
                                    std::span<const std::unique_ptr<Answer>> answers) const;

  BeamSearch m_search;
  const std::vector<TokenId> m_endTokens;
  std::vector<Answer*> m_beams;  // best first
  std::map<const Answer*, Offer> m_offers;
  std::vector<Hypothesis> m_hypotheses;
};

}  // namespace vitrine

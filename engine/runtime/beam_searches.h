// BeamSearches: the beam searches of all requests in a step. Beams offer their continuations in Sample, and a
// search whose beams have all offered chooses among them; a search that has ended becomes answers in Commit.
//
// Invariant: a search stands in ended() in the step in which it ends, and in no other. Thread: the engine's.
// Read next: beam_group.h.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/answer_sampler.h"
#include "scheduling/scheduler.h"

namespace vitrine {

class BeamSearches {
 public:
  // All of it must outlive the searches; tokenizer null: continuations have no text.
  BeamSearches(Scheduler& scheduler, AnswerSampler& sampler, const Tokenizer* tokenizer, EventStream& events)
      : m_scheduler(scheduler), m_sampler(sampler), m_tokenizer(tokenizer), m_events(events) {}

  // The search of a request whose first answer computes the prompt. contextLength: the model's, in tokens.
  std::unique_ptr<BeamGroup> begin(const Request& request, Answer& first, int contextLength) const;

  void beginStep();
  // In Sample. logits [vocabulary]: those after the beam's tokens.
  void offer(Answer& beam, std::span<const float> logits);
  // In a step whose choice is known from a recording: the beam is computed, and offers nothing yet.
  void expectOffer(const Answer& beam);
  // Makes the offer of a beam that was expected to. logits [vocabulary]: those after its tokens.
  void offerExpected(Answer& beam, std::span<const float> logits);
  // The recorded step of a search; null: not known, so the beams' own offers count.
  using RecordedStep = std::function<const BeamStep*(RequestId)>;
  // After all offers. Keeps the tokens of the next beams in the sampler. Publishes BeamStep,
  // SequenceReplaced, BlockFreed, SequenceForked, BlockShared.
  void choose(const RecordedStep& recorded = {});

  const std::vector<RequestRecord*>& ended() const { return m_ended; }  // in this step
  // In Commit: writes the best hypotheses into the request's first answers and ends all of its sequences.
  // Publishes BeamChosen, SequenceFinished, BlockFreed, SequenceForked, BlockShared. Returns the reason of
  // the best answer.
  FinishReason finish(RequestRecord& record);

 private:
  void noteOffer(RequestRecord& record);
  void chooseBeams(RequestRecord& record);
  Answer& carrierOf(BeamGroup::Child& child);
  void write(const BeamGroup::Hypothesis& hypothesis, Answer& answer);

  Scheduler& m_scheduler;
  AnswerSampler& m_sampler;
  const Tokenizer* const m_tokenizer;
  EventStream& m_events;
  ContinuationRanker m_ranker;
  std::vector<RequestRecord*> m_offered, m_ended;  // of this step
};

}  // namespace vitrine

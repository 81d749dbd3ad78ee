// Speculator: what a drafter adds to a step. It is asked before Plan, proposes before the forward, and its
// drafts are verified in Sample; Commit reports what the step has cost and brought.
//
// Speculative decoding (arXiv 2211.17192). All tokens stay what they are without a drafter, log-probabilities
// to the bit; only DraftAcceptance::kRejection draws other ones, of the same distribution
// (sampling/acceptance.h). Invariant: between propose() and the end of Sample there is one draft
// for each work of the plan with draft tokens, in the plan's order. Errors: what the drafter throws; nothing
// is kept that the next step would need. Thread: the engine's. Read next: speculation/drafter.h,
// answer_sampler.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/answer_sampler.h"
#include "runtime/request_table.h"
#include "speculation/draft_length.h"
#include "speculation/drafter.h"

namespace vitrine {

class Speculator {
 public:
  // What the speculator works with; all of it must outlive it.
  struct Surroundings {
    const RequestTable& requests;
    AnswerSampler& sampler;
    EventStream& events;
    int contextLength;           // the model's, in tokens
    const Tokenizer* tokenizer;  // null: the model has none
  };

  // Requires a drafter.
  Speculator(std::unique_ptr<Drafter> drafter, const SpeculationOptions& options,
             const Surroundings& surroundings);

  // Before Plan: sets how many tokens could be proposed for each running sequence (Sequence::wantedDraft).
  void askDrafter(std::span<Sequence* const> running);

  // Behind the plan: why sequences that decode get no draft. Publishes DraftSkipped.
  void explain(const StepPlan& plan) const;

  // Before the forward: fills the drafts of the plan's sequences. Publishes DraftProposed.
  void propose(const StepPlan& plan);

  // After the forward, which took so long.
  void setVerifyNs(std::int64_t ns) { m_step.verifyNs = ns; }

  // In Sample, for each work with a draft, in the plan's order: draws tokens until one is not the draft's.
  // logits [1 + draft tokens, vocabulary]: row i follows the sequence's tokens and the first i of its draft.
  // Publishes DraftVerified, and TokenCandidates when they are wanted.
  void verify(Answer& answer, std::span<const float> logits);

  // In place of propose() and verify() when a recording has the drafts and their verdicts: what the choice of
  // lengths learns from them. Publish nothing.
  void rehearse() { m_count = m_verified = 0, m_step = {}; }
  void rehearse(const DraftVerified& verified);
  // What the step's drafts and their verification took, when that is known from a recording.
  void setCosts(std::int64_t draftNs, std::int64_t verifyNs);

  // In Commit, after the rollback. Publishes StepSpeculated, also for a plain step that decodes, since that
  // is what the others are compared with.
  void report(const StepPlan& plan);

 private:
  DraftOffer offerFor(const Sequence& sequence, int length) const;
  Draft& newDraft();
  bool judge(Answer& answer, const Draft& draft, std::span<const float> logits, DraftJudgement& judgement);
  bool judgeByRejection(Answer& answer, const Draft& draft, std::span<const float> logits,
                        DraftJudgement& judgement);

  const std::unique_ptr<Drafter> m_drafter;
  const DraftMethod m_method;
  const DraftAcceptance m_acceptance;
  const Surroundings m_around;
  DraftLength m_length;
  struct Offered {
    SequenceId sequence;
    DraftOffer offer;
  };
  std::vector<Offered> m_offered;  // to each sequence that decodes in this step, in the running set's order
  std::vector<Draft> m_drafts;     // the first m_count are this step's; the others keep their memory
  std::size_t m_count = 0, m_verified = 0;
  std::vector<TokenId> m_accepted;  // of the draft that is being verified
  StepSpeculated m_step{};
};

}  // namespace vitrine

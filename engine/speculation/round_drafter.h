// RoundDrafter: a drafter that runs a model. A round of drafting is one forward for all sequences whose
// drafts are still too short; it adds one token to each.
//
// It chooses tokens as the request samples, with the draft's own tokens as history: greedily, or drawn from
// the distribution after all stages, with the random number that DraftAcceptance says. Thread: the engine's.
// Read next: early_exit_drafter.h, model_drafter.h.
#pragma once

#include "speculation/drafter.h"

namespace vitrine {

class RoundDrafter : public Drafter {
 public:
  void propose(const StepPlan& plan, std::span<Draft> drafts) final;

 protected:
  // The logits [drafts, vocabulary] that follow each draft's tokens so far.
  virtual std::span<const float> forward(const StepPlan& plan, std::span<Draft* const> drafts) = 0;

 private:
  void choose(Draft& draft, std::span<const float> logits);

  Sampler m_sampler;
  std::vector<Draft*> m_open;
};

}  // namespace vitrine

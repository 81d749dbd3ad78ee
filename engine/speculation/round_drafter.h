// RoundDrafter: a drafter that is a model itself: a round of drafting is one forward for all sequences whose
// draft is still too short, and adds one token to each.
//
// It chooses as the request samples, greedily or from the distribution after all stages, with its own tokens
// as history. Thread: the engine's. Read next: early_exit_drafter.h, model_drafter.h.
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

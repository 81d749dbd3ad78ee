// Drafter: proposes the next tokens of sequences, cheaply; one forward of the model then verifies them all.
//
// Speculative decoding (arXiv 2211.17192, 2302.01318). Whatever proposes, the tokens that stay are the
// model's: greedy ones exactly, drawn ones in distribution (sampling/acceptance.h). Three are built: the
// model's own first layers (early_exit_drafter.h), a smaller model (model_drafter.h), an earlier place in the
// context that ended alike (ngram_drafter.h). To add one: a class here, a DraftMethod, and its line in
// makeDrafter(). Thread: the engine's. Read next: speculation.cpp, early_exit_drafter.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sampling/sampler.h"
#include "scheduling/scheduler.h"

namespace vitrine {

// One sequence's draft in a step.
struct Draft {
  const Sequence* sequence;
  int work;    // its place in the plan
  int wanted;  // tokens to propose, >= 1
  const SamplingOptions* sampling;
  DrawKey key;                  // its position is that of the first token proposed
  std::vector<TokenId> tokens;  // proposed
  std::vector<std::vector<double>>
      probabilities;  // q of each [vocabulary]; none for a token it is certain of
};

class Drafter {
 public:
  virtual ~Drafter() = default;

  // Before a step is planned: no other sequences are running any more, so what is kept for them may go.
  virtual void retain(std::span<Sequence* const>) {}
  // How many tokens, at most `most`, it can propose for a sequence that decodes.
  virtual int canPropose(const Sequence& sequence, int most) = 0;
  // Fills every draft with the tokens it wants. The plan's blocks are allocated and its copies done; all
  // drafts are computed together, in as few batches as the drafter needs.
  virtual void propose(const StepPlan& plan, std::span<Draft> drafts) = 0;
};

}  // namespace vitrine

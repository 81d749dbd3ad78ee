// Drafter: proposes the next tokens of sequences, cheaply; one forward of the model then verifies them all.
//
// Speculative decoding (arXiv 2211.17192, 2302.01318). With every drafter the tokens that stay are the
// model's: the same tokens as without a draft or, by rejection sampling, drawn ones of the same distribution
// (DraftAcceptance, vitrine/options.h). There are three: the
// model's own first layers (early_exit_drafter.h), a smaller model (model_drafter.h), and an earlier position
// in the context with the same last tokens (ngram_drafter.h). To add one: a class here, a DraftMethod, and
// its line in makeDrafter(). Thread: the engine's. Read next: runtime/speculator.h, early_exit_drafter.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "execution/model_runner.h"
#include "sampling/sampler.h"
#include "scheduling/scheduler.h"

namespace vitrine {

// One sequence's draft in a step.
struct Draft {
  const Sequence* sequence;
  int work;    // its place in the plan
  int wanted;  // tokens to propose, >= 1
  const SamplingOptions* sampling;
  // What the request's grammar allows behind the drafted tokens; null: it has none. Good until the next call.
  std::function<AllowedTokens(std::span<const TokenId> drafted)> allowed;
  DrawKey key;  // its position is that of the first token proposed
  DraftAcceptance acceptance;
  std::vector<TokenId> tokens;  // proposed
  // q, what the drafter drew from: of the drawn tokens [tokens] or, for DraftAcceptance::kRejection, of all
  // [tokens, vocabulary]. Empty when the drafter is certain or greedy.
  std::vector<double> tokenProbabilities, probabilities;

  // q of the i-th token itself.
  double probabilityOf(std::size_t i) const { return tokenProbabilities.empty() ? 1 : tokenProbabilities[i]; }
  // q of the i-th token [vocabulary]; empty when the drafter is certain.
  std::span<const double> probabilitiesOf(std::size_t i) const {
    if (probabilities.empty()) return {};
    const std::size_t vocabulary = probabilities.size() / tokens.size();
    return std::span(probabilities).subspan(i * vocabulary, vocabulary);
  }
};

// What a drafter can do for a sequence.
struct DraftOffer {
  int tokens = 0;  // that it can propose
  // With 0 tokens why, and the numbers that DraftSkipped names with the reason.
  NoDraftReason reason = NoDraftReason::kNoMatch;
  int needed = 0, available = 0;
};

class Drafter {
 public:
  virtual ~Drafter() = default;

  // Before a step is planned: frees what is kept for sequences that no longer run.
  virtual void retain(std::span<Sequence* const>) {}
  // How many tokens, at most `most` >= 1, it can propose for a sequence that decodes.
  virtual DraftOffer canPropose(const Sequence& sequence, int most) = 0;
  // Fills every draft with the tokens it wants. The plan's blocks are allocated and its copies done; all
  // drafts are computed together, in as few batches as the drafter needs.
  virtual void propose(const StepPlan& plan, std::span<Draft> drafts) = 0;
};

// The drafter that the options name; null for DraftMethod::kNone. The runner must outlive it. draftModel: for
// DraftMethod::kModel, a decoder on the runner's backend; numBlocks: the blocks of its own KV cache.
std::unique_ptr<Drafter> makeDrafter(const EngineOptions& options, ModelRunner& runner,
                                     std::shared_ptr<Decoder> draftModel, int numBlocks);

}  // namespace vitrine

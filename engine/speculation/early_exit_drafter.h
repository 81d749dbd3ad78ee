// EarlyExitDrafter: drafts with the model's own first layers, followed directly by its final norm and head.
//
// Self-speculation after LayerSkip (Elhoushi et al., arXiv 2404.16710): no second model, no second cache. The
// layers that it computes are also the first part of the verification, and are not computed again
// (ModelRunner::exitEarly). Thread: the engine's. Read next: execution/model_runner.h.
#pragma once

#include "execution/model_runner.h"
#include "speculation/round_drafter.h"

namespace vitrine {

class EarlyExitDrafter final : public RoundDrafter {
 public:
  // Requires 1 <= exitLayer < the model's layers. The runner must outlive it.
  EarlyExitDrafter(ModelRunner& runner, int exitLayer) : m_runner(runner), m_exitLayer(exitLayer) {}

  DraftOffer canPropose(const Sequence&, int most) override { return {.tokens = most}; }

 private:
  std::span<const float> forward(const StepPlan& plan, std::span<Draft* const> drafts) override {
    m_rows.clear();
    for (const Draft* draft : drafts)
      m_rows.push_back(
          {draft->work, draft->tokens.empty() ? draft->sequence->tokens.back() : draft->tokens.back()});
    return m_runner.exitEarly(plan, m_rows, m_exitLayer);
  }

  ModelRunner& m_runner;
  const int m_exitLayer;
  std::vector<ModelRunner::EarlyRow> m_rows;
};

}  // namespace vitrine

#include "speculation/round_drafter.h"

#include "core/check.h"
#include "sampling/acceptance.h"

namespace vitrine {

void RoundDrafter::propose(const StepPlan& plan, std::span<Draft> drafts) {
  for (int round = 0;; ++round) {
    m_open.clear();
    for (Draft& draft : drafts)
      if (draft.wanted > round) m_open.push_back(&draft);
    if (m_open.empty()) return;
    const std::span<const float> logits = forward(plan, m_open);
    const std::size_t vocabulary = logits.size() / m_open.size();
    VITRINE_CHECK(vocabulary > 0);
    for (std::size_t i = 0; i < m_open.size(); ++i)
      choose(*m_open[i], logits.subspan(i * vocabulary, vocabulary));
  }
}

void RoundDrafter::choose(Draft& draft, std::span<const float> logits) {
  const std::span<const TokenId> tokens = draft.sequence->tokens;
  const auto promptTokens = static_cast<std::size_t>(draft.sequence->promptTokens);
  const AllowedTokens allowed = draft.allowed ? draft.allowed(draft.tokens) : AllowedTokens();
  const SamplerInput input{logits,
                           {tokens.first(promptTokens), tokens.subspan(promptTokens), draft.tokens},
                           *draft.sampling,
                           draft.allowed ? &allowed : nullptr};
  const DrawKey key = draft.key.after(draft.tokens.size());
  const bool greedy = draft.sampling->temperature <= 0;
  if (greedy || draft.acceptance == DraftAcceptance::kSameDraw) {
    draft.tokens.push_back(m_sampler.choose(input, key));
    if (!greedy) draft.tokenProbabilities.push_back(m_sampler.probabilityOf(draft.tokens.back()));
    return;
  }
  draft.probabilities.resize(draft.probabilities.size() + logits.size());
  const std::span<double> q = std::span(draft.probabilities).last(logits.size());
  m_sampler.probabilities(input, q);
  draft.tokens.push_back(drawFrom(q, key.uniform(DrawUse::kDraft)));
}

}  // namespace vitrine

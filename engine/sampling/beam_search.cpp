#include "sampling/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "sampling/softmax.h"

namespace vitrine {

// As transformers does it for beams: the repetition penalty multiplies, since a logprob is never positive.
// The other two penalties are OpenAI's, for the output alone.
void ContinuationRanker::penalise(const TokenHistory& history, const SamplingOptions& options) {
  m_counts.forEach(history, m_logprobs.size(), [&](std::size_t token, int count) {
    double& logprob = m_logprobs[token];
    logprob *= options.repetitionPenalty;
    if (count > 0) logprob -= options.presencePenalty + options.frequencyPenalty * count;
  });
}

std::vector<Continuation> ContinuationRanker::best(const SamplerInput& input, int count) {
  std::span<const float> logits = input.logits.whole();
  const LogNormaliser model(logits);
  if (input.allowed != nullptr) {
    m_masked.resize(logits.size());
    maskLogits(*input.allowed, logits, m_masked);
    logits = m_masked;
  }
  const LogNormaliser normaliser(logits);
  m_logprobs.resize(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) m_logprobs[i] = normaliser.logprob(logits[i]);
  if (penalises(input.options)) penalise(input.history, input.options);

  // Few are kept of many: almost every token ends at the first comparison.
  std::vector<Continuation> best;
  const std::size_t most = std::min(static_cast<std::size_t>(count), logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (input.allowed != nullptr && logits[i] == -std::numeric_limits<float>::infinity()) continue;
    const double logprob = m_logprobs[i];
    if (best.size() == most && logprob <= best.back().logprob) continue;
    if (best.size() == most) best.pop_back();
    const auto place =
        std::ranges::find_if(best, [&](const Continuation& one) { return one.logprob < logprob; });
    best.insert(place, {static_cast<TokenId>(i), logprob, model.logprob(input.logits.whole()[i])});
  }
  return best;
}

int BeamSearch::continuationsPerBeam() const {
  return std::max(2, 1 + m_options.endTokens) * m_options.width;
}

double BeamSearch::score(double cumulative, int tokens) const {
  return cumulative / std::pow(static_cast<double>(std::max(tokens, 1)), m_options.lengthPenalty);
}

void BeamSearch::rank(std::span<const std::vector<Continuation>> continuations,
                      std::vector<RankedContinuation>& ranked) const {
  for (std::size_t beam = 0; beam < continuations.size(); ++beam)
    for (const Continuation& next : continuations[beam])
      ranked.push_back({static_cast<int>(beam), next, m_beams[beam] + next.logprob});
  std::ranges::sort(ranked, [](const RankedContinuation& a, const RankedContinuation& b) {
    if (a.cumulative != b.cumulative) return a.cumulative > b.cumulative;
    return a.beam != b.beam ? a.beam < b.beam : a.next.token < b.next.token;
  });
  const auto most = static_cast<std::size_t>(continuationsPerBeam());
  if (ranked.size() > most) ranked.resize(most);
}

void BeamSearch::complete(RankedContinuation& candidate, BeamSelection& selection) {
  if (isFull() && candidate.score <= m_best.back().score) {
    candidate.fate = BeamFate::kWorse;
    return;
  }
  if (isFull()) {
    selection.displaced.push_back(m_best.back().number);
    m_best.pop_back();
  }
  candidate.fate = BeamFate::kFinished;
  candidate.hypothesis = ++m_completed;
  const auto place =
      std::ranges::find_if(m_best, [&](const Hypothesis& one) { return one.score < candidate.score; });
  m_best.insert(place, {candidate.hypothesis, candidate.score});
}

// The best score that the best beam can still reach is a guess: its present score or, where longer answers
// score better and the search never stops early, its present sum divided by the maximum length.
BeamEnd BeamSearch::endOf(BeamSelection& selection) const {
  if (m_beams.empty()) return BeamEnd::kNothingLeft;
  const bool patient = m_options.earlyStopping == EarlyStopping::kNever && m_options.lengthPenalty > 0;
  selection.bestPossible = score(m_beams.front(), patient ? m_options.maxTokens : m_length);
  if (!isFull()) return BeamEnd::kNone;
  if (m_options.earlyStopping == EarlyStopping::kYes) return BeamEnd::kEnough;
  return selection.bestPossible > m_best.back().score ? BeamEnd::kNone : BeamEnd::kNoImprovement;
}

BeamSelection BeamSearch::step(std::span<const std::vector<Continuation>> continuations,
                               const IsComplete& isComplete) {
  VITRINE_CHECK(continuations.size() == m_beams.size() && !m_beams.empty());
  BeamSelection selection;
  rank(continuations, selection.ranked);
  ++m_length;
  m_beams.clear();
  // [why:beams]
  for (std::size_t place = 0; place < selection.ranked.size(); ++place) {
    RankedContinuation& candidate = selection.ranked[place];
    candidate.score = score(candidate.cumulative, m_length);
    const bool counts = static_cast<int>(place) < m_options.width;
    if (m_length >= m_options.maxTokens || isComplete(candidate.beam, candidate.next.token)) {
      counts ? complete(candidate, selection) : void(candidate.fate = BeamFate::kTooLow);
    } else if (static_cast<int>(m_beams.size()) < m_options.width) {
      candidate.fate = BeamFate::kKept;
      m_beams.push_back(candidate.cumulative);
    }
  }
  // [/why:beams]
  selection.end = endOf(selection);
  if (selection.end == BeamEnd::kNone) return selection;
  for (RankedContinuation& candidate : selection.ranked)  // with the search over, they stay unfinished
    if (candidate.fate == BeamFate::kKept) candidate.fate = BeamFate::kPruned;
  m_beams.clear();
  return selection;
}

}  // namespace vitrine

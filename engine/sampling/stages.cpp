#include "sampling/stages.h"

#include <array>
#include <cmath>
#include <limits>

namespace vitrine {
namespace {

// 1 / temperature is limited, so that a difference of 0 stays 0.
float scaleAt(double temperature) {
  constexpr double kLargest{std::numeric_limits<float>::max()};
  return static_cast<float>(std::min(1 / temperature, kLargest));
}

// At temperature 0 the most likely token remains.
void applyTemperature(const SamplerInput& input, SamplerState& state) {
  if (input.options.temperature > 0)
    state.candidates.setScale(scaleAt(input.options.temperature));
  else
    state.candidates.keepMostLikely();
}

void applyGrammar(const SamplerInput& input, SamplerState& state) {
  maskLogits(*input.allowed, input.logits.whole(), state.candidates.editLogits());
}

constexpr bool kAlwaysListed = true;

constexpr std::array kStages = {
    SamplerStage{"grammar",
                 [](const SamplingOptions&, const AllowedTokens* allowed) { return allowed != nullptr; },
                 applyGrammar},
    SamplerStage{"penalties",
                 [](const SamplingOptions& options, const AllowedTokens*) { return penalises(options); },
                 applyPenalties, RowPart::kWhole, kAlwaysListed},
    SamplerStage{"temperature", [](const SamplingOptions&, const AllowedTokens*) { return true; },
                 applyTemperature, RowPart::kTop, kAlwaysListed},
    SamplerStage{"top_k",
                 [](const SamplingOptions& options, const AllowedTokens*) { return options.topK > 0; },
                 [](const SamplerInput& input, SamplerState& state) {
                   keepTopK(state.candidates, input.options.topK);
                 },
                 RowPart::kTop, kAlwaysListed},
    SamplerStage{"top_p",
                 [](const SamplingOptions& options, const AllowedTokens*) { return options.topP < 1; },
                 [](const SamplerInput& input, SamplerState& state) {
                   keepTopP(state.candidates, input.options.topP);
                 },
                 RowPart::kTop, kAlwaysListed},
    SamplerStage{"min_p",
                 [](const SamplingOptions& options, const AllowedTokens*) { return options.minP > 0; },
                 [](const SamplerInput& input, SamplerState& state) {
                   keepMinP(state.candidates, input.options.minP);
                 },
                 RowPart::kTop, kAlwaysListed},
    SamplerStage{"typical_p",
                 [](const SamplingOptions& options, const AllowedTokens*) { return options.typicalP < 1; },
                 [](const SamplerInput& input, SamplerState& state) {
                   keepTypical(state.candidates, input.options.typicalP);
                 }},
};

}  // namespace

std::span<const SamplerStage> samplerStages() { return kStages; }

// Penalties can make any token the most likely one; the other stages keep that one, which is all that a
// greedy draw needs. Top-k needs its k tokens and the next less likely one; a few more leave room for ties.
// Without it, the other filters and most draws stay among a few hundred.
RowWish wishOf(const SamplingOptions& options) {
  constexpr int kUsual = 256, kTies = 32;
  if (options.temperature <= 0 && !penalises(options)) return {};
  for (const SamplerStage& stage : kStages)
    if (stage.needs == RowPart::kWhole && stage.isActive(options, nullptr)) return RowWish::whole();
  if (options.topK > kMostDigestCandidates - kTies) return RowWish::whole();
  return {scaleAt(options.temperature), options.topK > 0 ? options.topK + kTies : kUsual};
}

bool penalises(const SamplingOptions& options) {
  return options.repetitionPenalty != 1 || options.presencePenalty != 0 || options.frequencyPenalty != 0;
}

// The repetition penalty sees prompt and output. It divides a positive logit and multiplies a negative one,
// so that the token always becomes less likely. The other two penalties see the output alone.
void applyPenalties(const SamplerInput& input, SamplerState& state) {
  const SamplingOptions& options = input.options;
  const auto penalty = static_cast<float>(options.repetitionPenalty);
  const std::span<float> logits = state.candidates.editLogits();
  state.counts.forEach(input.history, logits.size(), [&](std::size_t token, int count) {
    float& logit = logits[token];
    logit = logit < 0 ? logit * penalty : logit / penalty;
    if (count > 0) logit -= static_cast<float>(options.presencePenalty + options.frequencyPenalty * count);
  });
}

void keepTopK(Candidates& candidates, int k) { candidates.keepTopAndTies(static_cast<std::size_t>(k)); }

void keepTopP(Candidates& candidates, double p) {
  const double boundary = p * candidates.total();
  double reached = 0;
  std::size_t kept = 0;
  for (; kept < candidates.size() && (kept == 0 || reached < boundary); ++kept)
    reached += candidates.weight(candidates.ranked(kept));
  candidates.keepFirst(kept, reached);
}

// The most likely token weighs 1.
void keepMinP(Candidates& candidates, double p) { candidates.keepHeavy(p); }

// In order of probability the distance to the entropy falls and then rises, so what is kept is a range of
// that order, which grows from its nearest token to both sides.
void keepTypical(Candidates& candidates, double mass) {
  candidates.order(candidates.size());
  const std::span<const Candidates::Entry> entries = candidates.entries();
  double total = 0;
  for (const Candidates::Entry& entry : entries) total += candidates.weight(entry);
  const auto surprisal = [&, logTotal = std::log(total)](std::size_t i) {
    return logTotal - candidates.logWeight(entries[i]);
  };
  double entropy = 0;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (const double weight = candidates.weight(entries[i]); weight > 0)
      entropy += weight / total * surprisal(i);

  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::size_t end = 0;
  while (end < entries.size() && surprisal(end) < entropy) ++end;
  std::size_t begin = end;
  const auto below = [&] { return begin > 0 ? std::abs(surprisal(begin - 1) - entropy) : kNone; };
  const auto above = [&] { return end < entries.size() ? std::abs(surprisal(end) - entropy) : kNone; };
  double reached = 0, farthest = -1;
  while (end - begin < entries.size()) {
    const double nearest = std::min(below(), above());
    if (farthest >= 0 && reached >= mass * total && nearest > farthest) break;
    farthest = std::max(farthest, nearest);
    reached += candidates.weight(entries[below() <= above() ? --begin : end++]);
  }
  candidates.keepRange(begin, end);
}

}  // namespace vitrine

#include "sampling/sampler.h"

#include <algorithm>
#include <limits>

#include "core/check.h"
#include "sampling/softmax.h"

namespace vitrine {

void Sampler::add(const StageRecord& record, const char* name) {
  if (record.stages == nullptr) return;
  Candidates& candidates = m_state.candidates;
  const std::size_t left = candidates.size();
  const std::size_t count =
      record.candidates > 0 ? std::min(left, static_cast<std::size_t>(record.candidates)) : left;
  SamplingStage stage{name, static_cast<int>(left), {}};
  candidates.order(count);
  stage.top.reserve(count);
  for (const Candidates::Entry& entry : candidates.entries().first(count))
    stage.top.push_back({entry.token, static_cast<float>(candidates.weight(entry) / candidates.total())});
  record.stages->push_back(std::move(stage));
}

void Sampler::runStages(const SamplerInput& input, const StageRecord& record) {
  VITRINE_CHECK(!input.logits.empty());
  if (record.stages != nullptr) record.stages->clear();
  m_state.candidates.reset(input.logits);
  add(record, "logits");
  // [why:stages]
  for (const SamplerStage& stage : samplerStages()) {
    const bool active = stage.isActive(input.options, input.allowed);
    if (active) stage.apply(input, m_state);
    if (active || stage.isAlwaysListed) add(record, stage.name);
  }
  // [/why:stages]
}

// The inverse of the cumulative distribution, most likely first: usually only a few entries need an order.
TokenId Sampler::draw(double uniform) {
  Candidates& candidates = m_state.candidates;
  // [why:draw]
  const double target = uniform * candidates.total();
  double reached = 0;
  TokenId token = candidates.ranked(0).token;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidates::Entry& entry = candidates.ranked(i);
    const double weight = candidates.weight(entry);
    if (weight > 0) token = entry.token;  // rounding may leave the target just beyond the last one
    reached += weight;
    if (reached > target) break;
  }
  return token;
  // [/why:draw]
}

SampledToken Sampler::sample(const SamplerInput& input, DrawKey key, const StageRecord& record) {
  const TokenId token = choose(input, key, record);
  return {token, logprobOf(input.logits, token)};
}

TokenId Sampler::choose(const SamplerInput& input, DrawKey key, const StageRecord& record) {
  const bool greedy = input.options.temperature <= 0;
  if (greedy && record.stages == nullptr) return mostLikelyToken(input);
  runStages(input, record);
  return draw(greedy ? 0 : key.uniform(DrawUse::kSample));
}

double Sampler::probabilityOf(TokenId token) {
  Candidates& candidates = m_state.candidates;
  const auto entries = candidates.entries();
  const auto found = std::ranges::find(entries, token, &Candidates::Entry::token);
  return found == entries.end() ? 0 : candidates.weight(*found) / candidates.total();
}

TokenId Sampler::mostLikelyToken(const SamplerInput& input) {
  VITRINE_CHECK(!input.logits.empty());
  if (!penalises(input.options) && input.allowed == nullptr) return mostLikely(input.logits);
  m_state.candidates.reset(input.logits);
  if (input.allowed != nullptr)
    maskLogits(*input.allowed, input.logits.whole(), m_state.candidates.editLogits());
  if (penalises(input.options)) applyPenalties(input, m_state);
  return mostLikely(m_state.candidates.logits());
}

double Sampler::logprobOf(const LogitsRow& logits, TokenId token) {
  return LogNormaliser(logits).logprob(logits.logit(token));
}

void Sampler::probabilities(const SamplerInput& input, std::span<double> out, const StageRecord& record) {
  VITRINE_CHECK(out.size() == input.logits.size());
  runStages(input, record);
  Candidates& candidates = m_state.candidates;
  std::ranges::fill(out, 0);
  double total = 0;  // summed anew: total() of an unfiltered chain is summed in another order
  for (const Candidates::Entry& entry : candidates.entries()) total += candidates.weight(entry);
  for (const Candidates::Entry& entry : candidates.entries())
    out[static_cast<std::size_t>(entry.token)] = candidates.weight(entry) / total;
}

std::vector<SamplingStage> Sampler::distribution(const SamplerInput& input, int candidates) {
  std::vector<SamplingStage> stages;
  runStages(input, {&stages, candidates});
  return stages;
}

std::vector<std::pair<TokenId, double>> Sampler::topLogprobs(const LogitsRow& row, int count) {
  const LogNormaliser normaliser(row);
  std::vector<std::pair<TokenId, double>> top;
  const LogitsDigest* digest = row.digest();
  if (digest != nullptr && count <= std::ssize(digest->top)) {
    for (const RankedLogit& one : std::span(digest->top).first(static_cast<std::size_t>(std::max(count, 0))))
      top.emplace_back(one.token, normaliser.logprob(one.logit));
    return top;
  }
  const std::span<const float> logits = row.whole();
  std::vector<TokenId> ids;
  ids.reserve(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (logits[i] > -std::numeric_limits<float>::infinity()) ids.push_back(static_cast<TokenId>(i));
  const std::size_t kept = std::min(ids.size(), static_cast<std::size_t>(std::max(count, 0)));
  const auto logit = [&](TokenId token) { return logits[static_cast<std::size_t>(token)]; };
  std::partial_sort(
      ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(),
      [&](TokenId a, TokenId b) { return logit(a) > logit(b) || (logit(a) == logit(b) && a < b); });
  for (std::size_t i = 0; i < kept; ++i) top.emplace_back(ids[i], normaliser.logprob(logit(ids[i])));
  return top;
}

}  // namespace vitrine

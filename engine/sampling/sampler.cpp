// The stages hold entries (logit, token) that are ordered only as far as a stage needs: a top-k of 50 out of
// 150 000 selects, it does not sort. Two rules keep a draw the same, watched or not:
// the mass of an unfiltered stage is summed in the order of ids before anything is ordered, and every filter
// leaves its entries fully ordered with their mass summed in that order.
#include "sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/philox.h"
#include "sampling/mass.h"

namespace vitrine {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kFirstChunk = 64;  // how many entries are ordered at first; then four times as many

bool penalises(const SamplingOptions& options) {
  return options.repetitionPenalty != 1 || options.presencePenalty != 0 || options.frequencyPenalty != 0;
}

bool isNumber(float logit) { return logit > -kInfinity; }  // false for NaN too

}  // namespace

struct Sampler::Recorder {
  std::vector<SamplingStage>* stages;
  int candidates;

  bool wanted() const { return stages != nullptr; }
  void operator()(Sampler& sampler, const char* name) const {
    if (!wanted()) return;
    SamplingStage stage{name, static_cast<int>(sampler.m_entries.size()), {}};
    const std::size_t all = sampler.m_entries.size();
    const std::size_t count = candidates > 0 ? std::min(all, static_cast<std::size_t>(candidates)) : all;
    sampler.order(count);
    stage.top.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Entry& entry = sampler.m_entries[i];
      stage.top.push_back({entry.token, static_cast<float>(sampler.weight(entry) / sampler.m_total)});
    }
    stages->push_back(std::move(stage));
  }
};

double Sampler::weight(const Entry& entry) const {
  return static_cast<double>(expOfNegative((entry.logit - m_max) * m_scale));
}

// Orders the first `count` entries: most likely first, the smaller id on a tie.
void Sampler::order(std::size_t count) {
  count = std::min(count, m_entries.size());
  if (count <= m_ordered) return;
  const auto before = [](const Entry& a, const Entry& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
  };
  const auto begin = m_entries.begin() + static_cast<std::ptrdiff_t>(m_ordered);
  const auto end = m_entries.begin() + static_cast<std::ptrdiff_t>(count);
  if (end != m_entries.end()) std::nth_element(begin, end, m_entries.end(), before);
  std::sort(begin, end, before);
  m_ordered = count;
}

// Hugging Face's meaning: the repetition penalty sees prompt and output, and divides what is positive but
// multiplies what is negative, so that it always makes less likely; the other two are OpenAI's, output alone.
std::span<const float> Sampler::penalise(std::span<const float> logits, std::span<const TokenId> prompt,
                                         std::span<const TokenId> output, const SamplingOptions& options) {
  m_logits.assign(logits.begin(), logits.end());
  m_counts.resize(logits.size(), 0);
  const auto known = [&](TokenId token) {
    return token >= 0 && static_cast<std::size_t>(token) < logits.size();
  };
  for (TokenId token : output)
    if (known(token)) ++m_counts[static_cast<std::size_t>(token)];
  constexpr int kDone = -1;
  const auto apply = [&](TokenId token) {
    if (!known(token)) return;
    int& count = m_counts[static_cast<std::size_t>(token)];
    if (count == kDone) return;
    float& logit = m_logits[static_cast<std::size_t>(token)];
    const float penalty = static_cast<float>(options.repetitionPenalty);
    logit = logit < 0 ? logit * penalty : logit / penalty;
    if (count > 0) logit -= static_cast<float>(options.presencePenalty + options.frequencyPenalty * count);
    count = kDone;
  };
  for (TokenId token : output) apply(token);
  for (TokenId token : prompt) apply(token);
  for (std::span<const TokenId> tokens : {prompt, output})
    for (TokenId token : tokens)
      if (known(token)) m_counts[static_cast<std::size_t>(token)] = 0;
  return m_logits;
}

// All tokens that have any chance. Logits of +inf share the whole mass; without a single number among the
// logits the smallest id has it.
void Sampler::fill(std::span<const float> logits) {
  m_entries.clear();
  m_ordered = 0;
  m_max = maxLogit(logits);
  m_even = !std::isfinite(m_max);
  if (!m_even) {
    m_entries.resize(logits.size());
    std::size_t kept = 0;  // written whether kept or not: no branch to guess wrong
    for (std::size_t i = 0; i < logits.size(); ++i) {
      m_entries[kept] = {logits[i], static_cast<TokenId>(i)};
      kept += isNumber(logits[i]) ? 1 : 0;
    }
    m_entries.resize(kept);
    return;
  }
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (m_max == kInfinity && logits[i] == kInfinity) m_entries.push_back({0, static_cast<TokenId>(i)});
  if (m_entries.empty()) m_entries.push_back({0, 0});
  m_max = 0;
}

// Requires that no filter has run: the mass is that of the whole vocabulary, in the order of ids.
void Sampler::setScale(std::span<const float> logits, float scale) {
  m_scale = scale;
  m_total = m_even ? static_cast<double>(m_entries.size()) : massOf(logits, m_max, m_scale);
}

void Sampler::keepMostLikely() {
  order(1);
  m_entries.resize(1);
  m_total = 1;
}

// Ties with the k-th stay, as in transformers: what goes is what is less likely than the k-th.
void Sampler::keepTopK(int k) {
  if (k <= 0) return;
  const std::size_t count = static_cast<std::size_t>(k);
  if (count < m_entries.size()) {
    order(count);
    const float least = m_entries[count - 1].logit;
    const auto rest = m_entries.begin() + static_cast<std::ptrdiff_t>(count);
    const auto end =
        std::partition(rest, m_entries.end(), [&](const Entry& entry) { return entry.logit == least; });
    m_entries.erase(end, m_entries.end());
    m_ordered = count;
  }
  order(m_entries.size());
  m_total = 0;
  for (const Entry& entry : m_entries) m_total += weight(entry);
}

// The token that crosses the boundary stays: a token goes when those before it already hold p.
void Sampler::keepTopP(double p) {
  if (p >= 1) return;
  const double boundary = p * m_total;
  double mass = 0;
  std::size_t kept = 0;
  for (; kept < m_entries.size() && (kept == 0 || mass < boundary); ++kept) {
    if (kept == m_ordered) order(std::max(kFirstChunk, 4 * kept));
    mass += weight(m_entries[kept]);
  }
  m_entries.resize(kept);
  m_ordered = kept;
  m_total = mass;
}

void Sampler::keepMinP(double p) {
  if (p <= 0) return;
  const double least = p;  // times the weight of the most likely, which is 1
  std::size_t kept = 0;
  for (std::size_t i = 0; i < m_entries.size(); ++i)
    if (weight(m_entries[i]) >= least) m_entries[kept++] = m_entries[i];
  m_ordered = m_ordered == m_entries.size() ? kept : 0;  // an ordered prefix of a mixture says nothing
  m_entries.resize(kept);
  order(kept);
  m_total = 0;
  for (const Entry& entry : m_entries) m_total += weight(entry);
}

void Sampler::applyChain(std::span<const float> logits, std::span<const TokenId> prompt,
                         std::span<const TokenId> output, const SamplingOptions& options,
                         const Recorder& record) {
  const bool penalised = penalises(options);
  if (record.wanted() || !penalised) fill(logits);
  if (record.wanted()) setScale(logits, 1);
  record(*this, "logits");
  if (penalised) {
    logits = penalise(logits, prompt, output, options);
    fill(logits);
    if (record.wanted()) setScale(logits, 1);
  }
  record(*this, "penalties");
  if (options.temperature > 0)  // clamped, so that a difference of 0 stays 0
    setScale(logits, static_cast<float>(
                         std::min(1 / options.temperature, double{std::numeric_limits<float>::max()})));
  else
    keepMostLikely();
  record(*this, "temperature");
  keepTopK(options.topK);
  record(*this, "top_k");
  keepTopP(options.topP);
  record(*this, "top_p");
  keepMinP(options.minP);
  record(*this, "min_p");
}

// The inverse of the cumulative distribution, most likely first: usually only a few entries need an order.
TokenId Sampler::draw(double uniform) {
  const double target = uniform * m_total;
  double mass = 0;
  TokenId token = m_entries.front().token;
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    if (i == m_ordered) order(std::max(kFirstChunk, 4 * i));
    const double w = weight(m_entries[i]);
    if (w > 0) token = m_entries[i].token;  // rounding may leave the target just beyond the last one
    mass += w;
    if (mass > target) break;
  }
  return token;
}

SampledToken Sampler::sample(std::span<const float> logits, std::span<const TokenId> prompt,
                             std::span<const TokenId> output, const SamplingOptions& options, DrawKey key,
                             std::vector<SamplingStage>* stages, int candidates) {
  VITRINE_CHECK(!logits.empty());
  SampledToken sampled;
  const bool greedy = options.temperature <= 0;
  if (stages != nullptr || !greedy) {
    if (stages != nullptr) stages->clear();
    applyChain(logits, prompt, output, options, {stages, candidates});
    sampled.token = draw(greedy ? 0 : uniformDraw(key.seed, key.sequence, key.position, 0));
  } else {
    sampled.token = mostLikelyToken(logits, prompt, output, options);
  }
  sampled.logprob = logprobOf(logits, sampled.token);
  return sampled;
}

TokenId Sampler::mostLikelyToken(std::span<const float> logits, std::span<const TokenId> prompt,
                                 std::span<const TokenId> output, const SamplingOptions& options) {
  return mostLikely(penalises(options) ? penalise(logits, prompt, output, options) : logits);
}

double Sampler::logprobOf(std::span<const float> logits, TokenId token) {
  return LogNormaliser(logits).logprob(logits[static_cast<std::size_t>(token)]);
}

void Sampler::probabilities(std::span<const float> logits, std::span<const TokenId> prompt,
                            std::span<const TokenId> output, const SamplingOptions& options,
                            std::vector<double>& out, std::vector<SamplingStage>* stages, int candidates) {
  VITRINE_CHECK(!logits.empty());
  if (stages != nullptr) stages->clear();
  applyChain(logits, prompt, output, options, {stages, candidates});
  out.assign(logits.size(), 0);
  double total = 0;  // summed anew: m_total of an unfiltered chain was summed in another order
  for (const Entry& entry : m_entries) total += weight(entry);
  for (const Entry& entry : m_entries) out[static_cast<std::size_t>(entry.token)] = weight(entry) / total;
}

std::vector<SamplingStage> Sampler::distribution(std::span<const float> logits,
                                                 std::span<const TokenId> prompt,
                                                 std::span<const TokenId> output,
                                                 const SamplingOptions& options, int candidates) {
  VITRINE_CHECK(!logits.empty());
  std::vector<SamplingStage> stages;
  applyChain(logits, prompt, output, options, {&stages, candidates});
  return stages;
}

std::vector<std::pair<TokenId, double>> Sampler::topLogprobs(std::span<const float> logits, int count) {
  std::vector<TokenId> ids;
  ids.reserve(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i)
    if (isNumber(logits[i])) ids.push_back(static_cast<TokenId>(i));
  const std::size_t kept = std::min(ids.size(), static_cast<std::size_t>(std::max(count, 0)));
  const auto logit = [&](TokenId token) { return logits[static_cast<std::size_t>(token)]; };
  std::partial_sort(
      ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(),
      [&](TokenId a, TokenId b) { return logit(a) > logit(b) || (logit(a) == logit(b) && a < b); });
  const LogNormaliser normaliser(logits);
  std::vector<std::pair<TokenId, double>> top;
  for (std::size_t i = 0; i < kept; ++i) top.emplace_back(ids[i], normaliser.logprob(logit(ids[i])));
  return top;
}

}  // namespace vitrine

#include "runtime/inside_look.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sampling/sampler.h"

namespace vitrine {
namespace {

constexpr int kRowsAtOnce = 16;  // of logits: some megabytes for the largest vocabularies

bool asksForAttentionAlone(const InsideOptions& options) {
  return options.layer >= 0 && options.exitTop == 0 && !options.hiddenStates;
}

// In several sums, which the compiler computes side by side: one sum would wait for each addition.
float dot(std::span<const float> a, const float* b) {
  constexpr std::size_t kSums = 16;
  float sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= a.size(); i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += a[i + k] * b[i + k];
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  float sum = 0;
  for (const float one : sums) sum += one;
  return sum;
}

}  // namespace

InsideLook::InsideLook(ModelRunner& runner, const InsideOptions& options, int tokens)
    : m_runner(runner),
      m_config(runner.decoder().config()),
      m_options(options),
      m_tokens(tokens),
      m_layers(asksForAttentionAlone(options) ? options.layer + 1 : m_config.layers) {
  const auto states = static_cast<std::size_t>(m_layers) + (m_layers == m_config.layers ? 1 : 0);
  m_report.norms.resize(states);
  if (options.hiddenStates) m_report.hidden.resize(states);
  if (options.exitTop > 0) m_report.exits.resize(states);
  if (options.layer >= 0)
    m_report.attention.resize(static_cast<std::size_t>(tokens - options.attentionFrom) *
                              static_cast<std::size_t>(tokens));
}

LayerObserver InsideLook::observer(std::function<void(int done, int of)> passed) {
  LayerObserver observer;
  observer.hidden = [this, passed = std::move(passed)](int layer, const TensorView& hidden) {
    takeHidden(layer, hidden);
    const int states = static_cast<int>(m_report.norms.size());
    passed(m_first * states + m_rows * (layer + 1), m_tokens * states);
  };
  if (m_options.layer >= 0)
    observer.attention = [this](int layer, const TensorView& qkv) {
      if (layer == m_options.layer) takeAttention(qkv);
    };
  return observer;
}

void InsideLook::takeHidden(int layer, const TensorView& hidden) {
  if (layer == 0) {
    m_first += m_rows;
    m_rows = static_cast<int>(hidden.extent(0));
  }
  m_hidden.resize(static_cast<std::size_t>(hidden.elements()));
  m_runner.backend().download(hidden, m_hidden.data());
  takeNorms(layer);
  if (m_options.hiddenStates) {
    auto& all = m_report.hidden[static_cast<std::size_t>(layer)];
    all.insert(all.end(), m_hidden.begin(), m_hidden.end());
  }
  if (m_options.exitTop > 0) takeExits(layer, hidden);
}

void InsideLook::takeNorms(int layer) {
  const auto width = static_cast<std::size_t>(m_config.hiddenSize);
  for (std::size_t row = 0; row < static_cast<std::size_t>(m_rows); ++row)
    m_report.norms[static_cast<std::size_t>(layer)].push_back(
        l2Norm(std::span(m_hidden).subspan(row * width, width)));
}

void InsideLook::takeExits(int layer, const TensorView& hidden) {
  const auto vocabulary = static_cast<std::size_t>(m_config.vocabularySize);
  for (int row = std::max(0, m_options.exitsFrom - m_first); row < m_rows; row += kRowsAtOnce) {
    m_picked.resize(static_cast<std::size_t>(std::min(kRowsAtOnce, m_rows - row)));
    std::iota(m_picked.begin(), m_picked.end(), row);
    const TensorView logits = m_runner.decoder().exit(layer, hidden, m_picked);
    m_logits.resize(static_cast<std::size_t>(logits.elements()));
    m_runner.backend().download(logits, m_logits.data());
    for (std::size_t i = 0; i < m_picked.size(); ++i) {
      auto& guesses = m_report.exits[static_cast<std::size_t>(layer)].emplace_back();
      const auto logitsOfRow = std::span(m_logits).subspan(i * vocabulary, vocabulary);
      for (const auto& [token, logprob] : Sampler::topLogprobs(logitsOfRow, m_options.exitTop))
        guesses.push_back({token, logprob});
    }
  }
}

void InsideLook::takeAttention(const TensorView& qkv) {
  m_qkv.resize(static_cast<std::size_t>(qkv.elements()));
  m_runner.backend().download(qkv, m_qkv.data());
  const auto queries = static_cast<std::size_t>(m_config.heads) * static_cast<std::size_t>(m_config.headDim),
             keys = static_cast<std::size_t>(m_config.kvHeads) * static_cast<std::size_t>(m_config.headDim),
             width = queries + 2 * keys;
  for (std::size_t row = 0; row < static_cast<std::size_t>(m_rows); ++row) {
    const auto begin = m_qkv.begin() + static_cast<std::ptrdiff_t>(row * width + queries);
    m_keys.insert(m_keys.end(), begin, begin + static_cast<std::ptrdiff_t>(keys));
  }
  for (int row = std::max(0, m_options.attentionFrom - m_first); row < m_rows; ++row) {
    if (m_options.head >= 0)
      addHead(m_options.head, row);
    else
      for (int head = 0; head < m_config.heads; ++head) addHead(head, row);
  }
}

// softmax(q · k / sqrt(headDim)) over the keys that the token sees, as backend.h's attention() has it.
void InsideLook::addHead(int head, int row) {
  const auto dim = static_cast<std::size_t>(m_config.headDim),
             heads = static_cast<std::size_t>(m_config.heads),
             kvHeads = static_cast<std::size_t>(m_config.kvHeads);
  const auto kvHead = static_cast<std::size_t>(head) / (heads / kvHeads);
  const auto query = std::span(m_qkv).subspan(
      static_cast<std::size_t>(row) * (heads + 2 * kvHeads) * dim + static_cast<std::size_t>(head) * dim,
      dim);
  const int position = m_first + row;
  const int window = m_config.windowOf(m_options.layer);
  const auto begin = static_cast<std::size_t>(window > 0 ? std::max(0, position + 1 - window) : 0);
  const auto end = static_cast<std::size_t>(position) + 1;
  m_scores.resize(end);
  const float scale = 1 / std::sqrt(static_cast<float>(dim));
  float most = -INFINITY, sum = 0;
  for (std::size_t at = begin; at < end; ++at) {
    const float* const key = m_keys.data() + (at * kvHeads + kvHead) * dim;
    m_scores[at] = scale * dot(query, key);
    most = std::max(most, m_scores[at]);
  }
  for (std::size_t at = begin; at < end; ++at) sum += m_scores[at] = std::exp(m_scores[at] - most);
  const float share = 1 / (sum * static_cast<float>(m_options.head >= 0 ? 1 : m_config.heads));
  float* const map =
      m_report.attention.data() +
      static_cast<std::size_t>(position - m_options.attentionFrom) * static_cast<std::size_t>(m_tokens);
  for (std::size_t at = begin; at < end; ++at) map[at] += m_scores[at] * share;
}

}  // namespace vitrine

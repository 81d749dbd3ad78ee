#include "models/decoder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "models/decoder_weights.h"
#include "models/rope.h"

namespace vitrine {
namespace {

// cos and sin of every position met so far, on the device; grows by doubling, so a steady state allocates
// nothing.
class RopeTable {
 public:
  // Row r holds the angles of `step` * r; rows up to `limit` are expected.
  RopeTable(Backend& backend, RopeFrequencies frequencies, int step, std::int64_t limit)
      : m_backend(backend), m_frequencies(std::move(frequencies)), m_limit(limit) {
    for (float& frequency : m_frequencies.inverse) frequency *= static_cast<float>(step);
  }

  void cover(std::int64_t positions) {
    if (positions <= m_covered) return;
    const std::int64_t half = static_cast<std::int64_t>(m_frequencies.inverse.size());
    std::int64_t rows = std::max({positions, 2 * m_covered, std::int64_t{256}});
    if (positions <= m_limit) rows = std::min(rows, m_limit);  // with eviction, positions exceed the context
    std::vector<float> cos(rows * half), sin(rows * half);
    fillRopeTable(m_frequencies, 0, cos, sin);
    m_cos = m_backend.upload(TensorView(cos.data(), DType::kF32, {rows, half}));
    m_sin = m_backend.upload(TensorView(sin.data(), DType::kF32, {rows, half}));
    m_covered = rows;
  }

  const TensorView& cos() const { return m_cos.view(); }
  const TensorView& sin() const { return m_sin.view(); }

 private:
  Backend& m_backend;
  RopeFrequencies m_frequencies;
  const std::int64_t m_limit;
  std::int64_t m_covered = 0;
  Tensor m_cos, m_sin;  // [covered, headDim / 2]
};

}  // namespace

struct Decoder::Impl {
  Impl(Backend& b, const ModelConfig& c, const WeightSource& source, WeightStorage storage,
       const Progress& progress)
      : backend(b),
        config(c),
        weights(packWeights(b, c, source, storage, progress)),
        rope(b, ropeFrequencies(c.rope, c.headDim), 1, c.contextLength) {}

  Backend& backend;
  const ModelConfig config;
  DecoderWeights weights;
  RopeTable rope;
  std::optional<RopeTable> turns;  // the angles of whole blocks, once a context has lost some
  TensorView turnCos, turnSin;     // of this step; empty without such a context

  // Room for `capacity` tokens, and for `logitCapacity` rows of logits.
  std::int64_t capacity = 0, logitCapacity = 0;
  std::uint64_t memory = 0;                        // which allocation of it this is, of all decoders'
  Tensor hiddenMemory, normedMemory, deltaMemory;  // [capacity, hidden]
  Tensor qkvMemory, attendedMemory;   // [capacity, (heads + 2 kvHeads) headDim], [.., heads headDim]
  Tensor gateUpMemory, gatedMemory;   // [capacity, 2 intermediate], [capacity, intermediate]
  Tensor cosMemory, sinMemory;        // [capacity, headDim / 2]
  Tensor pickedMemory, logitsMemory;  // [logitCapacity, hidden], [logitCapacity, vocabulary]
  LogitsReader* reader = nullptr;     // of logitsMemory
  Tensor exitMemory;                  // [.., hidden], states before their norm, once a caller looks at some

  // This step's part of the memory above, T rows each.
  TensorView residual, normed, delta, qkv, q, k, v, attended, gateUp, gated, cos, sin;

  void reserve(std::int64_t tokens) {
    if (tokens > capacity) {
      const std::int64_t rows = std::max(tokens, 2 * capacity);
      const std::int64_t hidden = config.hiddenSize, inner = config.intermediateSize,
                         headDim = config.headDim;
      const DType type = backend.activations();
      static std::atomic<std::uint64_t> allocations = 0;
      memory = ++allocations;
      hiddenMemory = backend.allocate(DType::kF32, {rows, hidden});
      normedMemory = backend.allocate(type, {rows, hidden});
      deltaMemory = backend.allocate(DType::kF32, {rows, hidden});
      qkvMemory = backend.allocate(type, {rows, (config.heads + 2 * config.kvHeads) * headDim});
      attendedMemory = backend.allocate(type, {rows, config.heads * headDim});
      gateUpMemory = backend.allocate(type, {rows, 2 * inner});
      gatedMemory = backend.allocate(type, {rows, inner});
      cosMemory = backend.allocate(DType::kF32, {rows, headDim / 2});
      sinMemory = backend.allocate(DType::kF32, {rows, headDim / 2});
      capacity = rows;  // only now: an allocation may throw
    }
  }

  void view(const TensorView& hidden, std::int64_t tokens) {
    const std::int64_t queryWidth = std::int64_t{config.heads} * config.headDim;
    const std::int64_t kvWidth = std::int64_t{config.kvHeads} * config.headDim;
    residual = hidden;
    normed = normedMemory.view().rows(0, tokens);
    delta = deltaMemory.view().rows(0, tokens);
    qkv = qkvMemory.view().rows(0, tokens);
    q = qkv.columns(0, queryWidth).heads(config.heads, config.headDim);
    k = qkv.columns(queryWidth, kvWidth).heads(config.kvHeads, config.headDim);
    v = qkv.columns(queryWidth + kvWidth, kvWidth).heads(config.kvHeads, config.headDim);
    attended = attendedMemory.view().rows(0, tokens);
    gateUp = gateUpMemory.view().rows(0, tokens);
    gated = gatedMemory.view().rows(0, tokens);
    cos = cosMemory.view().rows(0, tokens);
    sin = sinMemory.view().rows(0, tokens);
  }

  void lookUpAngles(std::span<const std::int32_t> positions) {
    const auto [least, largest] = std::ranges::minmax(positions);
    VITRINE_CHECK(least >= 0);
    rope.cover(std::int64_t{largest} + 1);
    const auto tokens = static_cast<std::int64_t>(positions.size());
    backend.gatherRows(rope.cos(), positions, cos.rows(0, tokens));
    backend.gatherRows(rope.sin(), positions, sin.rows(0, tokens));
  }

  // A turn undoes no stretching: angles without the factor that some models put on cos and sin.
  void lookUpTurns(std::span<const std::int32_t> shifts, int blockSize) {
    turnCos = turnSin = {};
    if (shifts.empty()) return;
    if (!turns) {
      RopeFrequencies frequencies = ropeFrequencies(config.rope, config.headDim);
      frequencies.attentionScaling = 1;
      turns.emplace(backend, std::move(frequencies), blockSize, config.contextLength);
    }
    turns->cover(std::int64_t{std::ranges::max(shifts)} + 1);
    turnCos = turns->cos();
    turnSin = turns->sin();
  }

  // In: `residual` and, normed for this layer, `normed`. Out: both for the next one, whose norm is
  // `nextNorm`.
  void runLayer(int index, KvCache& cache, const TensorView& nextNorm, const LayerObserver& observer) {
    const LayerWeights& layer = weights.layers[index];
    const float eps = config.rmsNormEps;
    backend.linear(normed, *layer.qkv, layer.qkvBias.view(), qkv);
    backend.prepareHeads({q, k, v}, {layer.queryNorm.view(), layer.keyNorm.view(), eps}, cos, sin, cache,
                         index);
    if (observer.attention) observer.attention(index, qkv);
    backend.attention(q, cache, index, attentionOf(index), attended.heads(config.heads, config.headDim));
    backend.linearAddNorm(attended, *layer.output, layer.outputBias.view(), delta,
                          {residual, layer.mlpNorm.view(), eps, normed});
    backend.linearGate(normed, *layer.gateUp, layer.gateUpBias.view(), gateUp, gated);
    backend.linearAddNorm(gated, *layer.down, layer.downBias.view(), delta,
                          {residual, nextNorm, eps, normed});
  }

  const TensorView& normBefore(int layer) const { return weights.layers[layer].attentionNorm.view(); }

  AttentionParameters attentionOf(int layer) const {
    return {1.0f / std::sqrt(static_cast<float>(config.headDim)), config.windowOf(layer), turnCos, turnSin};
  }

  // The logits of rows of `states`, which the final norm has normed or has still to norm.
  TensorView headOf(const TensorView& states, std::span<const std::int32_t> rows, bool areNormed) {
    const auto count = static_cast<std::int64_t>(rows.size());
    if (count == 0) return {};
    if (reader != nullptr) reader->beforeOverwrite();
    reader = nullptr;
    if (count > logitCapacity) {
      pickedMemory = backend.allocate(backend.activations(), {count, config.hiddenSize});
      logitsMemory = backend.allocate(DType::kF32, {count, config.vocabularySize});
      logitCapacity = count;
    }
    const TensorView picked = pickedMemory.view().rows(0, count), logits = logitsMemory.view().rows(0, count);
    if (areNormed) {
      backend.gatherRows(states, rows, picked);
    } else {
      if (exitMemory.empty() || exitMemory.view().extent(0) < count)
        exitMemory = backend.allocate(DType::kF32, {count, config.hiddenSize});
      const TensorView unnormed = exitMemory.view().rows(0, count);
      backend.gatherRows(states, rows, unnormed);
      backend.rmsNorm(unnormed, weights.finalNorm.view(), config.rmsNormEps, picked);
    }
    backend.linear(picked, *weights.head, {}, logits);
    return logits;
  }
};

Decoder::Decoder(Backend& backend, const ModelConfig& config, const WeightSource& weights,
                 WeightStorage storage, const Progress& progress)
    : m_impl(std::make_unique<Impl>(backend, config, weights, storage, progress)) {}

Decoder::~Decoder() = default;

std::int64_t Decoder::paddedRows(std::int64_t tokens, std::int64_t sequences) const {
  return tokens == sequences ? m_impl->backend.paddedRows(sequences) : tokens;
}

TensorView Decoder::forward(std::span<const std::int32_t> tokens, const RaggedBatch& batch, KvCache& cache,
                            std::span<const std::int32_t> logitRows, const LayerObserver& observer) {
  const auto count = static_cast<std::int64_t>(tokens.size());
  const std::int64_t rows = paddedRows(count, static_cast<std::int64_t>(batch.contextLength.size()));
  m_impl->reserve(rows);
  const TensorView hidden = m_impl->hiddenMemory.view().rows(0, rows);
  embed(tokens, hidden.rows(0, count));
  runLayers({0, m_impl->config.layers}, batch, cache, hidden, observer);
  return head(logitRows);
}

void Decoder::embed(std::span<const std::int32_t> tokens, const TensorView& hidden) {
  const DecoderWeights& weights = m_impl->weights;
  if (weights.embeddingRows != nullptr)
    m_impl->backend.embedRows(tokens, *weights.embeddingRows, hidden);
  else
    m_impl->backend.embed(tokens, weights.embedding.view(), hidden);
}

void Decoder::runLayers(LayerRange range, const RaggedBatch& batch, KvCache& cache, const TensorView& hidden,
                        const LayerObserver& observer) {
  Impl& m = *m_impl;
  const auto tokens = static_cast<std::int64_t>(batch.positions.size());
  const std::int64_t rows = hidden.extent(0);
  VITRINE_CHECK(tokens > 0 && rows >= tokens);
  VITRINE_CHECK(range.first >= 0 && range.first < range.last && range.last <= m.config.layers);
  m.reserve(rows);
  m.view(hidden, rows);
  m.backend.beginStep(batch);
  m.lookUpAngles(batch.rotaryPositions.empty() ? batch.positions : batch.rotaryPositions);
  m.lookUpTurns(batch.blockShifts, cache.shape.blockSize);
  const auto run = [&](const LayerObserver& told) {
    m.backend.rmsNorm(m.residual, m.normBefore(range.first), m.config.rmsNormEps, m.normed);
    for (int layer = range.first; layer < range.last; ++layer) {
      if (told.hidden) told.hidden(layer, m.residual.rows(0, tokens));
      const bool ends = layer + 1 == range.last;
      m.runLayer(layer, cache, ends ? m.weights.finalNorm.view() : m.normBefore(layer + 1), told);
    }
  };
  const auto layers = [&] { run({}); };
  const RepeatedLayers repeated{m.memory, range.first, range.last, hidden, cache};
  if (range.last - range.first == m.config.layers && m.backend.comparesLaunches())
    m.backend.compareLaunches(repeated, std::cref(layers));
  if (observer.hidden || observer.attention)
    run(observer);
  else
    m.backend.repeat(repeated, std::cref(layers));
  if (observer.hidden && range.last == m.config.layers) observer.hidden(range.last, m.normed.rows(0, tokens));
}

TensorView Decoder::head(std::span<const std::int32_t> rows) {
  return m_impl->headOf(m_impl->normed, rows, true);
}

TensorView Decoder::exit(int layer, const TensorView& hidden, std::span<const std::int32_t> rows) {
  return m_impl->headOf(hidden, rows, layer == m_impl->config.layers);
}

void Decoder::setReader(LogitsReader* reader) { m_impl->reader = reader; }
LogitsReader* Decoder::reader() const { return m_impl->reader; }

const ModelConfig& Decoder::config() const { return m_impl->config; }
std::int64_t Decoder::weightBytes() const { return m_impl->weights.bytes; }

PackedCopy Decoder::packedCopy() const { return m_impl->weights.copy; }

const IgnoredTensors& Decoder::ignored() const { return m_impl->weights.ignored; }

KvCacheShape Decoder::kvShape(int numBlocks, int blockSize, KvType type) const {
  return {m_impl->config.layers,
          numBlocks,
          blockSize,
          m_impl->config.kvHeads,
          m_impl->config.headDim,
          type,
          m_impl->backend.activations()};
}

}  // namespace vitrine

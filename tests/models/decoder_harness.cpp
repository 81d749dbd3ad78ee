#include "models/decoder_harness.h"

#include <algorithm>
#include <numeric>

namespace vitrine::test {

namespace {

// Chunks as a batch's rows.
struct Rows {
  Rows(const std::vector<Chunk>& chunks, int blockSize) {
    for (const Chunk& chunk : chunks) width = std::max(width, chunk.blocks.size());
    for (const Chunk& chunk : chunks) {
      for (std::size_t i = 0; i < chunk.tokens.size(); ++i) {
        const int position = chunk.first + static_cast<int>(i);
        tokens.push_back(chunk.tokens[i]);
        positions.push_back(position);
        slotOf.push_back(chunk.blocks.at(position / blockSize) * blockSize + position % blockSize);
      }
      starts.push_back(static_cast<std::int32_t>(tokens.size()));
      contexts.push_back(chunk.first + static_cast<std::int32_t>(chunk.tokens.size()));
      tables.insert(tables.end(), chunk.blocks.begin(), chunk.blocks.end());
      tables.resize(tables.size() + width - chunk.blocks.size(), -1);
    }
  }
  RaggedBatch ragged() const {
    return {positions, slotOf, starts, contexts, tables, static_cast<int>(width)};
  }

  std::vector<std::int32_t> tokens, positions, slotOf, starts = {0}, contexts, tables;
  std::size_t width = 0;
};

}  // namespace

std::vector<std::int32_t> ascendingBlocks(int count) {
  std::vector<std::int32_t> blocks(count);
  std::iota(blocks.begin(), blocks.end(), 0);
  return blocks;
}

DecoderHarness::DecoderHarness(const ModelConfig& config, const WeightSource& weights, DType type,
                               int numBlocks, int blockSize, int threads)
    : DecoderHarness(makeCpuBackend(threads), config, weights, type, numBlocks, blockSize) {}

DecoderHarness::DecoderHarness(std::unique_ptr<Backend> backend, const ModelConfig& config,
                               const WeightSource& weights, WeightStorage storage, int numBlocks,
                               int blockSize)
    : m_backend(std::make_unique<CountingBackend>(std::move(backend))),
      m_decoder(std::make_unique<Decoder>(*m_backend, config, weights, storage)),
      m_cache(m_backend->allocateKv(m_decoder->kvShape(numBlocks, blockSize))) {}

std::vector<std::vector<float>> DecoderHarness::forward(const std::vector<Chunk>& chunks,
                                                        const LayerObserver& observer) {
  std::size_t count = 0;
  for (const Chunk& chunk : chunks) count += chunk.tokens.size();
  return forward(chunks, ascendingBlocks(static_cast<int>(count)), observer);
}

std::vector<std::vector<float>> DecoderHarness::forward(const std::vector<Chunk>& chunks,
                                                        const std::vector<std::int32_t>& rows,
                                                        const LayerObserver& observer) {
  const Rows batch(chunks, m_cache->shape.blockSize);
  const TensorView logits = m_decoder->forward(batch.tokens, batch.ragged(), *m_cache, rows, observer);
  return rows.empty() ? std::vector<std::vector<float>>() : rowsOf(logits);
}

DecoderHarness::TwoParts DecoderHarness::inTwoParts(const std::vector<std::int32_t>& tokens, int exitLayer,
                                                    int atATime) {
  const int count = static_cast<int>(tokens.size());
  const std::vector<std::int32_t> blocks = ascendingBlocks(m_cache->shape.numBlocks);
  const Tensor memory = m_backend->allocate(DType::kF32, {count, m_decoder->config().hiddenSize});
  TwoParts parts;
  for (int first = 0; first < count; first += atATime) {
    const int end = std::min(first + atATime, count);
    const Rows piece({{{tokens.begin() + first, tokens.begin() + end}, first, blocks}},
                     m_cache->shape.blockSize);
    const TensorView states = memory.view().rows(first, end - first);
    m_decoder->embed(piece.tokens, states);
    m_decoder->runLayers({0, exitLayer}, piece.ragged(), *m_cache, states);
    const auto early = rowsOf(m_decoder->head(ascendingBlocks(end - first)));
    parts.early.insert(parts.early.end(), early.begin(), early.end());
  }
  const Rows all({{tokens, 0, blocks}}, m_cache->shape.blockSize);
  m_decoder->runLayers({exitLayer, m_decoder->config().layers}, all.ragged(), *m_cache, memory.view());
  parts.late = rowsOf(m_decoder->head(ascendingBlocks(count)));
  return parts;
}

std::vector<std::vector<float>> DecoderHarness::rowsOf(const TensorView& logits) {
  const std::vector<float> flat = download(logits);
  const std::int64_t vocabulary = m_decoder->config().vocabularySize;
  std::vector<std::vector<float>> result;
  for (auto row = flat.begin(); row != flat.end(); row += vocabulary)
    result.emplace_back(row, row + vocabulary);
  return result;
}

std::vector<std::vector<float>> DecoderHarness::whole(const std::vector<std::int32_t>& tokens,
                                                      const LayerObserver& observer) {
  return forward({{tokens, 0, ascendingBlocks(m_cache->shape.numBlocks)}}, observer);
}

std::vector<std::int32_t> DecoderHarness::greedy(const std::vector<std::int32_t>& prompt, int count) {
  std::vector<std::int32_t> generated, next = prompt;
  int first = 0;
  for (int i = 0; i < count; ++i) {
    const auto logits = forward({{next, first, ascendingBlocks(m_cache->shape.numBlocks)}},
                                std::vector<std::int32_t>{static_cast<std::int32_t>(next.size()) - 1});
    first += static_cast<int>(next.size());
    next = {
        static_cast<std::int32_t>(std::max_element(logits[0].begin(), logits[0].end()) - logits[0].begin())};
    generated.push_back(next[0]);
  }
  return generated;
}

std::vector<float> DecoderHarness::download(const TensorView& view) {
  std::vector<float> host(view.elements());
  m_backend->download(view, host.data());
  return host;
}

}  // namespace vitrine::test

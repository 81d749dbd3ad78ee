// DecoderHarness: a decoder over the CPU backend with a KV cache whose blocks lie where a test wants them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "backends/backend.h"
#include "models/counting_backend.h"
#include "models/decoder.h"

namespace vitrine::test {

// One sequence's tokens of one forward.
struct Chunk {
  std::vector<std::int32_t> tokens;
  int first = 0;                     // position of tokens[0]
  std::vector<std::int32_t> blocks;  // its block table
};

class DecoderHarness {
 public:
  DecoderHarness(const ModelConfig& config, const WeightSource& weights, DType type = DType::kF32,
                 int numBlocks = 64, int blockSize = 16, int threads = 1);
  DecoderHarness(std::unique_ptr<Backend> backend, const ModelConfig& config, const WeightSource& weights,
                 WeightStorage storage, int numBlocks = 64, int blockSize = 16);

  // All chunks in one batch; the logits of every token, [token][vocabulary].
  std::vector<std::vector<float>> forward(const std::vector<Chunk>& chunks,
                                          const LayerObserver& observer = {});
  // The logits of the batch's rows named only.
  std::vector<std::vector<float>> forward(const std::vector<Chunk>& chunks,
                                          const std::vector<std::int32_t>& rows,
                                          const LayerObserver& observer = {});
  // The whole prompt at once, in blocks 0, 1, 2, ...
  std::vector<std::vector<float>> whole(const std::vector<std::int32_t>& tokens,
                                        const LayerObserver& observer = {});
  // The whole prompt in two parts, as a draft by early exit takes it: layers [0, exitLayer) of so many tokens
  // at a time, with the logits found there, and then the other layers of all of them.
  struct TwoParts {
    std::vector<std::vector<float>> early, late;
  };
  TwoParts inTwoParts(const std::vector<std::int32_t>& tokens, int exitLayer, int atATime);
  std::vector<std::int32_t> greedy(const std::vector<std::int32_t>& prompt, int count);
  std::vector<float> download(const TensorView& view);
  Decoder& decoder() { return *m_decoder; }
  int allocations() const { return m_backend->allocations; }

 private:
  std::vector<std::vector<float>> rowsOf(const TensorView& logits);

  std::unique_ptr<CountingBackend> m_backend;
  std::unique_ptr<Decoder> m_decoder;
  std::unique_ptr<KvCache> m_cache;
};

std::vector<std::int32_t> ascendingBlocks(int count);

}  // namespace vitrine::test

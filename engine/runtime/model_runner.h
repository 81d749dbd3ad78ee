// ModelRunner: the model and its KV cache; turns the plan of a step into one forward and gives the logits.
//
// The only part of the engine that holds tensors. The logits are on the host when forward() returns, so that
// another forward (Engine::examine) may come before they are sampled.
// Errors: EngineError of the backend. Thread: the engine's. Read next: models/decoder.h, batch_builder.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "models/decoder.h"
#include "runtime/batch_builder.h"
#include "scheduling/scheduler.h"
#include "vitrine/engine.h"

namespace vitrine {

class ModelRunner {
 public:
  // (work of the plan, layer, L2 norm of the hidden state of its last token)
  using Tap = std::function<void(const Work& work, int layer, float norm)>;

  ModelRunner(std::unique_ptr<Backend> backend, std::unique_ptr<Decoder> decoder, int numBlocks,
              int blockSize);

  // Does the plan's block copies, then computes its tokens. `layers` are those whose norms go to `tap`.
  void forward(const StepPlan& plan, std::span<const int> layers, const Tap& tap);

  // The logits [vocabulary] of the i-th work of the plan that samples; good until the next forward().
  std::span<const float> logits(int i) const;

  // A prompt by itself, in a cache of its own, at most `chunk` tokens a forward.
  ForwardReport examine(std::span<const TokenId> tokens, bool hiddenStates, int chunk);
  std::vector<float> lastLogits(std::span<const TokenId> tokens, int chunk);

  Backend& backend() { return *m_backend; }
  const Decoder& decoder() const { return *m_decoder; }

 private:
  struct Chunk {
    TensorView logits;
    int first, count;
  };
  void forwardAlone(std::span<const TokenId> tokens, int chunk, bool allLogits, const LayerObserver& observer,
                    const std::function<void(const Chunk&)>& done);

  const std::unique_ptr<Backend> m_backend;
  const std::unique_ptr<Decoder> m_decoder;
  const int m_blockSize;
  const std::unique_ptr<KvCache> m_cache;
  BatchBuilder m_batch;
  std::vector<BlockCopy> m_copies;
  std::vector<float> m_logits;  // [R, vocabulary]
  std::vector<float> m_hidden;  // one row, for taps
};

}  // namespace vitrine

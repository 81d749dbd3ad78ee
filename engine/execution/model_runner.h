// ModelRunner: the model and its KV cache. It turns the plan of a step into one forward and returns the
// logits.
//
// The only part of the engine that holds tensors. Another forward (Engine::examine) may come before a step's
// logits are sampled (step_logits.h). Drafting by early exit (LayerSkip,
// arXiv 2404.16710) and its verification share what they compute: exitEarly() keeps the hidden states after
// the exit layer, and forward() carries those rows through the layers above it only. Errors: EngineError of
// the backend, and kFileCorrupt for logits that are not finite. Thread: the engine's. Read next:
// models/decoder.h, batch_builder.h, step_logits.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "execution/batch_builder.h"
#include "execution/step_logits.h"
#include "models/decoder.h"
#include "scheduling/scheduler.h"
#include "vitrine/engine.h"

namespace vitrine {

float l2Norm(std::span<const float> state);  // summed in double

class ModelRunner {
 public:
  // (work of the plan, layer, L2 norm of the hidden state of its last token)
  using Tap = std::function<void(const Work& work, int layer, float norm)>;

  // The KV cache that the runner makes.
  struct Kv {
    int numBlocks, blockSize;
    KvType type = KvType::kSame;
    int scoredBlocks = 0;  // of a sequence whose attention is measured for eviction; 0: not measured
  };

  ModelRunner(std::shared_ptr<Backend> backend, std::shared_ptr<Decoder> decoder, const Kv& kv);

  // Copies the plan's blocks. The first call of a step.
  void copyBlocks(const StepPlan& plan);

  // The next token to compute of a work of the plan: the sequence's last one, or the newest of its draft.
  struct EarlyRow {
    int work;
    TokenId token;
  };
  // Computes these tokens up to the exit layer, writes the KV of the layers below, and gives the logits
  // [rows, vocabulary] that the head sees there; good until the next call. The exit layer is the same for a
  // step.
  std::span<const float> exitEarly(const StepPlan& plan, std::span<const EarlyRow> rows, int exitLayer);

  // Computes the plan's tokens. `wishes`: for each row of logits(), which are to be awaited. `layers` are
  // those whose norms go to `tap`.
  void forward(const StepPlan& plan, std::span<const RowWish> wishes, std::span<const int> layers,
               const Tap& tap);

  // A token of the step behind forward()'s, which stands in row `row` of logits() and is the most likely one
  // there. The table has the blocks up to its position.
  struct NextToken {
    std::size_t row;
    int position;
    std::span<const BlockId> table;
  };
  // Begins their forward, before logits() are awaited (StepLogits::begin()). Requires digests.
  void beginNext(std::span<const NextToken> tokens);

  // Rows that forward() will compute: the plan's tokens, and the padding of a device.
  int rowsOf(const StepPlan& plan) const;
  int rowsOf(int nextTokens) const;

  // A row for each work of the plan that samples, and one more for each token of its draft. Good until the
  // next forward().
  StepLogits& logits() { return m_logits; }

  // A prompt by itself, in a cache of its own, at most `chunk` tokens a forward.
  ForwardReport examine(std::span<const TokenId> tokens, bool hiddenStates, int chunk);
  std::vector<float> lastLogits(std::span<const TokenId> tokens, int chunk);
  // The same through the first layers alone and without logits, for what the observer is told.
  void observeAlone(std::span<const TokenId> tokens, int chunk, int layers, const LayerObserver& observer);

  // Writes the KV of tokens whose tables' earlier positions hold theirs: `tokens` stand at positions from
  // `first`. Apart from any step.
  void fillKv(std::span<const TokenId> tokens, int first, std::span<const BlockId> table);
  // The KV of a prompt by itself: token i is in block i / blockSize. Requires a token.
  std::unique_ptr<KvCache> kvOf(std::span<const TokenId> tokens, int chunk);

  Backend& backend() { return *m_backend; }
  // For another runner with the same model.
  const std::shared_ptr<Backend>& sharedBackend() const { return m_backend; }
  const std::shared_ptr<Decoder>& sharedDecoder() const { return m_decoder; }
  KvCache& cache() { return *m_cache; }
  Decoder& decoder() { return *m_decoder; }
  const Decoder& decoder() const { return *m_decoder; }

 private:
  struct Chunk {
    TensorView logits;
    int first, count;
  };
  LayerObserver watch(const StepPlan& plan, std::span<const int> layers, const Tap& tap,
                      const BatchBuilder& batch);
  void reserveStates(std::int64_t rows);
  void finishStates(const StepPlan& plan, const LayerObserver& observer);
  TensorView forwardAbove(const LayerObserver& observer);
  // Runs `compute` over each chunk of a prompt by itself, and returns the cache that it writes.
  using ComputeChunk = std::function<void(BatchBuilder& batch, KvCache& cache, int first, bool isLast)>;
  std::unique_ptr<KvCache> eachChunkAlone(std::span<const TokenId> tokens, int chunk,
                                          const ComputeChunk& compute);
  std::unique_ptr<KvCache> forwardAlone(std::span<const TokenId> tokens, int chunk, bool allLogits,
                                        const LayerObserver& observer,
                                        const std::function<void(const Chunk&)>& done = {});

  const std::shared_ptr<Backend> m_backend;
  const std::shared_ptr<Decoder> m_decoder;
  const Kv m_kv;
  const std::unique_ptr<KvCache> m_cache;
  BatchBuilder m_batch, m_early;  // the step's; a round's of drafting, or what is left below the exit layer
  BatchBuilder m_next;            // of the step behind
  std::vector<BlockCopy> m_copies;
  std::vector<TokenId> m_tokens;  // one work's
  std::vector<float> m_hidden;    // one row, for taps

  // The states behind the exit layer of what was drafted in this step.
  int m_exitLayer = 0;
  Tensor m_states, m_ordered;                     // [capacity, hidden]: as they came; in the batch's order
  std::int64_t m_stateRows = 0, m_stateRoom = 0;  // used, capacity
  std::vector<std::vector<std::int32_t>>
      m_rowsOf;  // by work of the plan: its rows of m_states, first token first
  std::vector<std::int32_t> m_order;
  std::vector<float> m_earlyLogits;
  StepLogits m_logits;  // the first to be destroyed: it knows the decoder
};

}  // namespace vitrine

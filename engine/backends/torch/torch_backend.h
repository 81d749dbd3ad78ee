// TorchBackend: every operation of backend.h in ATen, written to be obviously right rather than fast.
//
// The oracle our kernels are tested against, and what `--kernels reference` runs. Attention gathers a
// sequence's keys and values and materialises its scores; bf16 weights are widened at each use.
// Invariant: nothing of torch leaves this folder: views in, EngineError out (guarded.h).
// Thread: one at a time. Read next: torch_operations.cpp.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "backends/backend.h"

namespace vitrine::torch_backend {

class TorchWeight final : public LinearWeight {
 public:
  at::Tensor matrix;  // [outFeatures, inFeatures], float32 or bfloat16
};

class TorchKv final : public KvCache {
 public:
  using KvCache::KvCache;
  std::int64_t blockBytes() const override {
    return static_cast<std::int64_t>(blocks.nbytes()) / blocks.size(2);
  }
  at::Tensor blocks;  // [2 (keys, values), layers, numBlocks, blockSize, kvHeads, headDim]
  // One layer's keys (0) or values (1), slot after slot: [numBlocks * blockSize, kvHeads, headDim]
  at::Tensor slotRows(int which, int layer) const { return blocks[which][layer].flatten(0, 1); }
};

class TorchBackend final : public Backend {
 public:
  // Throws EngineError(kInvalidArgument) when threads is negative or absurd. The number holds for the whole
  // process, as libtorch has it. attention: "reference", or empty for it too; another throws
  // EngineError(kUnsupported), since an oracle has one way to attend: the one that is obviously right.
  TorchBackend(int threads, const std::string& attention);

  std::string name() const override { return "torch"; }
  std::string device() const override;
  int threads() const override { return m_threads; }

  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override;
  Tensor upload(const TensorView& host) override;
  void download(const TensorView& device, float* host) override;
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> hostParts,
                                           WeightFormat format) override;
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override;
  std::unique_ptr<KvCache> allocateKv(const KvCacheShape& shape) override;
  void beginStep(const RaggedBatch& batch) override {
    VITRINE_CHECK(batch.blockShifts.empty() &&
                  batch.attentionScores.empty());  // refused when the engine is made
    m_batch = batch;
  }

  void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) override;
  void embedRows(std::span<const std::int32_t> ids, const LinearWeight& table,
                 const TensorView& out) override;
  void rmsNorm(const TensorView& x, const TensorView& weight, float eps, const TensorView& out) override;
  void addRmsNorm(const TensorView& residual, const TensorView& delta, const TensorView& weight, float eps,
                  const TensorView& out) override;
  void linear(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
              const TensorView& out) override;
  void rotary(const TensorView& x, const TensorView& cos, const TensorView& sin) override;
  void storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) override;
  void attention(const TensorView& q, const KvCache& cache, int layer, const AttentionParameters& parameters,
                 const TensorView& out) override;
  void gate(const TensorView& gateUp, const TensorView& out) override;
  void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) override;
  void copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) override;
  void readBlock(const KvCache& cache, std::int32_t block, void* host) override;
  void writeBlock(KvCache& cache, std::int32_t block, const void* host) override;

 private:
  int m_threads;
  RaggedBatch m_batch;
};

}  // namespace vitrine::torch_backend

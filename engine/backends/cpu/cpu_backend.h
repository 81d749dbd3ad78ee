// CpuBackend: our own kernels behind backend.h. Float32 activations, weights of any WeightFormat.
//
// This class checks shapes, cuts an operation into rows, panels or heads, and shares them among the threads;
// the arithmetic is in *_kernels.cpp. How the work is cut never reaches a sum, so the number of threads
// changes no bit either. Thread: one at a time. Read next: README.md beside this file, kernels.h.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/attention/attention.h"
#include "backends/cpu/bf16_products.h"
#include "backends/cpu/int8_products.h"
#include "backends/cpu/kernels.h"
#include "core/thread_pool.h"

namespace vitrine::cpu {

class PackedCopies;
struct PanelSegment;

class CpuBackend : public Backend {
 public:
  // attention: a name of the registry (attention/attention.h), empty for fastestAttention().
  // Throws EngineError(kInvalidArgument) for a name that is not there. copies: the folder of packed copies,
  // empty for none.
  CpuBackend(int threads, const std::string& attention, Compute compute = Compute::kF32,
             const std::filesystem::path& copies = {});
  ~CpuBackend() override;

  std::string name() const override { return "cpu"; }
  std::string device() const override;
  int threads() const override { return m_pool.threads(); }

  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override;
  Tensor upload(const TensorView& host) override;
  void download(const TensorView& device, float* host) override;
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> hostParts,
                                           WeightFormat format) override;
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override;
  WeightCopies* copies() override;
  std::unique_ptr<KvCache> allocateKv(const KvCacheShape& shape) override;
  void beginStep(const RaggedBatch& batch) override;

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
  // Tokens [first, first + count) of the batch, all of one sequence: what attention computes at a time.
  struct Run {
    std::int32_t first, count, sequence;
  };
  struct AttentionCall;
  const float* packRows(const TensorView& x);
  QuantizedRows quantizeRows(const TensorView& x, std::int64_t ofScale);
  RoundedRows roundRows(const TensorView& x);
  const Int8BlockTask::RowPart* partRows(const QuantizedRows& x, BlockType type);
  void multiply(const PanelSegment& segment, const LinearTask& task, std::int64_t rows);
  void multiplyInInt8(const PanelSegment& segment, const ProductOutput& to, const QuantizedRows& x,
                      std::int64_t inFeatures);
  // Hands parts of a product, panels times rows, to the threads.
  template <class Kernel, class Task>
  void share(Kernel kernel, const Task& task, std::int64_t inFeatures, std::int64_t panels, std::int64_t rows,
             std::int64_t rowsAtOnce);
  void cutRuns(int tokensAtOnce);
  void checkAttention(const AttentionCall& call) const;
  void reserveScratch(AttentionCall& call, int headDim);
  AttentionTask taskOf(const AttentionCall& call, const Run& run, int head, int thread);
  void addScores(const KvCacheShape& shape, int layer) const;
  void checkTables(const KvCache& cache, const AttentionParameters& parameters) const;

  ThreadPool m_pool;
  const Compute m_compute;
  std::unique_ptr<PackedCopies> m_copies;  // null: none are kept
  const RowKernels& m_rows = rowKernels();
  const LinearKernels& m_linear = linearKernels();
  const BlockKernels& m_blocks = blockKernels();
  const Int8Kernels& m_int8 = *int8Kernels().front();
  const Bf16Kernels& m_bf16 = *bf16Kernels().front();
  const AttentionKernel& m_attention;

  RaggedBatch m_batch;
  std::int64_t m_maxContext = 0;
  std::vector<Run> m_runs;
  std::shared_ptr<void> m_scratch;  // a part for each thread; grows, never shrinks
  std::int64_t m_scratchFloats = 0;
  std::vector<float> m_packedRows;             // x of the current product; grows, never shrinks
  std::vector<std::int8_t> m_quantizedValues;  // and in int8
  std::vector<float> m_quantizedScales;
  std::vector<std::int32_t> m_quantizedSums;
  std::vector<Int8BlockTask::RowPart> m_rowParts;
  std::vector<std::uint16_t> m_roundedValues;  // and in bf16
  std::vector<float> m_scores;  // [T, kvHeads, scoreWidth] of a layer, when the batch asks for them
};

}  // namespace vitrine::cpu

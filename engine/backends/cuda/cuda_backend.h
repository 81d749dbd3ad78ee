// CudaBackend: the operations of backend.h on an NVIDIA GPU, in order on one stream; copies of blocks to and
// from the host have a stream of their own (block_copies.h).
//
// An operation returns when its kernel is launched; download(), finish() and finishCopies() wait. Matrices
// are kept in the type of the activations; beside bfloat16 quantized ones as they are, in codes, and so are
// blocks of a GGUF file, but for some types (block_tiles.h).
// Invariant: nothing of CUDA leaves this folder: views in, EngineError out. Thread: one at a time. Read next:
// launch.h, README.md.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/block_copies.h"
#include "backends/cuda/device_memory.h"
#include "backends/cuda/launch.h"
#include "backends/cuda/launch_marks.h"
#include "backends/cuda/library_products.h"
#include "backends/cuda/row_digests.h"
#include "backends/cuda/step_graphs.h"
#include "backends/cuda/step_program.h"
#include "backends/cuda/stream.h"

namespace vitrine::cuda {

class CudaWeight final : public LinearWeight {
 public:
  PackedMatrix matrix;
  std::shared_ptr<void> memory, expansion;
  Tensor plain;  // [outputs, inputs] the same numbers, which cuBLASLt reads; not in `bytes`. Empty: none
};

class CudaKv final : public KvCache {
 public:
  using KvCache::KvCache;
  std::int64_t blockBytes() const override { return shape.bytesPerBlock(); }
  char* block(std::int32_t index) const;
  PagedKv paged;
  std::shared_ptr<void> memory;
};

class CudaBackend final : public Backend {
 public:
  // On the first GPU that is visible. Throws EngineError: kUnavailable without one, where it knows no such
  // activations, or without cuBLASLt, which kOff needs beside activations of 16 bits; kUnsupported for an
  // attention by name.
  CudaBackend(DType activations, const std::string& attention, Decoding decoding, BatchInvariance invariance);

  std::string name() const override { return "cuda"; }
  std::string device() const override { return m_device; }
  int threads() const override { return 0; }
  std::optional<DeviceMemory> memory() const override;
  void resetPeak() override;
  std::optional<MachineRoof> measureRoof(std::int64_t modelBytes, const RoofProgress& progress) override;
  DType activations() const override { return m_activations; }
  void finish() override { m_stream.finish(); }

  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape) override;
  Tensor upload(const TensorView& host) override;
  void download(const TensorView& device, float* host) override;
  std::unique_ptr<LogitsDigests> makeDigests() override {
    return std::make_unique<RowDigests>(m_stream, m_lists, m_givenTokens);
  }
  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> hostParts,
                                           WeightFormat format) override;
  std::unique_ptr<LinearWeight> packBlocks(std::span<const WeightRows> parts) override;
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
  void prepareHeads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
                    const TensorView& sin, KvCache& cache, int layer) override;
  void linearAddNorm(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                     const TensorView& delta, const ResidualNorm& norm) override;
  void linearGate(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                  const TensorView& gateUp, const TensorView& out) override;
  std::int64_t paddedRows(std::int64_t sequences) const override;
  void repeat(const RepeatedLayers& layers, const std::function<void()>& operations) override;
  std::optional<LaunchesMeasured> compareLaunches(const RepeatedLayers& layers,
                                                  const std::function<void()>& operations) override;
  void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) override;
  void copyBlocks(KvCache& cache, std::span<const BlockCopy> copies) override;
  std::shared_ptr<void> hostMemory(std::int64_t bytes) override;
  void readBlock(const KvCache& cache, std::int32_t block, void* host) override;
  void writeBlock(KvCache& cache, std::int32_t block, const void* host) override;
  void finishCopies() override { m_copies.finish(); }

 private:
  const std::int32_t* tokenList(std::span<const std::int32_t> ids, std::int64_t vocabulary);
  bool usesTensorCores(const TensorView& q, const PagedKv& cache) const;
  void measureCopies(MachineRoof& roof, const RoofProgress& progress);
  void measureProduct(MachineRoof& roof, const RoofProgress& progress);
  void norm(const ResidualNorm& norm);
  void finishNorm();
  void multiply(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                const TensorView& out, Finish finish);
  bool usesLibrary(const LinearWeight& weight, std::int64_t rows) const;
  const AttentionBlocks& blocksFor(std::int64_t rows, int group);
  AttentionMemory memoryFor(const TensorView& q, int blocks, int kvHeads);
  template <class Value>
  void doWhile(Value& mode, Value value, const std::function<void()>& operations);
  struct WrittenStep;
  StepShape shapeOf(const RepeatedLayers& layers) const;
  WrittenStep* writtenStep(const StepShape& shape, const std::function<void()>& operations);
  void launchAll(const std::function<void()>& operations);  // one by one, or into a graph
  void launchWritten(const WrittenStep& written, std::uint64_t* times);
  bool refuses();
  void awaitCopies(const KvCache& cache);
  std::unique_ptr<CudaWeight> emptyWeight(std::int64_t outputs, std::int64_t inputs, TileFormat format);
  void addRows(const TensorView& hostRows, int bits, CudaWeight& weight, std::int64_t first);
  void addTiles(std::span<const WeightRows> parts, CudaWeight& weight);
  void keepPlain(CudaWeight& weight);

  const DType m_activations;
  const Decoding m_decoding;
  std::string m_device;
  Gpu m_gpu;
  const Stream m_stream;
  Queue m_queue;
  ListUpload m_lists;                           // for the operation that follows
  StepLists m_stepLists;                        // for all operations of a step
  ListUpload m_blockLists;                      // AttentionBlocks of a step
  const std::int32_t* m_givenTokens = nullptr;  // for the ids below 0 of the next embed(); null: it has none
  BlockCopies m_copies;
  std::unique_ptr<LibraryProducts> m_library;  // null: all products are our own
  AttentionBatch m_batch = {};                 // of the step; scale and window are the layer's
  AttentionBlocks m_blocks;  // of the step, for m_blocksGroup heads of a key-value head; 0: not known
  int m_blocksGroup = 0;
  std::vector<std::int32_t> m_queryStart;     // [S + 1] of the step
  bool m_isDecoding = false;                  // every sequence of the step has one token
  const std::int32_t* m_slots = nullptr;      // [T]
  std::vector<std::int32_t> m_step;           // the lists of a step, one behind another
  std::span<const std::int32_t> m_stepSlots;  // of m_step
  int m_awaitedSize = 0;  // the step waits for the copies it must not overtake, in blocks of this size; 0: no
  GrowingMemory m_states, m_ended;    // of attention's tiles (AttentionMemory)
  std::shared_ptr<void> m_expansion;  // of all matrices of codes (PackedMatrix); null: there are none
  StepGraphs m_graphs;
  // A step as one kernel, and the norm that is left to do behind it.
  struct WrittenStep {
    std::unique_ptr<StepProgram> program;  // null: its operations cannot be written down
    std::optional<ResidualNorm> lastNorm;
  };
  RecentShapes<WrittenStep> m_written;
  StepProgram* m_writing = nullptr;  // operations are written down there, and not launched
  // Within repeat(): a norm that was asked for, and that the product which reads it may compute.
  std::optional<ResidualNorm> m_pendingNorm;
  std::optional<UnpreparedHeads> m_pendingHeads;  // that attention, which follows, prepares
  bool m_defersNorms = false;
  LaunchMarks* m_marks = nullptr;  // of the operations that follow
};

// Does the operations while `mode` is `value`. A norm that still waits when they throw is forgotten.
template <class Value>
void CudaBackend::doWhile(Value& mode, Value value, const std::function<void()>& operations) {
  mode = value;
  try {
    operations();
  } catch (...) {
    mode = {};
    m_pendingNorm.reset();
    m_pendingHeads.reset();
    throw;
  }
  mode = {};
}

}  // namespace vitrine::cuda

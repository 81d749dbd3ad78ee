// StepProgram: what a step's layers do, written down, and carried out by one kernel from the first layer to
// the last.
//
// A layer of a small model is five operations of a few microseconds each. As kernels, even those of a graph,
// each begins anew: its blocks start, find out what they have to do, and wait for what they read. Here a
// block of threads stays on each multiprocessor for the whole step and takes one operation after another from
// a list, as soon as what it reads is there. Their warps bring the weights of the operations to come
// meanwhile, so that the memory does not rest. The idea is that of "megakernels" (HazyResearch, 2025: "Look
// Ma, No Bubbles!"). An operation has the bits that its kernel gives.
//
// Thread: one at a time. Errors: what does not fit is said before anything is launched.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backends/cuda/launch.h"
#include "vitrine/operation.h"

namespace vitrine::cuda {

class StepProgram {
 public:
  static constexpr int kMostRows = 4;  // one of each sequence; with more, a graph is faster

  // For operations on `rows` tokens, in float16 or bfloat16; the matrices have one format, or those that
  // hasOffsets() names. Takes a GPU with warpgroups (compute capability 9.0).
  StepProgram(DType type, int rows, const Gpu& gpu);

  // The operations, in order, each of which reads what the one before it has written. norm: as
  // tensorCoreProduct() has it. An operation that cannot be written down makes the program one that does not
  // fit.
  void product(Operation operation, const TensorView& x, const ResidualNorm* norm, const PackedMatrix& matrix,
               const TensorView& bias, const TensorView& out, Finish finish);
  // Cosines and sines are the same in all layers, and batch and cache but for scale and window. Keys and
  // values go to the slot of the token's position.
  void heads(const HeadsOfTokens& heads, const HeadNorms& norms, const TensorView& cos,
             const TensorView& sin);
  // Behind heads() of the same layer. A cache of codes does not fit.
  void attention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
                 const TensorView& out);
  void refuse() { m_fits = false; }

  // When all is written down: whether it fits. The list goes to the GPU then.
  bool finish(cudaStream_t stream);
  // times [1 + kTimed], on the GPU: the least becomes the time when the first block of threads begins, of the
  // GPU's own clock in ns, and each of those behind it the latest when a block has done its part of an
  // operation. Null: none are wanted.
  static constexpr int kTimed = 10;  // operations, of the first layers
  void launch(const Queue& queue, std::uint64_t* times);
  const std::vector<Operation>& operations() const { return m_operations; }

 private:
  // What an operation passes on to the next: a row has so many elements, in so many words.
  struct Passed {
    const void* data = nullptr;
    std::int64_t width = 0, words = 0;
    bool operator==(const Passed&) const = default;
  };
  template <class Work>
  void withTypes(const Work& work) const;

  const DType m_type;
  const int m_rows;
  const Gpu m_gpu;
  bool m_fits = true;
  std::optional<TileFormat> m_format;  // of all matrices, or, if they are mixed, of the last one
  bool m_isMixed = false;
  std::vector<Operation> m_operations;         // of the steps
  std::vector<std::byte> m_steps, m_matrices;  // Step, StreamedMatrix (step_program.cu)
  std::optional<HeadNorms> m_headNorms;        // that attention will need
  TensorView m_cos, m_sin, m_q, m_attended;    // of all layers alike
  PagedKv m_cache;
  AttentionBatch m_batch = {};
  const void* m_input = nullptr;  // of the first operation, with the distance of its rows in words
  std::int64_t m_inputStride = 0;
  Passed m_passed;
  bool m_isNormed = false;  // the last operation reads a norm
  int m_stepCount = 0, m_matrixCount = 0;
  int m_narrow = 0;  // matrices with no more units than there are multiprocessors
  std::int64_t m_mostInputs = 0, m_mostNormed = 0;
  std::shared_ptr<void> m_memory;  // on the GPU: steps, matrices, lists of words, states
  std::size_t m_matricesAt = 0, m_listsAt = 0;
  std::int64_t m_listWords = 0, m_stateWords = 0;
  std::uint32_t m_nextTag = 2;  // of words: one for what the first operation reads stands before it
};

}  // namespace vitrine::cuda

// Host tensors allocated, converted between float types, and joined: what the decoder does to weights before
// a backend takes them. Thread: any.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "formats/block_types.h"

namespace vitrine {

// Element `index` of a contiguous float tensor of any type.
float hostElement(const TensorView& host, std::int64_t index);

// Memory for tensors that live briefly, one after another: a tensor's memory serves the next one of its size
// or less. Fresh memory for each costs a page fault every 4 KiB, a quarter of the time that loading a model
// takes. One as large as an embedding comes once, and would only lie there until all is loaded: it is given
// back at once. Thread: one thread at a time, tensors that end included; these may outlive it.
class HostMemory {
 public:
  static constexpr std::size_t kMostKept = std::size_t{128} << 20;

  // A tensor whose elements are not set. Throws EngineError(kOutOfMemory).
  Tensor allocate(DType type, std::initializer_list<std::int64_t> shape);

 private:
  struct Buffer {
    std::shared_ptr<void> memory;
    std::size_t bytes = 0;
  };
  Buffer take(std::size_t bytes);

  std::shared_ptr<std::vector<Buffer>> m_free = std::make_shared<std::vector<Buffer>>();
};

// A contiguous copy as `type` (kF32, kBf16 or kF16).
Tensor convertHost(const TensorView& host, DType type);

// The rows of a matrix of floats, or a vector as one row; they keep it alive.
WeightRows rowsOf(Tensor matrix);

// Vectors one after another, as float32 [sum of lengths].
Tensor joinVectors(std::span<const TensorView> parts);

// The first element that is not a number, or is larger than `largest`; -1 when there is none.
std::int64_t firstUnfit(const TensorView& host, float largest);

}  // namespace vitrine

// Host tensors allocated, converted between float types, and joined: what the decoder does to weights before
// a backend takes them. Thread: any.
#pragma once

#include <span>

#include "core/tensor.h"

namespace vitrine {

// Element `index` of a contiguous float tensor of any type.
float hostElement(const TensorView& host, std::int64_t index);

// Memory for a tensor of the shape; its elements are not set. Throws EngineError(kOutOfMemory).
Tensor allocateHost(DType type, std::initializer_list<std::int64_t> shape);

// A contiguous copy as `type` (kF32, kBf16 or kF16).
Tensor convertHost(const TensorView& host, DType type);

// Vectors one after another, as float32 [sum of lengths].
Tensor joinVectors(std::span<const TensorView> parts);

// The first element that is not a number, or is larger than `largest`; -1 when there is none.
std::int64_t firstUnfit(const TensorView& host, float largest);

}  // namespace vitrine

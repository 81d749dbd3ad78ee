// What one element, one pair or one slot becomes. Kernels that do one of these and kernels that do several in
// one go share them, and so have the same bits.
#pragma once

#include "backends/cuda/elements.cuh"
#include "backends/cuda/launch.h"

namespace vitrine::cuda {

// x₁' = x₁cos − x₂sin, x₂' = x₂cos + x₁sin
template <class T>
__device__ void rotatePair(T& first, T& second, float cos, float sin) {
  const float a = toFloat(first), b = toFloat(second);
  first = fromFloat<T>(a * cos - b * sin);
  second = fromFloat<T>(b * cos + a * sin);
}

// As wide as a row may be whose RMSNorm a warp computes; for wider ones eight do.
inline constexpr std::int64_t kNarrowNorm = 256;

// By what RMSNorm scales a row, from its sum of squares.
template <class Width>
__device__ float normScale(float squares, Width width, float eps) {
  return 1.0f / sqrtf(squares / static_cast<float>(width) + eps);
}

template <class T>
__device__ T gated(T gate, T up) {
  const float value = toFloat(gate);
  return fromFloat<T>(value / (1.0f + expf(-value)) * toFloat(up));
}

// A head's elements in the cache, for the slot block * blockSize + place.
template <class T>
__device__ T* slotOf(const PagedKv& cache, int slot, int layer, int which, int head) {
  return static_cast<T*>(cache.data) + cache.offset(slot / cache.blockSize, layer, which, head) +
         slot % cache.blockSize * cache.headDim;
}

}  // namespace vitrine::cuda

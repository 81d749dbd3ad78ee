// What a head of queries or keys becomes between the product that gives it and attention: norm (Qwen3's) and
// rotation. The arithmetic and its roundings are those of norm.cu and elementwise.cu, one behind another.
#pragma once

#include "backends/cuda/formulas.cuh"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {

// A head of queries or keys in shared memory, of at most `width` elements, normed (weight null: not) and
// rotated by the angles of its token, by a warp.
template <int width, class T>
__device__ void turnHead(int headDim, const float* weight, float eps, const float* cos, const float* sin,
                         T* row) {
  constexpr int kEach = width / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp, half = headDim / 2;
  if (weight != nullptr) {
    float values[kEach], squares = 0;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int i = lane + j * kWarp;
      values[j] = i < headDim ? toFloat(row[i]) : 0;
      squares = fmaf(values[j], values[j], squares);
    }
    const float scale = normScale(warpSum(squares), headDim, eps);
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int i = lane + j * kWarp;
      if (i < headDim) row[i] = fromFloat<T>(values[j] * scale * weight[i]);
    }
    __syncwarp();
  }
#pragma unroll
  for (int j = 0; j < kEach / 2; ++j) {
    const int i = lane + j * kWarp;
    if (i < half) rotatePair(row[i], row[i + half], cos[i], sin[i]);
  }
  __syncwarp();
}

}  // namespace vitrine::cuda

// What a head of queries or keys becomes between the product that gives it and attention: norm (Qwen3's) and
// rotation. The arithmetic and its roundings are those of norm.cu and elementwise.cu, one behind another.
#pragma once

#include "backends/cuda/formulas.cuh"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {

// Of a norm; null: there is none.
inline const float* weightOf(const TensorView& norm) { return norm.empty() ? nullptr : norm.f32(); }

// The norm of a head whose element i is in lane i mod 32, ascending: `each` in a lane at most.
template <int each, class T>
__device__ void normElements(T (&elements)[each], int headDim, const float* weight, float eps) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float squares = 0;
#pragma unroll
  for (int j = 0; j < each; ++j) {
    const float value = lane + j * kWarp < headDim ? toFloat(elements[j]) : 0;
    squares = fmaf(value, value, squares);
  }
  const float scale = normScale(warpSum(squares), headDim, eps);
#pragma unroll
  for (int j = 0; j < each; ++j)
    if (lane + j * kWarp < headDim)
      elements[j] = fromFloat<T>(toFloat(elements[j]) * scale * weight[lane + j * kWarp]);
}

// A head of queries or keys, all of whose lanes have `each` elements as above, an even number: normed (weight
// null: not) and rotated by the angles of its token. So both of a pair are in one lane.
template <int each, class T>
__device__ void turnElements(T (&elements)[each], const float* weight, float eps, const float* cos,
                             const float* sin) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  if (weight != nullptr) normElements(elements, each * kWarp, weight, eps);
#pragma unroll
  for (int j = 0; j < each / 2; ++j)
    rotatePair(elements[j], elements[j + each / 2], cos[lane + j * kWarp], sin[lane + j * kWarp]);
}

// The same of a head in shared memory, of at most `width` elements.
template <int width, class T>
__device__ void turnHead(int headDim, const float* weight, float eps, const float* cos, const float* sin,
                         T* row) {
  constexpr int kEach = width / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp, half = headDim / 2;
  if (weight != nullptr) {
    T elements[kEach];
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if (lane + j * kWarp < headDim) elements[j] = row[lane + j * kWarp];
    normElements(elements, headDim, weight, eps);
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if (lane + j * kWarp < headDim) row[lane + j * kWarp] = elements[j];
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

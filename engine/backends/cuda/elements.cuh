// Elements of a tensor on the GPU: float32, bfloat16 or float16 in memory, float32 in registers.
//
// Kernels are templates over the type in memory. Sums are float32 always, and a product and a sum are one
// rounding only where fmaf() says so: the module is compiled with -fmad=false, since a compiler that fuses in
// one kernel and not in another would break the law "same bits whatever the batch" (README.md).
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "core/tensor.h"

namespace vitrine::cuda {

using Bf16 = __nv_bfloat16;
using F16 = __half;

__device__ inline float toFloat(float x) { return x; }
__device__ inline float toFloat(Bf16 x) { return __bfloat162float(x); }
__device__ inline float toFloat(F16 x) { return __half2float(x); }

template <class T>
__device__ T fromFloat(float x) {
  if constexpr (std::is_same_v<T, Bf16>)
    return __float2bfloat16_rn(x);
  else if constexpr (std::is_same_v<T, F16>)
    return __float2half_rn(x);
  else
    return x;
}

// Calls `work` with a value of the element type, which names it: [&](auto element) { using T =
// decltype(element); }
template <class Work>
void withElement(DType type, const Work& work) {
  switch (type) {
    case DType::kF32:
      return work(float{});
    case DType::kBf16:
      return work(Bf16{});
    case DType::kF16:
      return work(F16{});
    case DType::kI32:
      break;
  }
  VITRINE_CHECK(false);
}

// A matrix, or [rows, heads, width] with any distance between rows and between heads; widths are dense.
template <class T>
struct Rows {
  T* data;
  std::int64_t stride, headStride;
  __host__ __device__ T* at(std::int64_t row, std::int64_t head = 0) const {
    return data + row * stride + head * headStride;
  }
};

template <class T>
Rows<T> rowsOf(const TensorView& view) {
  return {static_cast<T*>(view.data()), view.stride(0), view.rank() == 3 ? view.stride(1) : 0};
}

// Whether rows, or their heads, may be read and written so many elements at a time.
inline bool isInVectors(const TensorView& view, std::int64_t elements) {
  const auto bytes = static_cast<std::uintptr_t>(elements) * dtypeBytes(view.type());
  bool isAligned = view.extent(view.rank() - 1) % elements == 0 &&
                   reinterpret_cast<std::uintptr_t>(view.data()) % bytes == 0;
  for (int axis = 0; axis + 1 < view.rank(); ++axis)
    isAligned = isAligned && view.stride(axis) % elements == 0;
  return isAligned;
}

}  // namespace vitrine::cuda

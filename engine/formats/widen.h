// A row of small floats as float32. Exact. Thread: any.
#pragma once

#include <cstring>

#include "core/tensor.h"
#include "formats/small_floats.h"

namespace vitrine {

// `n` neighbouring float32, bfloat16 or float16 numbers.
inline void widenRow(const void* row, DType type, std::int64_t n, float* out) {
  VITRINE_CHECK(type != DType::kI32);
  if (type == DType::kF32) {
    if (n > 0) std::memcpy(out, row, static_cast<std::size_t>(n) * sizeof(float));
    return;
  }
  const auto* halves = static_cast<const std::uint16_t*>(row);
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = type == DType::kBf16 ? bf16ToFloat(halves[i]) : halfToFloat(halves[i]);
}

}  // namespace vitrine

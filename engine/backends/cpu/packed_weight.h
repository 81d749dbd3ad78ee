// PackedWeight: a weight matrix [out, in] as panels of 32 output columns, [ceil(out / 32), in, 32].
//
// A step k of the product then reads 32 neighbouring weights: one cache line or two, whole vectors, no
// gather. The last panel is filled up with zero columns that nobody reads. Read next: linear_kernels.cpp.
#pragma once

#include <span>

#include "backends/backend.h"
#include "core/thread_pool.h"

namespace vitrine::cpu {

class PackedWeight final : public LinearWeight {
 public:
  // See Backend::packLinear(); float16 kept as float16 would gain nothing here and is widened to float32.
  PackedWeight(std::span<const TensorView> parts, DType stored, ThreadPool& pool);

  DType type() const { return m_type; }  // kF32 or kBf16
  std::int64_t panelCount() const;
  const void* panels() const { return m_memory.get(); }

 private:
  void packPanel(std::span<const TensorView> parts, std::int64_t panel);

  DType m_type;
  std::shared_ptr<void> m_memory;
};

}  // namespace vitrine::cpu

// PackedWeight: a weight matrix [out, in] as panels of 32 output columns, [ceil(out / 32)][in][32].
//
// A step k of the product then reads 32 neighbouring weights: one cache line or two, whole vectors, no
// gather. int8 keeps 32 bytes there; int4 16, column c's value + 8 in the lower half of byte c for c < 16 and
// in the upper half of byte c - 16 otherwise. Their scales stand apart, so that a panel is one even stream.
// The last panel is filled up with zero columns, which are never read. Read next: linear_kernels.cpp.
#pragma once

#include <span>

#include "backends/backend.h"
#include "core/thread_pool.h"

namespace vitrine::cpu {

class PackedWeight final : public LinearWeight {
 public:
  PackedWeight(std::span<const TensorView> parts, WeightFormat format, ThreadPool& pool);

  WeightFormat format() const { return m_format; }
  std::int64_t panelCount() const;
  const void* panels() const { return m_panels.get(); }
  const std::uint16_t* scales() const {
    return static_cast<const std::uint16_t*>(m_scales.get());
  }  // null for floats

 private:
  void packPanel(std::span<const TensorView> parts, std::int64_t panel);
  void storeGroup(std::int64_t panel, std::int64_t column, std::int64_t input,
                  std::span<const float> weights);

  WeightFormat m_format;
  std::shared_ptr<void> m_panels, m_scales;
};

}  // namespace vitrine::cpu

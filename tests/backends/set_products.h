// Products in int8 and bf16 by the kernels of one instruction set, and a naive loop that says the bits of
// int8.
#pragma once

#include <algorithm>
#include <cmath>

#include "backends/cpu/bf16_products.h"
#include "backends/cpu/int8_products.h"
#include "backends/cpu/packed_weight.h"
#include "backends/product.h"
#include "core/thread_pool.h"
#include "formats/quantize.h"

namespace vitrine::test {

inline int bitsOf(const Product& m) { return m.format == WeightFormat::kInt8 ? 8 : 4; }

// As the header of int8_products.h says it, number by number.
inline Floats naive(const Product& m, const Floats& x) {
  const auto rows = static_cast<std::int64_t>(x.size()) / m.in;
  Floats out(static_cast<std::size_t>(rows * m.out));
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < m.out; ++column) {
      float sum = 0;
      for (std::int64_t group = 0; group < m.in; group += cpu::kProductGroup) {
        const std::int64_t count = std::min(cpu::kProductGroup, m.in - group);
        std::int8_t values[cpu::kProductGroup];
        const std::span weights(m.weight.data() + column * m.in + group, static_cast<std::size_t>(count));
        const float scale = bf16ToFloat(quantizeGroup(weights, bitsOf(m), values));
        const float* const from = x.data() + row * m.in + group;
        float most = 0;
        for (std::int64_t i = 0; i < count; ++i) most = std::max(most, std::abs(from[i]));
        std::int64_t whole = 0;
        for (std::int64_t i = 0; i < count && most > 0; ++i)
          whole += values[i] * static_cast<std::int64_t>(std::nearbyint(from[i] * (127.0f / most)));
        sum = std::fma(static_cast<float>(whole), scale * (most / 127.0f), sum);
      }
      out[static_cast<std::size_t>(row * m.out + column)] = sum + m.bias[static_cast<std::size_t>(column)];
    }
  return out;
}

// With the kernels of one instruction set.
inline Floats multiply(const cpu::Int8Kernels& kernels, Product& m, const Floats& x, ThreadPool& pool) {
  const auto rows = static_cast<std::int64_t>(x.size()) / m.in;
  const TensorView parts[] = {view(m.weight, {m.out, m.in})};
  const cpu::PackedWeight packed(parts, m.format, Compute::kInt8, pool);
  const cpu::PanelSegment& segment = packed.segments().front();
  cpu::Int8Task task;
  task.x.rows = rows;
  task.x.groups = cpu::productGroups(m.in);
  std::vector<float> scales(static_cast<std::size_t>(rows * task.x.groups));
  std::vector<std::int32_t> sums(scales.size());
  std::vector<std::int8_t> values((scales.size() + cpu::kSpareRows) *
                                  static_cast<std::size_t>(cpu::kProductGroup));
  task.x.values = values.data();
  task.x.scales = scales.data();
  task.x.sums = sums.data();
  for (std::int64_t row = 0; row < rows; ++row) kernels.quantize(x.data() + row * m.in, m.in, task.x, row);
  Floats out(static_cast<std::size_t>(rows * m.out));
  task.panels = static_cast<const std::uint8_t*>(segment.panels.get());
  task.scales = static_cast<const std::uint16_t*>(segment.scales.get());
  task.outFeatures = m.out;
  task.bias = m.bias.data();
  task.out = out.data();
  task.outStride = m.out;
  for (std::int64_t first = 0; first < rows; first += cpu::kLinearRows)
    (m.format == WeightFormat::kInt8 ? kernels.int8 : kernels.int4)(task, 0, segment.panelCount(), first,
                                                                    std::min(first + cpu::kLinearRows, rows));
  return out;
}

// With the kernels of one instruction set.
inline Floats multiply(const cpu::Bf16Kernels& kernels, Product& m, const Floats& x, ThreadPool& pool) {
  const auto rows = static_cast<std::int64_t>(x.size()) / m.in;
  const TensorView parts[] = {view(m.weight, {m.out, m.in})};
  const cpu::PackedWeight packed(parts, m.format, Compute::kBf16, pool);
  const cpu::PanelSegment& segment = packed.segments().front();
  cpu::Bf16Task task;
  task.x = {rows, (m.in + cpu::kRoundedBlock - 1) / cpu::kRoundedBlock, nullptr};
  std::vector<std::uint16_t> values(
      static_cast<std::size_t>((rows * task.x.blocks + cpu::kSpareRows) * cpu::kRoundedBlock));
  task.x.values = values.data();
  for (std::int64_t row = 0; row < rows; ++row) kernels.round(x.data() + row * m.in, m.in, task.x, row);
  Floats out(static_cast<std::size_t>(rows * m.out));
  task.panels = static_cast<const std::uint16_t*>(segment.panels.get());
  task.inputs = cpu::pairedInputs(m.in);
  task.outFeatures = m.out;
  task.bias = m.bias.data();
  task.out = out.data();
  task.outStride = m.out;
  for (std::int64_t first = 0; first < rows; first += cpu::kLinearRows)
    kernels.multiply(task, 0, segment.panelCount(), first, std::min(first + cpu::kLinearRows, rows));
  return out;
}

}  // namespace vitrine::test

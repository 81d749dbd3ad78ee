// Products in int8 and bf16 by the kernels of one instruction set, and naive loops that say the bits of int8.
#pragma once

#include <algorithm>
#include <cmath>

#include "backends/cpu/bf16_products.h"
#include "backends/cpu/int8_products.h"
#include "backends/cpu/packed_weight.h"
#include "backends/product.h"
#include "core/thread_pool.h"
#include "formats/quantize.h"
#include "support/random_blocks.h"

namespace vitrine::test {

inline int bitsOf(const Product& m) { return m.format == WeightFormat::kInt8 ? 8 : 4; }

// Of inputs [group, group + count): t, and q.
struct NaiveGroup {
  float scale = 0;
  std::int64_t values[cpu::kProductGroup] = {};
  NaiveGroup(const float* from, std::int64_t count) {
    float most = 0;
    for (std::int64_t i = 0; i < count; ++i) most = std::max(most, std::abs(from[i]));
    scale = most / 127.0f;
    for (std::int64_t i = 0; i < count && most > 0; ++i)
      values[i] = static_cast<std::int64_t>(std::nearbyint(from[i] * (127.0f / most)));
  }
};

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
        const NaiveGroup q(x.data() + row * m.in + group, count);
        std::int64_t whole = 0;
        for (std::int64_t i = 0; i < count; ++i) whole += values[i] * q.values[i];
        sum = std::fma(static_cast<float>(whole), scale * q.scale, sum);
      }
      out[static_cast<std::size_t>(row * m.out + column)] = sum + m.bias[static_cast<std::size_t>(column)];
    }
  return out;
}
inline Floats naive(const RandomMatrix& m, const Floats& bias, const Floats& x) {
  const BlockTypeInfo& info = blockTypeInfo(m.type);
  const auto rows = static_cast<std::int64_t>(x.size()) / m.in;
  Floats out(static_cast<std::size_t>(rows * m.out));
  OpenedBlock block;
  for (std::int64_t column = 0; column < m.out; ++column)
    for (std::int64_t row = 0; row < rows; ++row) {
      float sum = 0;
      for (std::int64_t part = 0; part < m.in; part += info.group) {
        openBlock(m.type, m.bytes.data() + (column * m.in + part) / info.length * info.bytes, block);
        const std::int64_t inBlock = part % info.length, group = part / cpu::kBlockGroup * cpu::kBlockGroup;
        const GroupScale by = groupScale(m.type, block, inBlock / info.group);
        const NaiveGroup q(x.data() + row * m.in + group, cpu::kBlockGroup);
        std::int64_t whole = 0, ofX = 0;
        for (std::int64_t i = 0; i < info.group; ++i) {
          const std::int64_t of = q.values[part - group + i];
          whole += valueOf(m.type, block.bits[static_cast<std::size_t>(inBlock + i)]) * of;
          ofX += of;
        }
        sum = std::fma(static_cast<float>(whole), by.scale * q.scale, sum);
        if (info.hasOffset) sum = std::fma(q.scale * static_cast<float>(ofX), by.offset, sum);
      }
      out[static_cast<std::size_t>(row * m.out + column)] = sum + bias[static_cast<std::size_t>(column)];
    }
  return out;
}

// x as one instruction set quantizes it.
struct QuantizedX : cpu::QuantizedRows {
  QuantizedX(const cpu::Int8Kernels& kernels, std::int64_t in, const Floats& x, std::int64_t inputsOfScale) {
    rows = static_cast<std::int64_t>(x.size()) / in;
    stride = cpu::rowStride(rows);
    groups = cpu::productGroups(in);
    ofScale = inputsOfScale;
    m_scales.resize(static_cast<std::size_t>(scaleCount()));
    m_sums.resize(m_scales.size());
    m_values.resize(static_cast<std::size_t>(valueCount()));
    values = m_values.data();
    scales = m_scales.data();
    sums = m_sums.data();
    for (std::int64_t row = 0; row < rows; ++row) kernels.quantize(x.data() + row * in, in, *this, row);
  }

 private:
  std::vector<std::int8_t> m_values;
  std::vector<float> m_scales;
  std::vector<std::int32_t> m_sums;
};

// All panels and rows of a task.
template <class Function, class Task>
Floats computed(Function function, Task& task, const Floats& bias, std::int64_t rows, std::int64_t panels,
                std::int64_t rowsAtOnce) {
  Floats out(static_cast<std::size_t>(rows) * bias.size());
  task.outFeatures = task.outStride = static_cast<std::int64_t>(bias.size());
  task.bias = bias.data();
  task.out = out.data();
  for (std::int64_t first = 0; first < rows; first += rowsAtOnce)
    function(task, 0, panels, first, std::min(first + rowsAtOnce, rows));
  return out;
}

// With the kernels of one instruction set.
inline Floats multiply(const cpu::Int8Kernels& kernels, Product& m, const Floats& x, ThreadPool& pool) {
  const TensorView parts[] = {view(m.weight, {m.out, m.in})};
  const cpu::PackedWeight packed(parts, m.format, Compute::kInt8, pool);
  const cpu::PanelSegment& segment = packed.segments().front();
  const QuantizedX quantized(kernels, m.in, x, cpu::kProductGroup);
  cpu::Int8Task task;
  task.x = quantized;
  task.panels = static_cast<const std::uint8_t*>(segment.panels.get());
  task.scales = static_cast<const std::uint16_t*>(segment.scales.get());
  return computed(m.format == WeightFormat::kInt8 ? kernels.int8 : kernels.int4, task, m.bias, task.x.rows,
                  segment.panelCount(), kernels.rowsAtOnce);
}
inline Floats multiply(const cpu::Int8Kernels& kernels, const RandomMatrix& m, const Floats& bias,
                       const Floats& x, ThreadPool& pool) {
  const WeightRows parts[] = {m.blocks()};
  const cpu::PackedWeight packed(parts, Compute::kInt8, pool);
  const cpu::PanelSegment& segment = packed.segments().front();
  const QuantizedX quantized(kernels, m.in, x, cpu::kBlockGroup);
  cpu::Int8BlockTask task;
  task.x = quantized;
  std::vector<cpu::Int8BlockTask::RowPart> ofRows(static_cast<std::size_t>(
      task.x.stride * task.x.groups * (cpu::kProductGroup / blockTypeInfo(m.type).group)));
  for (std::int64_t row = 0; row < task.x.rows; ++row) kernels.partRow(task.x, row, m.type, ofRows.data());
  task.parts = ofRows.data();
  task.type = m.type;
  task.panels = static_cast<const std::uint8_t*>(segment.panels.get());
  task.records = static_cast<const std::uint8_t*>(segment.scales.get());
  task.inputs = m.in;
  return computed(kernels.blocks, task, bias, task.x.rows, segment.panelCount(), cpu::kLinearRows);
}

// With the kernels of one instruction set.
inline Floats multiply(const cpu::Bf16Kernels& kernels, Product& m, const Floats& x, ThreadPool& pool) {
  const auto rows = static_cast<std::int64_t>(x.size()) / m.in;
  const TensorView parts[] = {view(m.weight, {m.out, m.in})};
  const cpu::PackedWeight packed(parts, m.format, Compute::kBf16, pool);
  const cpu::PanelSegment& segment = packed.segments().front();
  cpu::Bf16Task task;
  task.x = {rows, cpu::rowStride(rows), (m.in + cpu::kRoundedBlock - 1) / cpu::kRoundedBlock, nullptr};
  std::vector<std::uint16_t> values(static_cast<std::size_t>(task.x.valueCount()));
  task.x.values = values.data();
  for (std::int64_t row = 0; row < rows; ++row) kernels.round(x.data() + row * m.in, m.in, task.x, row);
  task.panels = static_cast<const std::uint16_t*>(segment.panels.get());
  task.inputs = cpu::pairedInputs(m.in);
  return computed(kernels.multiply, task, m.bias, rows, segment.panelCount(), kernels.rowsAtOnce);
}

}  // namespace vitrine::test

#include "backends/cpu/packed_weight.h"

#include <algorithm>

#include "backends/cpu/host_memory.h"
#include "backends/cpu/kernels.h"
#include "core/quantize.h"
#include "core/small_floats.h"

namespace vitrine::cpu {
namespace {

std::int64_t bitsOf(WeightFormat format) {
  switch (format) {
    case WeightFormat::kF32:
      return 32;
    case WeightFormat::kBf16:
    case WeightFormat::kF16:
      return 16;
    case WeightFormat::kInt8:
      return 8;
    case WeightFormat::kInt4:
      return 4;
  }
  return 0;
}

bool isScaled(WeightFormat format) { return format == WeightFormat::kInt8 || format == WeightFormat::kInt4; }

}  // namespace

PackedWeight::PackedWeight(std::span<const TensorView> parts, WeightFormat format, ThreadPool& pool)
    : m_format(format) {
  VITRINE_CHECK(!parts.empty());
  inFeatures = parts[0].extent(1);
  for (const TensorView& part : parts) {
    VITRINE_CHECK(part.rank() == 2 && part.extent(1) == inFeatures && part.stride(1) == 1 &&
                  part.extent(0) > 0 && part.type() != DType::kI32);
    outFeatures += part.extent(0);
  }
  const std::int64_t factors[] = {panelCount(), inFeatures, kPanelColumns * bitsOf(format) / 8};
  m_panels = allocateBytes(factors, "a weight matrix");
  bytes = factors[0] * factors[1] * factors[2];
  if (isScaled(format)) {
    const std::int64_t scales[] = {panelCount(), quantGroups(inFeatures), kPanelColumns, 2};
    m_scales = allocateBytes(scales, "a weight matrix's scales");
    bytes += scales[0] * scales[1] * scales[2] * scales[3];
  }
  pool.parallelFor(panelCount(), 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t panel = begin; panel < end; ++panel) packPanel(parts, panel);
  });
}

std::int64_t PackedWeight::panelCount() const { return (outFeatures + kPanelColumns - 1) / kPanelColumns; }

void PackedWeight::packPanel(std::span<const TensorView> parts, std::int64_t panel) {
  float wide[kQuantGroup];
  std::int64_t partBegin = 0;  // output row at which this part begins
  for (const TensorView& part : parts) {
    for (std::int64_t column = 0; column < kPanelColumns; ++column) {
      const std::int64_t row = panel * kPanelColumns + column - partBegin;
      if (row < 0 || row >= part.extent(0)) continue;
      const char* source = static_cast<const char*>(part.rows(row, 1).data());
      for (std::int64_t input = 0; input < inFeatures; input += kQuantGroup) {
        const std::int64_t count = std::min(kQuantGroup, inFeatures - input);
        widenRow(source + input * static_cast<std::int64_t>(dtypeBytes(part.type())), part.type(), count,
                 wide);
        storeGroup(panel, column, input, std::span(wide, static_cast<std::size_t>(count)));
      }
    }
    partBegin += part.extent(0);
  }
}

void PackedWeight::storeGroup(std::int64_t panel, std::int64_t column, std::int64_t input,
                              std::span<const float> weights) {
  const std::int64_t row = panel * inFeatures + input;  // of the panels' 32 columns
  std::int8_t values[kQuantGroup];
  if (isScaled(m_format)) {
    static_cast<std::uint16_t*>(
        m_scales.get())[(panel * quantGroups(inFeatures) + input / kQuantGroup) * kPanelColumns + column] =
        quantizeGroup(weights, static_cast<int>(bitsOf(m_format)), values);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::int64_t at = (row + static_cast<std::int64_t>(i)) * kPanelColumns + column;
    switch (m_format) {
      case WeightFormat::kF32:
        static_cast<float*>(m_panels.get())[at] = weights[i];
        break;
      case WeightFormat::kBf16:
        static_cast<std::uint16_t*>(m_panels.get())[at] = floatToBf16(weights[i]);
        break;
      case WeightFormat::kF16:
        static_cast<std::uint16_t*>(m_panels.get())[at] = floatToHalf(weights[i]);
        break;
      case WeightFormat::kInt8:
        static_cast<std::int8_t*>(m_panels.get())[at] = values[i];
        break;
      case WeightFormat::kInt4: {
        const std::int64_t byte = (row + static_cast<std::int64_t>(i)) * kPanelColumns / 2 + column % 16;
        const auto half = static_cast<std::uint8_t>(values[i] + 8);
        static_cast<std::uint8_t*>(m_panels.get())[byte] |=
            static_cast<std::uint8_t>(column < 16 ? half : half << 4);
        break;
      }
    }
  }
}

}  // namespace vitrine::cpu

#include "backends/cpu/packed_weight.h"

#include <vector>

#include "backends/cpu/kernels.h"
#include "backends/cpu/memory.h"

namespace vitrine::cpu {

PackedWeight::PackedWeight(std::span<const TensorView> parts, DType stored, ThreadPool& pool)
    : m_type(stored == DType::kBf16 ? DType::kBf16 : DType::kF32) {
  VITRINE_CHECK(!parts.empty() && stored != DType::kI32);
  inFeatures = parts[0].extent(1);
  for (const TensorView& part : parts) {
    VITRINE_CHECK(part.rank() == 2 && part.extent(1) == inFeatures && part.stride(1) == 1 &&
                  part.extent(0) > 0);
    outFeatures += part.extent(0);
  }
  const std::int64_t elementBytes = static_cast<std::int64_t>(dtypeBytes(m_type));
  const std::int64_t factors[] = {panelCount(), inFeatures, kPanelColumns, elementBytes};
  m_memory = allocateBytes(factors, "a weight matrix");
  bytes = panelCount() * inFeatures * kPanelColumns * elementBytes;
  pool.parallelFor(panelCount(), 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t panel = begin; panel < end; ++panel) packPanel(parts, panel);
  });
}

std::int64_t PackedWeight::panelCount() const { return (outFeatures + kPanelColumns - 1) / kPanelColumns; }

void PackedWeight::packPanel(std::span<const TensorView> parts, std::int64_t panel) {
  constexpr std::int64_t kChunk = 512;  // inputs widened at a time
  float wide[kChunk];
  std::int64_t partBegin = 0;  // output row at which this part begins
  for (const TensorView& part : parts) {
    for (std::int64_t column = 0; column < kPanelColumns; ++column) {
      const std::int64_t row = panel * kPanelColumns + column - partBegin;
      if (row < 0 || row >= part.extent(0)) continue;
      const char* source = static_cast<const char*>(part.rows(row, 1).data());
      for (std::int64_t begin = 0; begin < inFeatures; begin += kChunk) {
        const std::int64_t count = std::min(kChunk, inFeatures - begin);
        widenRow(source + begin * static_cast<std::int64_t>(dtypeBytes(part.type())), part.type(), count,
                 wide);
        const std::int64_t at = (panel * inFeatures + begin) * kPanelColumns + column;
        for (std::int64_t i = 0; i < count; ++i) {
          if (m_type == DType::kBf16)
            static_cast<std::uint16_t*>(m_memory.get())[at + i * kPanelColumns] = bf16FromFloat(wide[i]);
          else
            static_cast<float*>(m_memory.get())[at + i * kPanelColumns] = wide[i];
        }
      }
    }
    partBegin += part.extent(0);
  }
}

}  // namespace vitrine::cpu

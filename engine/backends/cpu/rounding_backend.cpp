// The CPU's float32 arithmetic over weights that are rounded to int8 or int4: an oracle for the products in
// int8, which read the same numbers.
#include <vector>

#include "backends/cpu/cpu_backend.h"
#include "core/check.h"
#include "formats/quantize.h"

namespace vitrine {
namespace cpu {
namespace {

class RoundingBackend final : public CpuBackend {
 public:
  RoundingBackend(int threads, const std::string& attention, Compute compute)
      : CpuBackend(threads, attention), m_group(compute == Compute::kInt8 ? kProductGroup : kQuantGroup) {}

  std::unique_ptr<LinearWeight> packLinear(std::span<const TensorView> hostParts,
                                           WeightFormat format) override {
    if (format != WeightFormat::kInt8 && format != WeightFormat::kInt4)
      return CpuBackend::packLinear(hostParts, format);
    std::vector<WeightRows> rows;
    for (const TensorView& part : hostParts)
      rows.push_back(rounded(part, format == WeightFormat::kInt8 ? 8 : 4));
    return packBlocks(rows);
  }

 private:
  WeightRows rounded(const TensorView& matrix, int bits) const {
    VITRINE_CHECK(matrix.rank() == 2 && matrix.stride(1) == 1);
    const auto inputs = static_cast<std::size_t>(matrix.extent(1));
    return {BlockType::kF32, matrix.extent(0), matrix.extent(1),
            [matrix, bits, inputs, group = m_group](std::int64_t first, std::span<std::byte> out) {
              const std::span floats(reinterpret_cast<float*>(out.data()), out.size() / sizeof(float));
              for (std::size_t at = 0; at < floats.size(); at += inputs, ++first) {
                const std::span<float> row = floats.subspan(at, inputs);
                decodeBlocks(blockTypeOf(matrix.type()),
                             static_cast<const std::byte*>(matrix.rows(first, 1).data()), row);
                quantizeInPlace(row, bits, group);
              }
            }};
  }

  const std::int64_t m_group;
};

}  // namespace
}  // namespace cpu

std::unique_ptr<Backend> makeRoundingCpuBackend(int threads, const std::string& attention, Compute compute) {
  return std::make_unique<cpu::RoundingBackend>(threads, attention, compute);
}

}  // namespace vitrine

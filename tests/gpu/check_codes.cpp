// Quantized weights, which the GPU keeps as codes and scales: the numbers that core/quantize.h leaves, their
// size, and products with them, bit by bit against products with those numbers.
#include <algorithm>
#include <string>

#include "backends/workload.h"
#include "core/quantize.h"
#include "gpu/gpu_checks.h"

namespace vitrine::gpu {
namespace {

using test::Floats;
using test::Random;

// Weights with the edges of a group among them: zeros, one weight alone, the largest magnitude with both
// signs, very small ones and large ones.
Floats weightsWithEdges(Random& random, std::int64_t outputs, std::int64_t inputs) {
  Floats weights = random.reals(outputs * inputs, 0.1f);
  for (std::int64_t output = 0; output < outputs; ++output)
    for (std::int64_t first = 0; first < inputs; first += kQuantGroup) {
      const auto group =
          std::span(weights).subspan(static_cast<std::size_t>(output * inputs + first),
                                     static_cast<std::size_t>(std::min(kQuantGroup, inputs - first)));
      const auto scale = [&](float factor) {
        for (float& weight : group) weight *= factor;
      };
      switch (random.between(0, 20)) {
        case 0:
          std::ranges::fill(group, random.between(0, 1) == 0 ? 0.0f : -0.0f);
          break;
        case 1:
          std::ranges::fill(group.subspan(1), 0.0f);
          break;
        case 2:
          group.front() = -0.2f;
          group.back() = 0.2f;
          break;
        case 3:
          scale(0x1p-135f);  // so small that the scale is 0
          break;
        case 4:
          scale(64);
          break;
        default:
          break;
      }
      // Outputs of which nothing hides that scales and weights are below the smallest normal number.
      if (output % 17 == 3) scale(0x1p-122f);
    }
  return weights;
}

class Codes {
 public:
  Codes(Report& report, DType type, WeightFormat format, int inputs, int outputs)
      : m_report(report),
        m_type(type),
        m_format(format),
        m_inputs(inputs),
        m_outputs(outputs),
        m_random(static_cast<unsigned>(inputs + outputs)),
        m_gpu(makeCudaBackend(type)) {
    Floats weights = weightsWithEdges(m_random, outputs, inputs);
    // Two parts, of which the second begins within a tile.
    const std::int64_t first = outputs / 2;
    const TensorView whole = test::view(weights, {outputs, inputs});
    const TensorView parts[] = {whole.rows(0, first), whole.rows(first, outputs - first)};
    m_codes = m_gpu->packLinear(parts, format);
    for (std::int64_t i = 0; i < outputs; ++i)
      quantizeInPlace(
          std::span(weights).subspan(static_cast<std::size_t>(i * inputs), static_cast<std::size_t>(inputs)),
          format == WeightFormat::kInt8 ? 8 : 4);
    m_numbers = m_gpu->packLinear({&whole, 1}, WeightFormat::kF32);
    m_left = std::move(weights);
  }

  void all(int mostRows) {
    size();
    rows();
    for (const int count : {1, 2, 3, 8, 16, 17, 33, 64, 65, 130, 512}) {
      if (count > mostRows) break;
      const Floats numbers = m_random.reals(std::int64_t{count} * m_inputs);
      const Tensor x = test::upload(*m_gpu, numbers, m_type, {count, m_inputs});
      stored(x.view(), DType::kF32);
      stored(x.view(), m_type);
      added(x.view());
      if (m_outputs % 2 == 0) gated(x.view());
    }
  }

 private:
  void check(bool holds, const std::string& what) {
    m_report.check(holds, std::string(typeName(m_type)) +
                              (m_format == WeightFormat::kInt8 ? " int8 " : " int4 ") +
                              std::to_string(m_inputs) + " x " + std::to_string(m_outputs) + ": " + what);
  }

  // 8.5 or 4.5 bits a weight, tiles of 8 outputs and 32 inputs.
  void size() {
    if (m_type != DType::kBf16 || m_inputs % 32 != 0 || m_outputs % 8 != 0) return;
    const std::int64_t sixteenths = m_format == WeightFormat::kInt8 ? 17 : 9;
    check(m_codes->bytes == std::int64_t{m_inputs} * m_outputs * sixteenths / 16,
          "it takes " + std::to_string(m_codes->bytes) + " bytes");
    check(m_numbers->bytes == std::int64_t{m_inputs} * m_outputs * 2, "the numbers' size");
  }

  void rows() {
    constexpr std::int64_t kAtOnce = 1024;
    for (std::int64_t first = 0; first < m_outputs; first += kAtOnce) {
      std::vector<std::int32_t> ids;
      for (std::int64_t id = first; id < std::min<std::int64_t>(first + kAtOnce, m_outputs); ++id)
        ids.push_back(static_cast<std::int32_t>(id));
      const auto count = static_cast<std::int64_t>(ids.size());
      const Tensor out = m_gpu->allocate(DType::kF32, {count, m_inputs});
      m_gpu->embedRows(ids, *m_codes, out.view());
      const auto begin = m_left.begin() + first * m_inputs;
      check(test::sameBits(test::download(*m_gpu, out.view()),
                           test::rounded(Floats(begin, begin + count * m_inputs), m_type)),
            "rows from " + std::to_string(first) + " are other numbers");
    }
  }

  template <class Run>
  void same(const TensorView& x, const std::string& what, const Run& run) {
    check(test::sameBits(run(*m_codes), run(*m_numbers)),
          what + " of " + std::to_string(x.extent(0)) + " rows");
  }

  void stored(const TensorView& x, DType type) {
    const Tensor bias = vector(m_outputs);
    same(x, "product", [&](const LinearWeight& weight) {
      const Tensor out = m_gpu->allocate(type, {x.extent(0), m_outputs});
      m_gpu->linear(x, weight, type == DType::kF32 ? bias.view() : TensorView(), out.view());
      return test::download(*m_gpu, out.view());
    });
  }

  void added(const TensorView& x) {
    const Tensor bias = vector(m_outputs), norm = vector(m_outputs);
    const Floats start = m_random.reals(x.extent(0) * m_outputs);
    same(x, "added product", [&](const LinearWeight& weight) {
      const Tensor residual = test::upload(*m_gpu, start, DType::kF32, {x.extent(0), m_outputs}),
                   room = m_gpu->allocate(DType::kF32, {x.extent(0), m_outputs}),
                   normed = m_gpu->allocate(m_type, {x.extent(0), m_outputs});
      m_gpu->linearAddNorm(x, weight, bias.view(), room.view(),
                           {residual.view(), norm.view(), 1e-6f, normed.view()});
      return test::download(*m_gpu, residual.view());
    });
  }

  void gated(const TensorView& x) {
    const Tensor bias = vector(m_outputs);
    same(x, "gate", [&](const LinearWeight& weight) {
      const Tensor room = m_gpu->allocate(m_type, {x.extent(0), m_outputs}),
                   out = m_gpu->allocate(m_type, {x.extent(0), m_outputs / 2});
      m_gpu->linearGate(x, weight, bias.view(), room.view(), out.view());
      return test::download(*m_gpu, out.view());
    });
  }

  Tensor vector(std::int64_t count) {
    return test::upload(*m_gpu, m_random.reals(count), DType::kF32, {count});
  }

  Report& m_report;
  const DType m_type;
  const WeightFormat m_format;
  const int m_inputs, m_outputs;
  Random m_random;
  const std::unique_ptr<Backend> m_gpu;
  std::unique_ptr<LinearWeight> m_codes, m_numbers;
  Floats m_left;  // what quantization leaves of the weights
};

}  // namespace

void checkCodes(Report& report) {
  for (const WeightFormat format : {WeightFormat::kInt8, WeightFormat::kInt4}) {
    report.begin(format == WeightFormat::kInt8 ? "int8 weights" : "int4 weights");
    for (const DType type : kActivations)
      for (const auto& [in, out] : {std::pair{7, 6}, {48, 61}, {96, 200}, {576, 208}})
        Codes(report, type, format, in, out).all(512);
    for (const auto& [in, out] : {std::pair{1024, 4096}, {3072, 1024}, {1024, 6144}, {1056, 520}})
      Codes(report, DType::kBf16, format, in, out).all(512);
    // More outputs than become numbers at a time.
    Codes(report, DType::kBf16, format, 2048, 24000).all(130);
  }
}

}  // namespace vitrine::gpu

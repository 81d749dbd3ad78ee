// Quantized weights and blocks of GGUF files, which the GPU keeps as codes and scales: the numbers that
// formats/quantize.h leaves or decodeBlocks() gives, their size, and products with them, bit by bit against
// products with those numbers.
#include <algorithm>
#include <string>

#include "backends/workload.h"
#include "formats/quantize.h"
#include "gpu/gpu_checks.h"
#include "support/random_blocks.h"

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

// A matrix of codes, and the numbers that they stand for.
struct Coded {
  std::string name;
  std::int64_t tileBytes;  // of eight outputs and 32 inputs beside bfloat16; 0: whatever it is
  std::int64_t inputs, outputs;
  std::unique_ptr<LinearWeight> codes;
  Floats numbers;
};

Coded quantized(Backend& gpu, WeightFormat format, std::int64_t inputs, std::int64_t outputs) {
  const bool isInt8 = format == WeightFormat::kInt8;
  Coded made{isInt8 ? "int8" : "int4", isInt8 ? 272 : 144, inputs, outputs, nullptr, {}};
  Random random(static_cast<unsigned>(inputs + outputs));
  made.numbers = weightsWithEdges(random, outputs, inputs);
  // Two parts, of which the second begins within a tile.
  const std::int64_t first = outputs / 2;
  const TensorView whole = test::view(made.numbers, {outputs, inputs});
  const TensorView parts[] = {whole.rows(0, first), whole.rows(first, outputs - first)};
  made.codes = gpu.packLinear(parts, format);
  for (std::int64_t i = 0; i < outputs; ++i)
    quantizeInPlace(std::span(made.numbers)
                        .subspan(static_cast<std::size_t>(i * inputs), static_cast<std::size_t>(inputs)),
                    isInt8 ? 8 : 4);
  return made;
}

// The blocks of a GGUF file: of one type, or a second one below it, which begins within a tile.
struct Blocks {
  BlockType type, second;
  std::int64_t tileBytes;
};

Coded blocksOf(Backend& gpu, const Blocks& kept, std::int64_t inputs, std::int64_t outputs) {
  Coded made{blockTypeInfo(kept.type).name, kept.tileBytes, inputs, outputs, nullptr, {}};
  if (kept.second != kept.type) made.name += std::string(" above ") + blockTypeInfo(kept.second).name;
  std::mt19937 random(static_cast<unsigned>(inputs + outputs));
  std::vector<std::vector<std::byte>> bytes;
  std::vector<WeightRows> parts;
  for (const auto& [type, count] :
       {std::pair{kept.type, outputs / 2}, {kept.second, outputs - outputs / 2}}) {
    bytes.push_back(test::randomBlocks(type, count * inputs, 0.1f, random));
    parts.push_back(rowsOf(BlockMatrix{type, bytes.back().data(), count, inputs}));
    Floats floats(static_cast<std::size_t>(count * inputs));
    decodeBlocks(type, bytes.back().data(), floats);
    made.numbers.insert(made.numbers.end(), floats.begin(), floats.end());
  }
  made.codes = gpu.packBlocks(parts);
  return made;
}

class Codes {
 public:
  Codes(Report& report, DType type, std::unique_ptr<Backend> gpu, Coded coded)
      : m_report(report),
        m_type(type),
        m_coded(std::move(coded)),
        m_inputs(m_coded.inputs),
        m_outputs(m_coded.outputs),
        m_random(static_cast<unsigned>(m_inputs + m_outputs)),
        m_gpu(std::move(gpu)) {
    const TensorView whole = test::view(m_coded.numbers, {m_outputs, m_inputs});
    m_numbers = m_gpu->packLinear({&whole, 1}, WeightFormat::kF32);
  }

  void all(int mostRows) {
    size();
    rows();
    for (const int count : {1, 2, 3, 8, 16, 17, 33, 64, 65, 130, 512}) {
      if (count > mostRows || (m_report.isSmall() && count > 65)) break;
      const Floats numbers = m_random.reals(count * m_inputs);
      const Tensor x = test::upload(*m_gpu, numbers, m_type, {count, m_inputs});
      stored(x.view(), DType::kF32);
      stored(x.view(), m_type);
      added(x.view());
      if (m_outputs % 2 == 0) gated(x.view());
    }
  }

 private:
  void check(bool holds, const std::string& what) {
    m_report.check(holds, std::string(typeName(m_type)) + " " + m_coded.name + " " +
                              std::to_string(m_inputs) + " x " + std::to_string(m_outputs) + ": " + what);
  }

  void size() {
    constexpr std::int64_t kOutputs = 8, kInputs = 32;  // of a tile
    if (m_type != DType::kBf16 || m_inputs % kInputs != 0 || m_outputs % kOutputs != 0) return;
    check(m_coded.tileBytes == 0 ||
              m_coded.codes->bytes == m_inputs / kInputs * (m_outputs / kOutputs) * m_coded.tileBytes,
          "it takes " + std::to_string(m_coded.codes->bytes) + " bytes");
    check(m_numbers->bytes == m_inputs * m_outputs * 2, "the numbers' size");
  }

  void rows() {
    constexpr std::int64_t kAtOnce = 1024;
    for (std::int64_t first = 0; first < m_outputs; first += kAtOnce) {
      std::vector<std::int32_t> ids;
      for (std::int64_t id = first; id < std::min<std::int64_t>(first + kAtOnce, m_outputs); ++id)
        ids.push_back(static_cast<std::int32_t>(id));
      const auto count = static_cast<std::int64_t>(ids.size());
      const Tensor out = m_gpu->allocate(DType::kF32, {count, m_inputs});
      m_gpu->embedRows(ids, *m_coded.codes, out.view());
      const auto begin = m_coded.numbers.begin() + first * m_inputs;
      check(test::sameBits(test::download(*m_gpu, out.view()),
                           test::rounded(Floats(begin, begin + count * m_inputs), m_type)),
            "rows from " + std::to_string(first) + " are other numbers");
    }
  }

  template <class Run>
  void same(const TensorView& x, const std::string& what, const Run& run) {
    check(test::sameBits(run(*m_coded.codes), run(*m_numbers)),
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
  Coded m_coded;
  const std::int64_t m_inputs, m_outputs;
  Random m_random;
  const std::unique_ptr<Backend> m_gpu;
  std::unique_ptr<LinearWeight> m_numbers;
};

void checkQuantized(Report& report, WeightFormat format) {
  if (!report.begin(format == WeightFormat::kInt8 ? "int8 weights" : "int4 weights")) return;
  const auto check = [&](DType type, int inputs, int outputs, int mostRows) {
    auto gpu = makeCudaBackend(type);
    Coded coded = quantized(*gpu, format, inputs, outputs);
    Codes(report, type, std::move(gpu), std::move(coded)).all(mostRows);
  };
  for (const DType type : kActivations)
    for (const auto& [in, out] : {std::pair{7, 6}, {48, 61}, {96, 200}, {576, 208}})
      check(type, in, out, 512);
  if (report.isSmall()) return;
  for (const auto& [in, out] : {std::pair{1024, 4096}, {3072, 1024}, {1024, 6144}, {1056, 520}})
    check(DType::kBf16, in, out, 512);
  // More outputs than become numbers at a time.
  check(DType::kBf16, 2048, 24000, 130);
}

void checkBlocksOfFiles(Report& report) {
  using enum BlockType;
  constexpr std::int64_t kScaled8 = 272, kScaled4 = 144, kOffset4 = 176, kOffset6 = 256, kNumbers = 512;
  const Blocks all[] = {{kQ80, kQ80, kScaled8},    {kQ40, kQ40, kScaled4},     {kQ41, kQ41, kOffset4},
                        {kQ50, kQ50, kOffset6},    {kQ51, kQ51, kOffset6},     {kQ2K, kQ2K, kOffset6},
                        {kQ3K, kQ3K, kOffset6},    {kQ4K, kQ4K, kOffset4},     {kQ5K, kQ5K, kOffset6},
                        {kQ6K, kQ6K, kOffset6},    {kQ4K, kQ6K, kOffset6},     {kQ40, kQ80, kScaled8},
                        {kQ4K, kQ80, kNumbers},    {kIq4Nl, kIq4Nl, kNumbers}, {kIq4Xs, kIq4Xs, kNumbers},
                        {kMxfp4, kMxfp4, kNumbers}};
  for (const Blocks& blocks : all) {
    if (!report.begin(std::string("blocks of a GGUF file, ") + blockTypeInfo(blocks.type).name + " and " +
                      blockTypeInfo(blocks.second).name))
      continue;
    const auto check = [&](DType type, int inputs, int outputs, int mostRows) {
      auto gpu = makeCudaBackend(type);
      Coded coded = blocksOf(*gpu, blocks, inputs, outputs);
      Codes(report, type, std::move(gpu), std::move(coded)).all(mostRows);
    };
    for (const DType type : kActivations)
      for (const auto& [in, out] : {std::pair{256, 61}, {512, 208}}) check(type, in, out, 130);
    if (blocks.tileBytes == kNumbers || report.isSmall()) continue;
    for (const auto& [in, out] : {std::pair{1024, 4096}, {3072, 1024}}) check(DType::kBf16, in, out, 512);
    // More outputs than become numbers at a time.
    if (blocks.type == kQ4K) check(DType::kBf16, 2048, 24000, 130);
  }
}

}  // namespace

void checkCodes(Report& report) {
  for (const WeightFormat format : {WeightFormat::kInt8, WeightFormat::kInt4}) checkQuantized(report, format);
  checkBlocksOfFiles(report);
}

}  // namespace vitrine::gpu

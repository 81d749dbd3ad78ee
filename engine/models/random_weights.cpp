#include "models/random_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/philox.h"
#include "models/host_tensor.h"
#include "models/safetensors.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

// The standard normal's 65536 quantiles: one draw is one look-up of 16 random bits, so seven thousand million
// weights take seconds. The tails end at 4.3, which weights do not miss.
std::vector<float> makeQuantiles() {
  constexpr int kCount = 1 << 16;
  std::vector<float> quantiles(kCount);
  double x = 0;
  for (int i = kCount / 2; i < kCount; ++i) {
    const double upper = 1 - (i + 0.5) / kCount;  // probability above x
    for (int newton = 0; newton < 8; ++newton) {
      const double error = 0.5 * std::erfc(x / std::numbers::sqrt2) - upper;
      x += error / (std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi));
    }
    quantiles[i] = static_cast<float>(x);
    quantiles[kCount - 1 - i] = -quantiles[i];
  }
  return quantiles;
}

// FNV-1a: which stream of random numbers a tensor takes, whatever else the checkpoint holds.
std::uint64_t streamOf(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

struct Spread {
  float centre, scale;
};

Spread spreadOf(const TensorSpec& tensor, const ModelConfig& config) {
  if (tensor.name.ends_with(".bias")) return {0, 0.3f};
  if (tensor.rows == 0) return {1, 0.2f};  // a norm's weight
  if (tensor.name == kEmbeddingName) return {0, config.tiedEmbeddings ? 0.25f : 1.0f};
  return {0, 1.5f / std::sqrt(static_cast<float>(tensor.columns))};
}

}  // namespace

void fillRandomWeights(const TensorSpec& tensor, const ModelConfig& config, std::uint64_t seed,
                       std::int64_t first, std::span<float> out) {
  static const std::vector<float> quantiles = makeQuantiles();
  constexpr std::int64_t kPerBlock = 8;  // 128 random bits
  const std::uint64_t stream = streamOf(tensor.name);
  const auto [centre, scale] = spreadOf(tensor, config);
  PhiloxBlock bits{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t index = first + static_cast<std::int64_t>(i), block = index / kPerBlock;
    const auto lane = static_cast<int>(index % kPerBlock);
    if (i == 0 || lane == 0)
      bits = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                     static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)},
                    seed);
    out[i] = centre + scale * quantiles[bits[lane / 2] >> (lane % 2 * 16) & 0xffff];
  }
}

RandomWeights::RandomWeights(const ModelConfig& config, std::uint64_t seed, DType type) {
  for (TensorSpec& spec : checkpointTensors(config)) {
    std::vector<float> values(spec.elements());
    fillRandomWeights(spec, config, seed, 0, values);
    const TensorView view = spec.rows == 0
                                ? TensorView(values.data(), DType::kF32, {spec.columns})
                                : TensorView(values.data(), DType::kF32, {spec.rows, spec.columns});
    const std::string name = spec.name;
    m_tensors.emplace(name, Stored{std::move(spec), convertHost(view, type)});
  }
}

bool RandomWeights::has(std::string_view name) const { return m_tensors.find(name) != m_tensors.end(); }

const Tensor& RandomWeights::find(std::string_view name, std::initializer_list<std::int64_t> shape) const {
  const auto found = m_tensors.find(name);
  if (found == m_tensors.end())
    throw EngineError(ErrorCode::kFileCorrupt,
                      "tensor " + std::string(name) + " is missing from the random weights");
  const TensorView& view = found->second.tensor.view();
  bool same = static_cast<int>(shape.size()) == view.rank();
  for (int axis = 0; same && axis < view.rank(); ++axis) same = shape.begin()[axis] == view.extent(axis);
  if (!same)
    throw EngineError(ErrorCode::kFileCorrupt, "tensor " + std::string(name) +
                                                   " of the random weights has not the shape " +
                                                   shapeText({shape.begin(), shape.size()}));
  return found->second.tensor;
}

void RandomWeights::require(std::string_view name, std::initializer_list<std::int64_t> shape) const {
  find(name, shape);
}

Tensor RandomWeights::get(std::string_view name, std::initializer_list<std::int64_t> shape) const {
  return find(name, shape);
}

BlockType RandomWeights::storedType(std::string_view name) const {
  return blockTypeOf(m_tensors.find(name)->second.tensor.view().type());
}

std::vector<std::string> RandomWeights::names() const {
  std::vector<std::string> all;
  for (const auto& [name, stored] : m_tensors) all.push_back(name);
  return all;
}

}  // namespace vitrine

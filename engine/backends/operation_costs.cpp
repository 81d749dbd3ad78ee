#include "backends/operation_costs.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

// Keys and values of one token in one layer.
std::int64_t kvBytesPerToken(const KvCacheShape& shape) {
  return shape.bytesPerBlock() / (std::int64_t{shape.layers} * shape.blockSize);
}

std::int64_t firstSeen(std::int64_t position, int window) {
  return window > 0 ? std::max<std::int64_t>(0, position - window + 1) : 0;
}

}  // namespace

Cost embedCost(const TensorView& table, const TensorView& out) {
  return {out.elements() * (static_cast<std::int64_t>(dtypeBytes(table.type())) + kFloat), 0};
}

Cost embedCost(const LinearWeight& table, const TensorView& out) {
  return {out.extent(0) * (table.bytes / table.outFeatures) + out.elements() * kFloat, 0};
}

Cost normCost(const TensorView& x, const TensorView& weight) {
  return {(2 * x.elements() + weight.elements()) * kFloat, 4 * x.elements()};
}

Cost addNormCost(const TensorView& residual, const TensorView& weight) {
  return {(4 * residual.elements() + weight.elements()) * kFloat, 5 * residual.elements()};
}

Cost linearCost(std::int64_t rows, const LinearWeight& weight, const TensorView& bias) {
  const std::int64_t in = weight.inFeatures, out = weight.outFeatures, biases = bias.empty() ? 0 : out;
  return {weight.bytes + (rows * (in + out) + biases) * kFloat, rows * (2 * in * out + biases)};
}

Cost rotaryCost(const TensorView& x, const TensorView& cos) {
  return {(2 * x.elements() + 2 * cos.elements()) * kFloat, 3 * x.elements()};
}

Cost storeKvCost(const TensorView& k, const KvCacheShape& shape) {
  return {2 * k.elements() * kFloat + k.extent(0) * kvBytesPerToken(shape), 0};
}

Cost attentionCost(const RaggedBatch& batch, const TensorView& q, const KvCacheShape& shape, int window) {
  std::int64_t pairs = 0, tokensRead = 0;
  for (std::size_t s = 0; s + 1 < batch.queryStart.size(); ++s) {
    const std::span<const std::int32_t> positions =
        batch.positions.subspan(static_cast<std::size_t>(batch.queryStart[s]),
                                static_cast<std::size_t>(batch.queryStart[s + 1] - batch.queryStart[s]));
    if (positions.empty()) continue;
    for (const std::int64_t position : positions) pairs += position + 1 - firstSeen(position, window);
    tokensRead += positions.back() + 1 - firstSeen(positions.front(), window);
  }
  const std::int64_t width = q.extent(1) * q.extent(2);  // of all heads
  return {2 * q.elements() * kFloat + tokensRead * kvBytesPerToken(shape), 4 * pairs * width};
}

Cost gateCost(const TensorView& out) { return {3 * out.elements() * kFloat, 4 * out.elements()}; }

}  // namespace vitrine

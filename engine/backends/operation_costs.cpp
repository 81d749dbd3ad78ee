#include "backends/operation_costs.h"

#include <algorithm>

namespace vitrine {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

std::int64_t bytesOf(const TensorView& view) {
  return view.elements() * static_cast<std::int64_t>(dtypeBytes(view.type()));
}

// Keys and values of one token in one layer.
std::int64_t kvBytesPerToken(const KvCacheShape& shape) {
  return shape.bytesPerBlock() / (std::int64_t{shape.layers} * shape.blockSize);
}

std::int64_t firstSeen(std::int64_t position, int window) {
  return window > 0 ? std::max<std::int64_t>(0, position - window + 1) : 0;
}

}  // namespace

Cost embedCost(const TensorView& table, const TensorView& out) {
  return {out.elements() * static_cast<std::int64_t>(dtypeBytes(table.type())) + bytesOf(out), 0};
}

Cost embedCost(const LinearWeight& table, const TensorView& out) {
  return {out.extent(0) * (table.bytes / table.outFeatures) + bytesOf(out), 0};
}

Cost normCost(const TensorView& x, const TensorView& weight, const TensorView& out) {
  return {bytesOf(x) + bytesOf(out) + bytesOf(weight), 4 * x.elements()};
}

Cost addNormCost(const TensorView& residual, const TensorView& delta, const TensorView& weight,
                 const TensorView& out) {
  return {2 * bytesOf(residual) + bytesOf(delta) + bytesOf(weight) + bytesOf(out), 5 * residual.elements()};
}

Cost linearCost(const TensorView& x, const LinearWeight& weight, const TensorView& bias,
                const TensorView& out) {
  const std::int64_t biases = bias.empty() ? 0 : weight.outFeatures;
  return {weight.bytes + bytesOf(x) + bytesOf(out) + biases * kFloat,
          x.extent(0) * (2 * weight.inFeatures * weight.outFeatures + biases), weight.arithmetic};
}

Cost rotaryCost(const TensorView& x, const TensorView& cos) {
  return {2 * bytesOf(x) + 2 * bytesOf(cos), 3 * x.elements()};
}

Cost storeKvCost(const TensorView& k, const KvCacheShape& shape) {
  return {2 * bytesOf(k) + k.extent(0) * kvBytesPerToken(shape), 0};
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
  return {2 * bytesOf(q) + tokensRead * kvBytesPerToken(shape), 4 * pairs * width};
}

Cost gateCost(const TensorView& out) { return {3 * bytesOf(out), 4 * out.elements()}; }

}  // namespace vitrine

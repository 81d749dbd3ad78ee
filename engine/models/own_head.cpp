#include "models/own_head.h"

#include <algorithm>
#include <vector>

#include "models/tensor_names.h"

namespace vitrine {
namespace {

bool equalRows(const WeightRows& left, const WeightRows& right, std::int64_t first, std::int64_t count) {
  std::vector<std::byte> a(static_cast<std::size_t>(count * left.rowBytes())),
      b(static_cast<std::size_t>(count * right.rowBytes()));
  left.read(first, a);
  right.read(first, b);
  if (left.type == right.type) return a == b;
  const auto elements = static_cast<std::size_t>(count * left.inFeatures);
  std::vector<float> floatsA(elements), floatsB(elements);
  decodeBlocks(left.type, a.data(), floatsA);
  decodeBlocks(right.type, b.data(), floatsB);
  return floatsA == floatsB;
}

}  // namespace

bool hasOwnHead(const ModelConfig& config, const WeightSource& source, std::int64_t mostRows) {
  if (!config.tiedEmbeddings || !source.has(kHeadName) || !source.has(kEmbeddingName)) return false;
  const std::int64_t rows = config.vocabularySize, columns = config.hiddenSize;
  source.require(kEmbeddingName, {rows, columns});
  source.require(kHeadName, {rows, columns});
  const WeightRows embedding = source.rows(kEmbeddingName, {rows, columns}),
                   head = source.rows(kHeadName, {rows, columns});
  if (rows > mostRows) {
    for (std::int64_t i = 0; i < mostRows; ++i)
      if (!equalRows(embedding, head, i * rows / mostRows, 1)) return true;
    return false;
  }
  constexpr std::int64_t kAtOnce = 256;
  for (std::int64_t first = 0; first < rows; first += kAtOnce)
    if (!equalRows(embedding, head, first, std::min(kAtOnce, rows - first))) return true;
  return false;
}

}  // namespace vitrine

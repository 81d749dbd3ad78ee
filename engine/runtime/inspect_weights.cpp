// The weights of one tensor: their histogram, and a group of them from its bits to its floats.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "formats/block_encode.h"
#include "runtime/inspected_tensors.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

// The rows of a tensor as it is stored, and the floats that they stand for.
class StoredRows {
 public:
  StoredRows(const InspectedTensors& tensors, const TensorSpec& tensor, const std::string& name,
             const std::function<bool(double)>& progress)
      : m_rows(storedRows(*tensors.source, tensor)), m_name(name), m_progress(progress) {}

  std::vector<std::byte> bytes(std::int64_t row) const {
    std::vector<std::byte> stored(static_cast<std::size_t>(m_rows.rowBytes()));
    m_rows.read(row, stored);
    return stored;
  }
  std::vector<float> weights(std::int64_t row) const {
    std::vector<float> weights(static_cast<std::size_t>(m_rows.inFeatures));
    widen(row, bytes(row), weights);
    return weights;
  }
  // From first to last, in half of the work that begins at `done`.
  template <typename Visit>
  void forEachWeight(double done, const Visit& visit) const {
    std::vector<std::byte> stored(static_cast<std::size_t>(m_rows.rowBytes()));
    std::vector<float> weights(static_cast<std::size_t>(m_rows.inFeatures));
    const auto count = static_cast<double>(m_rows.outFeatures);
    for (std::int64_t row = 0; row < m_rows.outFeatures; ++row) {
      if (m_progress && !m_progress(done + 0.5 * static_cast<double>(row) / count))
        throw EngineError(ErrorCode::kCancelled, "reading " + m_name + " was cancelled");
      m_rows.read(row, stored);
      widen(row, stored, weights);
      for (const float weight : weights) visit(double{weight});
    }
  }

 private:
  void widen(std::int64_t row, std::span<const std::byte> stored, std::span<float> weights) const {
    decodeBlocks(m_rows.type, stored.data(), weights);
    if (!std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); }))
      throw EngineError(ErrorCode::kFileCorrupt,
                        m_name + ": row " + std::to_string(row) + " has a weight that is no finite number",
                        "Compare the file with the one the model's authors published.");
  }

  const WeightRows m_rows;
  const std::string m_name;
  const std::function<bool(double)> m_progress;
};

double rootOfMeanSquare(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(double{a[i]} - double{b[i]}, 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// What each type that can be written would lose of these weights, over their own root of the mean square.
std::vector<std::pair<std::string, double>> errorsOf(const std::vector<float>& weights) {
  const double own = rootOfMeanSquare(weights, std::vector<float>(weights.size()));
  std::vector<std::pair<std::string, double>> errors;
  for (int i = 0; i < kBlockTypes; ++i) {
    const auto type = static_cast<BlockType>(i);
    if (!canEncode(type) || own == 0) continue;
    std::vector<float> padded = weights, back;
    const auto length = static_cast<std::size_t>(blockTypeInfo(type).length);
    if (padded.size() % length != 0) continue;
    std::vector<std::byte> bytes(static_cast<std::size_t>(rowBytes(type, std::int64_t(padded.size()))));
    back.resize(padded.size());
    encodeBlocks(type, padded, bytes.data());
    decodeBlocks(type, bytes.data(), back);
    errors.emplace_back(blockTypeInfo(type).name, rootOfMeanSquare(weights, back) / own);
  }
  return errors;
}

int bitWidth(BlockType type) {
  switch (type) {
    case BlockType::kF32:
    case BlockType::kF16:
    case BlockType::kBf16:
      return 0;
    case BlockType::kQ80:
      return 8;
    case BlockType::kQ6K:
      return 6;
    case BlockType::kQ50:
    case BlockType::kQ51:
    case BlockType::kQ5K:
      return 5;
    case BlockType::kQ2K:
      return 2;
    case BlockType::kQ3K:
      return 3;
    case BlockType::kQ40:
    case BlockType::kQ41:
    case BlockType::kQ4K:
    case BlockType::kIq4Nl:
    case BlockType::kIq4Xs:
    case BlockType::kMxfp4:
      return 4;
  }
  return 0;
}

// Fills in the bits of a group of a block, its scale and the values; requires a type of blocks.
void openGroup(BlockType type, const std::byte* row, std::int64_t group, InspectedGroup& found) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  const std::int64_t perBlock = info.length / info.group;
  OpenedBlock block;
  openBlock(type, row + group / perBlock * info.bytes, block);
  const GroupScale by = groupScale(type, block, group % perBlock);
  found.scale = double{by.scale};
  found.minimum = double{by.offset};
  for (std::int64_t i = 0; i < info.group; ++i) {
    const std::uint8_t bits = block.bits[static_cast<std::size_t>(group % perBlock * info.group + i)];
    found.bits.push_back(bits);
    found.values.push_back(valueOf(type, bits));
  }
}

}  // namespace

InspectedWeights inspectWeights(const fs::path& path, const std::string& name, int bins,
                                const std::function<bool(double fraction)>& progress) {
  const InspectedTensors tensors(path);
  const TensorSpec& tensor = tensors.named(name);
  InspectedWeights found;
  found.tensor = tensors.described(tensor);
  const StoredRows rows(tensors, tensor, name, progress);
  double sum = 0, squares = 0;
  found.least = std::numeric_limits<double>::max();
  found.most = std::numeric_limits<double>::lowest();
  rows.forEachWeight(0, [&](double weight) {
    found.least = std::min(found.least, weight);
    found.most = std::max(found.most, weight);
    sum += weight;
    squares += weight * weight;
  });
  found.histogram.assign(static_cast<std::size_t>(std::max(bins, 1)), 0);
  const double width = (found.most - found.least) / static_cast<double>(found.histogram.size());
  rows.forEachWeight(0.5, [&](double weight) {
    const double bin = width > 0 ? (weight - found.least) / width : 0;
    ++found.histogram[std::min(static_cast<std::size_t>(std::max(bin, 0.0)), found.histogram.size() - 1)];
  });
  const auto count = static_cast<double>(tensor.elements());
  found.mean = sum / count;
  found.deviation = std::sqrt(std::max(squares / count - found.mean * found.mean, 0.0));
  return found;
}

InspectedGroup inspectGroup(const fs::path& path, const std::string& name, std::int64_t row,
                            std::int64_t group) {
  const InspectedTensors tensors(path);
  const TensorSpec& tensor = tensors.named(name);
  const BlockType type = tensors.source->storedType(tensor.name);
  const std::int64_t width = groupLength(type, tensor.columns);
  const std::int64_t rows = std::max<std::int64_t>(tensor.rows, 1), groups = tensor.columns / width;
  if (row < 0 || row >= rows || group < 0 || group >= groups)
    throw EngineError(
        ErrorCode::kInvalidArgument,
        name + " has rows 0 to " + std::to_string(rows - 1) + " of groups 0 to " + std::to_string(groups - 1),
        "Name a row and a group within these.");
  const StoredRows stored(tensors, tensor, name, {});
  InspectedGroup found;
  found.type = blockTypeInfo(type).name;
  found.row = row;
  found.firstInput = group * width;
  found.bitWidth = bitWidth(type);
  if (!isFloat(type)) openGroup(type, stored.bytes(row).data(), group, found);
  const std::vector<float> weights = stored.weights(row);
  const auto first = weights.begin() + group * width;
  found.weights.assign(first, first + width);
  const std::int64_t span = tensor.columns % kLongestBlock == 0 ? kLongestBlock : width;
  const auto around = weights.begin() + found.firstInput / span * span;
  found.errors = errorsOf(std::vector<float>(around, around + span));
  return found;
}

}  // namespace vitrine

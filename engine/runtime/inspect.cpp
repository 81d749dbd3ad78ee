#include "vitrine/inspect.h"

#include <algorithm>
#include <cmath>

#include "core/block_encode.h"
#include "models/tensor_names.h"
#include "runtime/model_files.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> shapeOf(const TensorSpec& tensor) {
  if (tensor.rows == 0) return {tensor.columns};
  return {tensor.rows, tensor.columns};
}

// A model's tensors by the names of its files.
class Tensors {
 public:
  explicit Tensors(const fs::path& model) : files(model), source(files.weights()) {
    for (TensorSpec& tensor : checkpointTensors(files.config())) {
      if (tensor.rows == 0)
        source->require(tensor.name, {tensor.columns});
      else
        source->require(tensor.name, {tensor.rows, tensor.columns});
      specs.push_back(std::move(tensor));
    }
  }

  InspectedTensor described(const TensorSpec& tensor) const {
    const BlockType type = source->storedType(tensor.name);
    const std::int64_t rows = std::max<std::int64_t>(tensor.rows, 1);
    return {shownName(tensor), blockTypeInfo(type).name, shapeOf(tensor),
            rows * rowBytes(type, tensor.columns)};
  }

  const TensorSpec& named(const std::string& name) const {
    for (const TensorSpec& tensor : specs)
      if (tensor.name == name || shownName(tensor) == name) return tensor;
    throw EngineError(ErrorCode::kInvalidArgument, files.path().string() + " has no tensor " + name,
                      "The list of tensors has their names.");
  }

  const ModelFiles files;
  const std::unique_ptr<WeightSource> source;
  std::vector<TensorSpec> specs;

 private:
  std::string shownName(const TensorSpec& tensor) const {
    return files.gguf() != nullptr ? ggufTensorName(tensor.name) : tensor.name;
  }
};

const char* ropeName(RopeKind kind) {
  switch (kind) {
    case RopeKind::kDefault:
      return "default";
    case RopeKind::kLinear:
      return "linear";
    case RopeKind::kLlama3:
      return "llama3";
    case RopeKind::kYarn:
      return "yarn";
  }
  return "";
}

struct ValueText {
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    std::string text = std::to_string(value);
    while (text.ends_with('0') && !text.ends_with(".0")) text.pop_back();
    return value != 0 && std::abs(value) < 1e-4 ? std::to_string(value * 1e6) + "e-6" : text;
  }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const GgufArray& list) const {
    return "a list of " + std::to_string(list.count) + " entries";
  }
};

void describeConfig(const ModelConfig& config, InspectedModel& model) {
  model.family = config.family;
  model.parameters = config.parameters();
  model.layers = config.layers;
  model.hiddenSize = config.hiddenSize;
  model.intermediateSize = config.intermediateSize;
  model.heads = config.heads;
  model.kvHeads = config.kvHeads;
  model.headDim = config.headDim;
  model.vocabularySize = config.vocabularySize;
  model.contextLength = config.contextLength;
  model.slidingWindow = config.slidingWindow;
  model.tiedEmbeddings = config.tiedEmbeddings;
  model.rope = config.rope.frequencyFactors.empty() ? ropeName(config.rope.kind) : "frequency factors";
  model.kvBytesPerToken = std::int64_t{2} * config.layers * config.kvHeads * config.headDim * 4;
}

void describeText(const ModelFiles& files, InspectedModel& model) {
  model.chatFormat = files.chatFormat().name();
  model.chatTemplate = files.chatTemplate();
  if (const auto tokenizer = files.tokenizer()) model.tokens = tokenizer->vocabularySize();
}

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

InspectedModel inspectModel(const fs::path& path) {
  const Tensors tensors(path);
  InspectedModel model;
  const fs::path plain = fs::absolute(path).lexically_normal();
  model.name = plain.has_filename() ? plain.stem().string() : plain.parent_path().filename().string();
  model.container = tensors.files.gguf() != nullptr ? "GGUF" : "folder";
  describeConfig(tensors.files.config(), model);
  for (const TensorSpec& tensor : tensors.specs) {
    model.tensors.push_back(tensors.described(tensor));
    model.bytes += model.tensors.back().bytes;
    if (tensor.name != kEmbeddingName || model.tiedEmbeddings)
      model.bytesReadPerToken += model.tensors.back().bytes;
  }
  if (const GgufFile* file = tensors.files.gguf())
    for (const auto& [name, key] : file->header().keys)
      model.keys.emplace_back(name, std::visit(ValueText(), key.value));
  describeText(tensors.files, model);
  return model;
}

InspectedWeights inspectWeights(const fs::path& path, const std::string& name, int bins) {
  const Tensors tensors(path);
  const TensorSpec& tensor = tensors.named(name);
  const BlockType type = tensors.source->storedType(tensor.name);
  std::vector<float> weights(static_cast<std::size_t>(tensor.elements()));
  decodeBlocks(type, storedBytes(*tensors.source, tensor).data(), weights);
  InspectedWeights found;
  found.tensor = tensors.described(tensor);
  found.histogram.assign(static_cast<std::size_t>(std::max(bins, 1)), 0);
  found.notFinite =
      static_cast<std::int64_t>(std::erase_if(weights, [](float weight) { return !std::isfinite(weight); }));
  if (weights.empty()) return found;
  const auto [least, most] = std::ranges::minmax(weights);
  found.least = double{least};
  found.most = double{most};
  double sum = 0, squares = 0;
  const double width = (found.most - found.least) / static_cast<double>(found.histogram.size());
  for (const float weight : weights) {
    sum += double{weight};
    squares += double{weight} * double{weight};
    const double bin = width > 0 ? (double{weight} - found.least) / width : 0;
    ++found.histogram[std::min(static_cast<std::size_t>(std::max(bin, 0.0)), found.histogram.size() - 1)];
  }
  const auto count = static_cast<double>(weights.size());
  found.mean = sum / count;
  found.deviation = std::sqrt(std::max(squares / count - found.mean * found.mean, 0.0));
  return found;
}

InspectedGroup inspectGroup(const fs::path& path, const std::string& name, std::int64_t row,
                            std::int64_t group) {
  const Tensors tensors(path);
  const TensorSpec& tensor = tensors.named(name);
  const BlockType type = tensors.source->storedType(tensor.name);
  const std::int64_t width =
      isFloat(type) ? std::min<std::int64_t>(32, tensor.columns) : blockTypeInfo(type).group;
  const std::int64_t rows = std::max<std::int64_t>(tensor.rows, 1), groups = tensor.columns / width;
  if (row < 0 || row >= rows || group < 0 || group >= groups)
    throw EngineError(
        ErrorCode::kInvalidArgument,
        name + " has rows 0 to " + std::to_string(rows - 1) + " of groups 0 to " + std::to_string(groups - 1),
        "Name a row and a group within these.");
  std::vector<std::byte> bytes(static_cast<std::size_t>(rowBytes(type, tensor.columns)));
  storedRows(*tensors.source, tensor).read(row, bytes);
  InspectedGroup found;
  found.type = blockTypeInfo(type).name;
  found.row = row;
  found.firstInput = group * width;
  if (!isFloat(type)) openGroup(type, bytes.data(), group, found);
  std::vector<float> weights(static_cast<std::size_t>(tensor.columns));
  decodeBlocks(type, bytes.data(), weights);
  const auto first = weights.begin() + group * width;
  found.weights.assign(first, first + width);
  const std::int64_t span = tensor.columns % kLongestBlock == 0 ? kLongestBlock : width;
  const auto around = weights.begin() + found.firstInput / span * span;
  found.errors = errorsOf(std::vector<float>(around, around + span));
  return found;
}

}  // namespace vitrine

#include "vitrine/inspect.h"

#include <cmath>

#include "models/tensor_names.h"
#include "runtime/inspected_tensors.h"
#include "vitrine/library_name.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const char* ropeName(RopeKind kind) {
  switch (kind) {
    case RopeKind::kDefault:
      return "default";
    case RopeKind::kLinear:
      return "linear";
    case RopeKind::kDynamic:
      return "dynamic";
    case RopeKind::kLlama3:
      return "llama3";
    case RopeKind::kYarn:
      return "yarn";
    case RopeKind::kLongRope:
      return "longrope";
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

std::vector<std::pair<std::string, std::string>> keysOf(const GgufFile& file) {
  std::vector<std::pair<std::string, std::string>> keys;
  for (const auto& [name, key] : file.header().keys)
    keys.emplace_back(name, std::visit(ValueText(), key.value));
  return keys;
}

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

InspectedModel sizesIn(const InspectedTensors& tensors) {
  InspectedModel model;
  model.name = modelName(tensors.files.path());
  model.container = tensors.files.gguf() != nullptr ? "GGUF" : "folder";
  describeConfig(tensors.files.config(), model);
  for (const TensorSpec& tensor : tensors.specs) {
    model.tensors.push_back(tensors.described(tensor));
    model.bytes += model.tensors.back().bytes;
    if (tensor.name != kEmbeddingName || model.tiedEmbeddings)
      model.bytesReadPerToken += model.tensors.back().bytes;
  }
  if (const GgufFile* file = tensors.files.gguf()) model.keys = keysOf(*file);
  return model;
}

}  // namespace

InspectedModel inspectSizes(const fs::path& path) { return sizesIn(InspectedTensors(path)); }

InspectedModel inspectModel(const fs::path& path) {
  const InspectedTensors tensors(path);
  InspectedModel model = sizesIn(tensors);
  describeText(tensors.files, model);
  return model;
}

std::vector<std::pair<std::string, std::string>> inspectKeys(const fs::path& file) {
  return keysOf(GgufFile(file));
}

}  // namespace vitrine

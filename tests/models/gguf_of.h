// GGUF files of random models: any family, its matrices in any type of block, put together in memory.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "models/gguf_model.h"
#include "models/tensor_names.h"
#include "support/gguf_bytes.h"
#include "support/random_blocks.h"

namespace vitrine::test {

inline ModelConfig ggufTestConfig(const std::string& family) {
  ModelConfig config;
  config.family = family;
  config.layers = 2;
  config.hiddenSize = config.intermediateSize = 256;
  config.heads = 4;
  config.kvHeads = 2;
  config.headDim = family == "qwen3" ? 128 : 64;
  config.vocabularySize = 96;
  config.contextLength = 128;
  config.rmsNormEps = 1e-5f;
  config.tiedEmbeddings = family == "qwen2";
  config.attentionBias = family == "qwen2";
  config.qkNorm = family == "qwen3";
  config.slidingWindow = family == "mistral" ? 5 : 0;
  config.layerSlides.assign(2, family == "mistral");
  config.rope.theta = 5e5;
  config.rope.originalContextLength = 128;
  return config;
}

inline GgufBytes ggufKeys(const ModelConfig& config) {
  const std::string architecture = config.family == "mistral" ? "llama" : config.family;
  const auto key = [&](const char* name) { return architecture + "." + name; };
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  GgufBytes file;
  file.text("general.architecture", architecture)
      .number(key("block_count"), number(config.layers))
      .number(key("context_length"), number(config.contextLength))
      .number(key("embedding_length"), number(config.hiddenSize))
      .number(key("feed_forward_length"), number(config.intermediateSize))
      .number(key("attention.head_count"), number(config.heads))
      .number(key("attention.head_count_kv"), number(config.kvHeads))
      .number(key("attention.key_length"), number(config.headDim))
      .number(key("attention.value_length"), number(config.headDim))
      .real(key("attention.layer_norm_rms_epsilon"), config.rmsNormEps)
      .real(key("rope.freq_base"), static_cast<float>(config.rope.theta));
  if (config.slidingWindow > 0) file.number(key("attention.sliding_window"), number(config.slidingWindow));
  return file;
}

// The type of each matrix by its name.
using TypeOf = std::function<BlockType(const std::string& name)>;

inline void addTensors(GgufBytes& file, const ModelConfig& config, const TypeOf& typeOf, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> draw;
  for (const TensorSpec& tensor : checkpointTensors(config)) {
    const std::string name = ggufTensorName(tensor.name);
    const auto columns = static_cast<std::uint64_t>(tensor.columns);
    if (tensor.rows > 0) {
      const BlockType type = typeOf(tensor.name);
      // A table that is the head too is narrower, so that logits spread by a few units with each.
      const float spread = tensor.name != kEmbeddingName ? 1.5f / std::sqrt(float(tensor.columns))
                           : config.tiedEmbeddings       ? 0.1f
                                                         : 0.5f;
      const auto blocks = randomBlocks(type, tensor.elements(), spread, random);
      file.tensor(name, {static_cast<std::uint64_t>(tensor.rows), columns}, blockTypeInfo(type).id,
                  std::string(reinterpret_cast<const char*>(blocks.data()), blocks.size()));
      continue;
    }
    std::string values;
    for (std::uint64_t i = 0; i < columns; ++i)
      values += raw(tensor.name.ends_with(".bias") ? 0.3f * draw(random) : 1 + 0.2f * draw(random));
    file.tensor(name, {columns}, 0, values);
  }
}

inline std::string ggufOf(const ModelConfig& config, const TypeOf& typeOf, unsigned seed = 3) {
  GgufBytes file = ggufKeys(config);
  addTensors(file, config, typeOf, seed);
  return file.bytes();
}

// The model in `bytes`, which must outlive it.
inline std::unique_ptr<GgufModel> modelIn(std::string_view bytes) {
  std::vector<std::unique_ptr<GgufFile>> files;
  files.push_back(std::make_unique<GgufFile>(bytes.size(), readerOf(bytes), "model.gguf"));
  return std::make_unique<GgufModel>(std::move(files));
}

}  // namespace vitrine::test

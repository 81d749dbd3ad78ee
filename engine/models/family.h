// Family: what one architecture's config.json means where it differs from its relatives.
//
// One small file a family under families/. To add one: write families/name.cpp that defines a Family, declare
// it below, name it in kFamilies (family.cpp) and in CMakeLists.txt; tests/models/tst_model_config.cpp shows
// what a test of it looks like. The decoder itself knows flags only, never a family. Read next:
// families/llama.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/config_reader.h"
#include "models/model_config.h"

namespace vitrine {

struct Family {
  const char* name;  // model_type
  std::span<const std::string_view> architectures;
  int kvHeads;  // what transformers takes when num_key_value_heads is not mentioned; 0: as many as heads
  int headDim;  // likewise head_dim; 0: hidden_size / num_attention_heads
  int contextLength;  // likewise max_position_embeddings
  int eosToken;       // likewise eos_token_id; -1: none
  // Biases, norms and windows; sizes and rope are read already.
  void (*read)(const ConfigReader& reader, ModelConfig& config);
};

extern const Family kLlamaFamily, kQwen2Family, kQwen3Family, kMistralFamily;

// The family a config names by `architectures`, else `model_type`. Throws EngineError(kUnsupported) naming
// what it found and what there is.
const Family& recogniseFamily(const ConfigReader& reader);

// Qwen2's and Qwen3's windows: layer_types, else max_window_layers, and only when use_sliding_window says so.
void readQwenWindows(const ConfigReader& reader, ModelConfig& config);

}  // namespace vitrine

// config.json files as tests want them: a small model of a family, with changes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/model_config.h"

namespace vitrine::test {

using nlohmann::json;

inline json base(const char* family = "llama") {
  const std::string name = family;
  const std::string title = name == "llama"   ? "Llama"
                            : name == "qwen2" ? "Qwen2"
                            : name == "qwen3" ? "Qwen3"
                                              : "Mistral";
  return {{"architectures", {title + "ForCausalLM"}},
          {"model_type", name},
          {"vocab_size", 320},
          {"hidden_size", 64},
          {"intermediate_size", 112},
          {"num_hidden_layers", 3},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"max_position_embeddings", 256}};
}

inline ModelConfig parse(const json& config) { return parseModelConfig(config.dump(), "config.json"); }

inline ModelConfig with(const char* family, const json& changes) {
  json config = base(family);
  config.update(changes);
  return parse(config);
}

inline ModelConfig without(const char* family, const char* field) {
  json config = base(family);
  config.erase(field);
  return parse(config);
}

}  // namespace vitrine::test

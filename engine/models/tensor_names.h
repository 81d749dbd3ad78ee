// The tensors a checkpoint of a given config consists of, named as Hugging Face names them.
//
// One list for all its users: the decoder asks for these, the random model writes them, ModelConfig counts
// them. Read next: tensor_check.h, for what becomes of others; decoder.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/model_config.h"

namespace vitrine {

inline constexpr const char* kEmbeddingName = "model.embed_tokens.weight";
inline constexpr const char* kFinalNormName = "model.norm.weight";
inline constexpr const char* kHeadName = "lm_head.weight";

struct TensorSpec {
  std::string name;
  std::int64_t rows = 0;  // 0 for a vector [columns]
  std::int64_t columns = 0;
  std::int64_t elements() const { return rows == 0 ? columns : rows * columns; }
  std::vector<std::int64_t> shape() const {
    return rows == 0 ? std::vector{columns} : std::vector{rows, columns};
  }
};

std::string layerPrefix(int layer);  // "model.layers.3."

// In the order the decoder uses them.
std::vector<TensorSpec> checkpointTensors(const ModelConfig& config);

}  // namespace vitrine

// Qwen3 (arXiv 2505.09388): every head of q and k is normed before the rotation, and head_dim is a size of
// its own, not hidden_size / num_attention_heads.
#include "models/family.h"

namespace vitrine {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen3ForCausalLM", "Qwen3Model"};

void read(const ConfigReader& json, ModelConfig& config) {
  config.attentionBias = config.outputBias = json.flag("attention_bias", false);
  config.qkNorm = true;
  readQwenWindows(json, config);
}

}  // namespace

const Family kQwen3Family = {"qwen3", kArchitectures, 32, 128, 32768, -1, read};

}  // namespace vitrine

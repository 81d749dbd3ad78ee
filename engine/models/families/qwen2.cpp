// Qwen2 and Qwen2.5 (arXiv 2407.10671): q, k and v have biases, the output projection has none.
#include "models/family.h"

namespace vitrine {
namespace {

constexpr std::string_view kArchitectures[] = {"Qwen2ForCausalLM", "Qwen2Model"};

void read(const ConfigReader& json, ModelConfig& config) {
  config.attentionBias = true;
  readQwenWindows(json, config);
}

}  // namespace

const Family kQwen2Family = {"qwen2", kArchitectures, 32, 0, 32768, -1, read};

}  // namespace vitrine

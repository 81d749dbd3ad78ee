// Llama 2 and 3, TinyLlama and their derivatives (arXiv 2302.13971, 2307.09288): the decoder without options.
#include "models/family.h"

namespace vitrine {
namespace {

constexpr std::string_view kArchitectures[] = {"LlamaForCausalLM", "LLaMAForCausalLM", "LlamaModel"};

void read(const ConfigReader& json, ModelConfig& config) {
  config.attentionBias = config.outputBias = json.flag("attention_bias", false);
  config.mlpBias = json.flag("mlp_bias", false);
}

}  // namespace

const Family kLlamaFamily = {"llama", kArchitectures, 0, 0, 2048, 2, read};

}  // namespace vitrine

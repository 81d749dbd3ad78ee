// Mistral 7B (arXiv 2310.06825): a Llama whose tokens may see a window of the past, the same in every layer.
#include "models/family.h"

namespace vitrine {
namespace {

constexpr std::string_view kArchitectures[] = {"MistralForCausalLM", "MistralModel"};

void read(const ConfigReader& json, ModelConfig& config) {
  // Version 0.1 slides; later ones say null. Not mentioned at all means 4096, as in transformers.
  config.slidingWindow = json.mentions("sliding_window") ? json.sizeOr("sliding_window", 0) : 4096;
  config.layerSlides.assign(config.layerSlides.size(), config.slidingWindow > 0);
}

}  // namespace

const Family kMistralFamily = {"mistral", kArchitectures, 8, 0, 131072, 2, read};

}  // namespace vitrine

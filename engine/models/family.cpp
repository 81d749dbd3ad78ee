#include "models/family.h"

#include <algorithm>
#include <array>

#include "models/json_file.h"
#include "vitrine/error.h"
#include "vitrine/model_families.h"

namespace vitrine {
namespace {

constexpr std::array<const Family*, 4> kFamilies = {&kLlamaFamily, &kQwen2Family, &kQwen3Family,
                                                    &kMistralFamily};

std::string supportedNames() {
  std::string names;
  for (const Family* family : kFamilies)
    names += (names.empty() ? "" : ", ") + std::string(family->architectures.front());
  return "Supported: " + names + ".";
}

const Family* byArchitecture(std::string_view name) {
  for (const Family* family : kFamilies)
    if (std::ranges::count(family->architectures, name) > 0) return family;
  return nullptr;
}

const Family* byModelType(std::string_view name) {
  for (const Family* family : kFamilies)
    if (name == family->name) return family;
  return nullptr;
}

// Without use_sliding_window transformers drops sliding_window, and then has no mask for a sliding layer: it
// raises. So the authors' reading is not known, and either of the two would give other answers.
void refuseIdleWindows(const ConfigReader& reader) {
  const std::vector<std::string> types = reader.texts("layer_types");
  for (std::size_t layer = 0; layer < types.size(); ++layer)
    if (types[layer] != "full_attention")
      reader.unsupported(
          "layer_types",
          "names " + forMessage(types[layer]) + " for layer " + std::to_string(layer) +
              ", but use_sliding_window is false",
          "Transformers refuses it as well. Set use_sliding_window to true for the windows, or "
          "name full_attention for every layer, whichever the model was trained with.");
}

}  // namespace

std::vector<std::string> familyNames() {
  std::vector<std::string> names;
  for (const Family* family : kFamilies) names.emplace_back(family->name);
  return names;
}

const Family& recogniseFamily(const ConfigReader& reader) {
  const std::string modelType = reader.text("model_type", "");
  const std::vector<std::string> architectures = reader.texts("architectures");
  if (architectures.empty() && modelType.empty())
    reader.unsupported("architectures", "and model_type are missing, so the model's kind is unknown",
                       supportedNames());
  if (architectures.empty()) {
    if (const Family* family = byModelType(modelType)) return *family;
    reader.unsupported("model_type", "is " + forMessage(modelType) + ", which this engine does not know",
                       supportedNames());
  }
  const Family* family = byArchitecture(architectures.front());
  if (family == nullptr)
    reader.unsupported("architectures",
                       "names " + forMessage(architectures.front()) + ", which this engine does not know",
                       supportedNames());
  if (!modelType.empty() && modelType != family->name)
    reader.corrupt("model_type",
                   "is " + forMessage(modelType) + ", but architectures names " + architectures.front());
  return *family;
}

void readQwenWindows(const ConfigReader& reader, ModelConfig& config) {
  if (!reader.flag("use_sliding_window", false)) return refuseIdleWindows(reader);
  // Transformers takes 4096 when the field is not there; null means no window after all.
  const int window = reader.mentions("sliding_window") ? reader.sizeOr("sliding_window", 0) : 4096;
  reader.refuseNull("max_window_layers");
  const int firstSliding = reader.countOr("max_window_layers", 28);
  const std::vector<std::string> types = reader.texts("layer_types");
  if (!types.empty() && types.size() != config.layerSlides.size())
    reader.corrupt("layer_types", "has " + std::to_string(types.size()) + " entries for " +
                                      std::to_string(config.layers) + " layers");
  for (int layer = 0; layer < config.layers; ++layer) {
    const bool slides =
        types.empty() ? window > 0 && layer >= firstSliding : types[layer] == "sliding_attention";
    if (!types.empty() && !slides && types[layer] != "full_attention")
      reader.unsupported("layer_types", "names " + forMessage(types[layer]),
                         "Known: full_attention, sliding_attention.");
    if (slides && window == 0)
      reader.corrupt("sliding_window", "is null, but layer_types has a sliding layer");
    config.layerSlides[layer] = slides;
  }
  if (std::ranges::count(config.layerSlides, true) > 0) config.slidingWindow = window;
}

}  // namespace vitrine

#include "common/recorded_load.h"

#include <algorithm>
#include <string>

#include "vitrine/engine.h"
#include "vitrine/option_schema.h"
#include "vitrine/place_name.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

bool isFound(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::path found(const fs::path& recorded, const KnownModels& known) {
  const std::string name = placeName(recorded.string());
  if (name.empty() || (name != recorded.string() && isFound(recorded))) return recorded;
  const auto isIt = [&](const fs::path& model) {
    return placeName(model.string()) == name && isFound(model);
  };
  if (const auto same = std::ranges::find_if(known.models, isIt); same != known.models.end()) return *same;
  for (const fs::path& folder : known.folders)
    if (isFound(folder / name)) return folder / name;
  const fs::path builtin = builtinModelDirectory();
  return isIt(builtin) ? builtin : recorded;
}

}  // namespace

RecordedLoad recordedLoad(const RunScript& script, const KnownModels& known) {
  const EngineLoaded& loaded = script.loaded();
  RecordedLoad load{found(loaded.model.path, known), script.options()};
  KnownModels beside = known;
  beside.folders.push_back(load.model.parent_path());
  std::string& draft = load.options.speculation.draftModel;
  draft = found(draft, beside).string();
  load.options.threads = EngineOptions().threads;  // as many as this computer has
  // An older trace has neither device nor kernels nor the type of the weights among its options.
  if (loaded.backend == "torch") load.options.kernels = Kernels::kReference;
  if (loaded.backend == "cuda") load.options.device = Device::kCuda;
  if (const auto quantized = fromName<Quantization>(loaded.model.weightType))
    load.options.quantization = *quantized;
  else if (const auto type = fromName<WeightType>(loaded.model.weightType))
    load.options.weightType = *type;
  return load;
}

bool sameOptions(const EngineOptions& a, const EngineOptions& b) {
  bool same = true;
  forEachEngineOption([&](const auto&, const auto& access) { same = same && access(a) == access(b); });
  return same;
}

}  // namespace vitrine

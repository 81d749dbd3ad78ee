#include "common/recorded_load.h"

#include "vitrine/option_schema.h"

namespace vitrine {

RecordedLoad recordedLoad(const RunScript& script) {
  const EngineLoaded& loaded = script.loaded();
  RecordedLoad load{loaded.model.path, script.options()};
  if (loaded.backend == "torch") load.options.kernels = Kernels::kReference;
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

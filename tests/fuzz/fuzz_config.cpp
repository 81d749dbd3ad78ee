// Any bytes as a config.json: refused with an EngineError, or a config that everything computed from it
// survives, and that reads back the same from the file we would write of it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "models/model_config.h"
#include "models/random_weights.h"
#include "models/rope.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  ModelConfig config;
  try {
    config = parseModelConfig({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const EngineError&) {
    return 0;
  }
  if (config.parameters() <= 0 || config.headDim <= 0 || config.heads % config.kvHeads != 0) std::abort();
  if (config.layerSlides.size() != static_cast<std::size_t>(config.layers)) std::abort();
  if (ropeFrequencies(config.rope, config.headDim).inverse.size() * 2 !=
      static_cast<std::size_t>(config.headDim))
    std::abort();
  const std::string written = configJson(config);
  if (configJson(parseModelConfig(written, "written")) != written) std::abort();
  return 0;
}

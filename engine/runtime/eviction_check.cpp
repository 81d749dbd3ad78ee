// What eviction needs of the model and the backend is checked when the engine is made.
#include "runtime/engine_parts.h"
#include "scheduling/eviction_rule.h"

namespace vitrine {

bool usesPrefixCache(const EngineOptions& options) {
  return options.prefixCache && options.kvCache && options.eviction != Eviction::kHeavyHitters;
}

void requireEvictable(const EngineParts& parts, const EngineOptions& options) {
  const EvictionRule rule = EvictionRule::of(options);
  if (!rule.isOn()) return;
  if (parts.config.slidingWindow > 0)
    throw EngineError(ErrorCode::kUnsupported,
                      "the model slides a window of " + std::to_string(parts.config.slidingWindow) +
                          " tokens of its own, through which it could not see the sinks",
                      "leave --eviction out, or choose a model with full attention");
  if (options.device == Device::kCuda)
    throw EngineError(ErrorCode::kUnsupported, "--device cuda cannot turn queries towards shifted blocks",
                      "leave --eviction out, or choose --device cpu");
  if (options.kernels == Kernels::kReference)
    throw EngineError(ErrorCode::kUnsupported,
                      "--kernels reference cannot turn queries towards shifted blocks",
                      "leave --eviction out, or choose --kernels native");
  if (rule.kind == Eviction::kHeavyHitters && !options.attention.empty() && options.attention != "reference")
    throw EngineError(ErrorCode::kUnsupported,
                      "--eviction heavy counts attention, and --attention " + options.attention +
                          " never holds the probabilities",
                      "choose --attention reference, or --eviction sinks");
  if (rule.capacity() <= parts.config.contextLength) return;
  throw EngineError(ErrorCode::kInvalidArgument,
                    "what --eviction keeps takes up to " + std::to_string(rule.capacity()) +
                        " tokens, and the model's context has " + std::to_string(parts.config.contextLength),
                    "choose smaller --window-tokens or --block-size");
}

}  // namespace vitrine

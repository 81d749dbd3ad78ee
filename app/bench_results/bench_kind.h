// The kinds of `vitrine-cli bench`. Thread: any.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "vitrine/names.h"

namespace vitrine {

enum class BenchKind : std::uint8_t {
  kLatency,
  kThroughput,
  kMemory,
  kAblation,
  kSpeculative,
  kQuantization,
  kRoofline
};
VITRINE_NAMES(BenchKind, "latency", "throughput", "memory", "ablation", "speculative", "quantization",
              "roofline");

// Of a result that does not say its kind ("bench"), from before there was that field: by the fields it has.
// Nothing: it is no result.
std::optional<BenchKind> kindByFields(const nlohmann::ordered_json& json);

}  // namespace vitrine

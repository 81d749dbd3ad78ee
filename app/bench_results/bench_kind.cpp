#include "bench_results/bench_kind.h"

#include <nlohmann/json.hpp>

namespace vitrine {

std::optional<BenchKind> kindByFields(const nlohmann::ordered_json& json) {
  if (!json.is_object() || !json.contains("model") || !json.contains("device")) return std::nullopt;
  // The first entry of a list has the field.
  const auto listHas = [&](const char* list, const char* field) {
    const auto found = json.find(list);
    return found != json.end() && found->is_array() && !found->empty() && found->front().is_object() &&
           found->front().contains(field);
  };
  if (json.contains("peak_gflops")) return BenchKind::kRoofline;
  if (listHas("phases", "resident_bytes")) return BenchKind::kMemory;
  if (json.contains("off") && json.contains("variants")) return BenchKind::kSpeculative;
  if (listHas("variants", "kv")) return BenchKind::kQuantization;
  if (listHas("variants", "itl_p99_ms")) return BenchKind::kAblation;
  if (listHas("runs", "concurrency")) return BenchKind::kThroughput;
  if (listHas("runs", "batch")) return BenchKind::kLatency;
  return std::nullopt;
}

}  // namespace vitrine

// readMetrics: the samples of a page of GET /metrics, in Prometheus' text format 0.0.4 or as OpenMetrics.
//
// Names, labels and values are read. Comments, which have each family's type, are left out, as are the time
// of a sample and its exemplar. A page may come from anything: a line that is no sample is an error with its
// number. Reads bytes from outside: tests/fuzz/fuzz_metrics. Thread: any. Read next: engine_load.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::connect {

struct MetricSample {
  std::string name;
  std::vector<std::pair<std::string, std::string>> labels;  // names and values, as they come
  double value = 0;                                         // may be infinite, and NaN

  // The value of the first label of that name; none: nullptr.
  const std::string* label(std::string_view labelName) const;
};

inline constexpr std::size_t kMostMetricBytes = std::size_t{16} << 20;  // of a page
inline constexpr std::size_t kMostMetricSamples = 200'000;
inline constexpr std::size_t kMostMetricLabels = 1'000'000;  // of all samples together

// Throws EngineError(kFileCorrupt) for a line that is no sample, and for a page that is too large.
std::vector<MetricSample> readMetrics(std::string_view text);

}  // namespace vitrine::connect

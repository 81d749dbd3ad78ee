// DurationSketch: percentiles of very many durations, within 1 %, in a few kilobytes.
//
// A histogram with buckets that grow by 2 %, as in DDSketch (arXiv 1908.10693). Durations (durations.h) are
// exact and sort at every question; a plot asks for four percentiles in each step.
// Thread: a value. Read next: latency_meter.h.
#pragma once

#include <cstdint>
#include <vector>

namespace vitrine {

class DurationSketch {
 public:
  using Bucket = std::uint16_t;  // 0: no duration

  void add(std::int64_t ns);  // requires ns >= 0
  std::int64_t count() const { return m_count; }
  // Bucket of the smallest duration that at least the share p (0 .. 1) of all does not exceed.
  Bucket percentile(double p) const;
  // In nanoseconds, at most 1 % from every duration in the bucket above 1 ns; NaN for bucket 0.
  static double nsOf(Bucket bucket);

 private:
  std::vector<std::uint32_t> m_counts;  // [bucket]
  std::int64_t m_count = 0;
};

}  // namespace vitrine

// Durations: how long something took, many times: count, mean, largest, percentiles.
//
// Memory is bounded. Count, mean and largest are exact. Percentiles are exact up to `limit` durations; with
// more they are those of a uniform random sample of `limit` (algorithm R: Vitter, Random sampling with a
// reservoir, 1985), which is the same for the same durations in the same order.
// Thread: a value. Read next: statistics.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine {

class Durations {
 public:
  Durations() : Durations(4096) {}
  // Requires limit >= 1. A kept duration takes 8 bytes.
  explicit Durations(std::size_t limit) : m_limit(limit) {}

  void add(std::int64_t ns);

  std::int64_t count() const { return m_count; }
  // In nanoseconds; 0 without durations.
  double totalNs() const { return m_totalNs; }
  double meanNs() const { return m_count > 0 ? m_totalNs / static_cast<double>(m_count) : 0; }
  std::int64_t largestNs() const { return m_largestNs; }
  // The duration that a share p (0 .. 1) of all does not exceed; between two of them linear, as in NumPy.
  double percentileNs(double p) const;

  // The sample; as long as count() is at most the limit, every duration in its order.
  const std::vector<std::int64_t>& sampleNs() const { return m_sample; }

 private:
  std::size_t m_limit;
  std::int64_t m_count = 0, m_largestNs = 0;
  double m_totalNs = 0;
  std::vector<std::int64_t> m_sample;
};

// As Durations::percentileNs(), of any values; 0 without values.
double percentile(std::vector<double> values, double p);

}  // namespace vitrine

#include "widgets/plots/duration_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine {
namespace {

constexpr double kGrowth = 1.02;

// Bucket 1 holds 0 and 1 ns, bucket b the durations in (kGrowth^(b-2), kGrowth^(b-1)].
std::size_t bucketOf(std::int64_t ns) {
  if (ns <= 1) return 1;
  return 1 + static_cast<std::size_t>(std::ceil(std::log(static_cast<double>(ns)) / std::log(kGrowth)));
}

}  // namespace

void DurationSketch::add(std::int64_t ns) {
  const std::size_t bucket = bucketOf(ns);
  if (bucket >= m_counts.size()) m_counts.resize(bucket + 1);
  ++m_counts[bucket];
  ++m_count;
}

DurationSketch::Bucket DurationSketch::percentile(double p) const {
  const double wanted = std::max(1.0, std::ceil(p * static_cast<double>(m_count)));
  std::int64_t below = 0;
  for (std::size_t bucket = 0; bucket < m_counts.size(); ++bucket) {
    below += m_counts[bucket];
    if (static_cast<double>(below) >= wanted) return static_cast<Bucket>(bucket);
  }
  return 0;
}

double DurationSketch::nsOf(Bucket bucket) {
  if (bucket == 0) return std::numeric_limits<double>::quiet_NaN();
  return bucket == 1 ? 1 : 2 * std::pow(kGrowth, bucket - 1) / (kGrowth + 1);
}

}  // namespace vitrine

#include "bench/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vitrine::cli {

Summary summarise(const std::vector<double>& values) {
  Summary s;
  if (values.empty()) return s;
  s.count = static_cast<int>(values.size());
  s.mean = std::accumulate(values.begin(), values.end(), 0.0) / s.count;
  double squares = 0;
  for (double value : values) squares += (value - s.mean) * (value - s.mean);
  if (s.count > 1) s.sd = std::sqrt(squares / (s.count - 1));
  s.median = percentile(values, 0.5);
  s.min = std::ranges::min(values);
  s.max = std::ranges::max(values);
  return s;
}

Json toJson(const Summary& s) {
  return {{"median", finite(s.median)}, {"mean", finite(s.mean)}, {"sd", finite(s.sd)},
          {"min", finite(s.min)},       {"max", finite(s.max)},   {"count", s.count}};
}

Json percentilesToJson(const std::vector<double>& values) {
  const Summary all = summarise(values);
  return {{"p50", percentile(values, 0.5)},
          {"p95", percentile(values, 0.95)},
          {"p99", percentile(values, 0.99)},
          {"min", all.min},
          {"max", all.max},
          {"count", all.count}};
}

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) out.push_back(a[i] / b[i]);
  return out;
}

}  // namespace vitrine::cli

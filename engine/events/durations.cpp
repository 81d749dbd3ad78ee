#include "vitrine/durations.h"

#include <algorithm>
#include <cmath>

#include "core/mix.h"

namespace vitrine {
namespace {

// A number below `limit` that depends on nothing but `count`.
std::uint64_t drawBelow(std::uint64_t limit, std::uint64_t count) {
  return mixBits(count * kGoldenRatio) % limit;
}

}  // namespace

void Durations::add(std::int64_t ns) {
  ++m_count;
  m_totalNs += static_cast<double>(ns);
  m_largestNs = m_count == 1 ? ns : std::max(m_largestNs, ns);
  if (m_sample.size() < m_limit) {
    m_sample.push_back(ns);
    return;
  }
  const auto count = static_cast<std::uint64_t>(m_count);
  if (const std::uint64_t place = drawBelow(count, count); place < m_limit)
    m_sample[static_cast<std::size_t>(place)] = ns;
}

double Durations::percentileNs(double p) const {
  return percentile(std::vector<double>(m_sample.begin(), m_sample.end()), p);
}

double percentile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

}  // namespace vitrine

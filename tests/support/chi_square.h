// Pearson's chi-square test: how likely counts as far off as these are when each draw follows `expected`.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace vitrine {

// The chance of a value above x with k degrees of freedom: the regularised upper incomplete gamma function
// Q(k/2, x/2), by its series, or by Lentz's continued fraction where that converges.
inline double chiSquareTail(double x, int k) {
  const double a = k / 2.0, z = x / 2.0;
  if (z <= 0) return 1;
  const double scale = std::exp(a * std::log(z) - z - std::lgamma(a));
  if (z < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < 1000 && term > sum * 1e-16; ++n) sum += term *= z / (a + n);
    return 1 - scale * sum;
  }
  double b = z + 1 - a, c = 1e300, d = 1 / b, fraction = d;
  for (int n = 1; n < 1000; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return scale * fraction;
}

// Cells expected fewer than five times are counted as one. 0 when something came that cannot.
inline double chiSquarePValue(std::span<const std::int64_t> counts, std::span<const double> expected) {
  std::int64_t total = 0;
  for (std::int64_t count : counts) total += count;
  double statistic = 0, rareExpected = 0, rareCount = 0;
  int cells = 0;
  const auto add = [&](double count, double mean) {
    statistic += (count - mean) * (count - mean) / mean;
    ++cells;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double mean = expected[i] * static_cast<double>(total), count = static_cast<double>(counts[i]);
    if (mean <= 0 && count > 0) return 0;
    if (mean >= 5) {
      add(count, mean);
    } else {
      rareExpected += mean;
      rareCount += count;
    }
  }
  if (rareExpected > 0) add(rareCount, rareExpected);
  return cells > 1 ? chiSquareTail(statistic, cells - 1) : 1;
}

}  // namespace vitrine

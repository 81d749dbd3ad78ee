#include "bench_results/bench_cells.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace vitrine {

Summary scaled(const Summary& s, double factor) {
  return {s.count, s.mean * factor, s.sd * factor, s.median * factor, s.min * factor, s.max * factor};
}

std::optional<Summary> single(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return Summary{1, *value, 0, *value, *value, *value};
}

std::string rounded(double value) {
  std::array<char, 400> text{};  // the largest double has 309 digits
  std::snprintf(text.data(), text.size(), std::abs(value) >= 1000 ? "%.0f" : "%.4g", value);
  return text.data();
}

std::string withSpread(const Summary& s) { return rounded(s.mean) + " ± " + rounded(s.sd); }

BenchCell emptyCell() { return {}; }
BenchCell notMeasured() { return {"-"}; }
BenchCell wordsCell(const std::string& words) { return {words}; }
BenchCell numberCell(double value) { return {rounded(value), value}; }
BenchCell countCell(std::int64_t count) { return {std::to_string(count), static_cast<double>(count)}; }
BenchCell mibCell(double bytes) { return numberCell(bytes / (1 << 20)); }
BenchCell percentCell(double share) { return {rounded(share * 100) + "%", share * 100}; }
BenchCell meanCell(const Summary& s) { return {withSpread(s), s.mean, s}; }
BenchCell timesCell(const Summary& s) { return {rounded(s.median) + "x", s.median, s}; }

BenchCell timesAndRangeCell(const Summary& s) {
  return {rounded(s.median) + "x (" + rounded(s.min) + "-" + rounded(s.max) + ")", s.median, s};
}

}  // namespace vitrine

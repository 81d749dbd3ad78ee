// What one cell of a result says: a text as it is printed, and the number behind it.
//
// Thread: values. Read next: bench_results.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vitrine {

// What repeated measurements come to.
struct Summary {
  int count = 0;
  double mean = 0, sd = 0;  // of the sample, 0 for fewer than two
  double median = 0, min = 0, max = 0;
};

// Of another unit: every value times the factor.
Summary scaled(const Summary& summary, double factor);
// What was measured once has no spread. Nothing stays nothing.
std::optional<Summary> single(const std::optional<double>& value);

std::string rounded(double value);               // four significant digits
std::string withSpread(const Summary& summary);  // "12.3 ± 0.4": mean and standard deviation

struct BenchCell {
  std::string text;
  std::optional<double> number = std::nullopt;   // in the column's unit; nothing: words, or not measured
  std::optional<Summary> spread = std::nullopt;  // of which the number is one value
};

BenchCell emptyCell();
BenchCell notMeasured();  // "-"
BenchCell wordsCell(const std::string& words);
BenchCell numberCell(double value);
BenchCell countCell(std::int64_t count);
BenchCell mibCell(double bytes);
BenchCell percentCell(double share);                  // "98.44%"
BenchCell meanCell(const Summary& summary);           // withSpread()
BenchCell timesCell(const Summary& summary);          // "1.38x", the median
BenchCell timesAndRangeCell(const Summary& summary);  // "1.38x (1.2-1.5)"

// The cell of what may not have been measured.
template <typename Value, typename Make>
BenchCell cellOf(const std::optional<Value>& value, const Make& make) {
  return value ? make(*value) : notMeasured();
}

}  // namespace vitrine

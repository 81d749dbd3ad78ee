// What repeated measurements come to. Thread: values.
#pragma once

#include <vector>

#include "program.h"
#include "vitrine/durations.h"

namespace vitrine::cli {

struct Summary {
  int count = 0;
  double mean = 0, sd = 0;  // of the sample, 0 for fewer than two
  double median = 0, min = 0, max = 0;
};
Summary summarise(const std::vector<double>& values);

Json toJson(const Summary& summary);
Json percentilesToJson(const std::vector<double>& values);  // {"p50", "p95", "p99"}

// a[i] / b[i], for figures that were measured in the same round.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b);

// "12.3 ± 0.4", with as many digits as the spread leaves a meaning.
std::string withSpread(const Summary& summary);
std::string rounded(double value);  // four significant digits

}  // namespace vitrine::cli

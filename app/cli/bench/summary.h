// What repeated measurements come to. Thread: values.
#pragma once

#include <vector>

#include "bench_results/bench_cells.h"
#include "program.h"
#include "vitrine/durations.h"

namespace vitrine::cli {

Summary summarise(const std::vector<double>& values);

Json toJson(const Summary& summary);
Json percentilesToJson(const std::vector<double>& values);  // {"p50", "p95", "p99", "min", "max", "count"}

// a[i] / b[i], for figures that were measured in the same round.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace vitrine::cli

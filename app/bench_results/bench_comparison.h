// Results of one kind side by side. Thread: values. Read next: bench_results.h.
#pragma once

#include <string>
#include <vector>

#include "bench_results/bench_results.h"

namespace vitrine {

struct NamedBenchResults {
  std::string name;  // "before": of a file
  BenchResults results;
};

// A table has a first column with the names, and the rows of all results below each other; a column that one
// of them lacks is empty there. A chart has the bars or lines of all: the series of each under its name, over
// the places of all. Remarks and forwards begin with the name. One alone is as it is.
// Requires results of one kind, at least one.
BenchResults compareBenchResults(const std::vector<NamedBenchResults>& all,
                                 const prose::Language& language = prose::english());

}  // namespace vitrine

// What people see of a result: its tables and remarks on standard output, its chart in a file. Thread: one.
#pragma once

#include <filesystem>

#include "bench_results/bench_results.h"

namespace vitrine::cli {

void printResults(const BenchResults& results);
// The first chart, or the roofs. Requires a file that requirePlottable() allows. Throws EngineError(kIo).
void plotResults(const BenchResults& results, const std::filesystem::path& file);

}  // namespace vitrine::cli

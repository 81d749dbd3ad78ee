// Any bytes as a benchmark's result: refused with an EngineError, or tables and charts that are whole, also
// beside themselves.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bench_results/bench_comparison.h"
#include "vitrine/error.h"

namespace {

void check(const vitrine::BenchResults& results) {
  for (const vitrine::BenchTable& table : results.tables)
    for (const auto& row : table.rows)
      if (row.size() != table.columns.size()) std::abort();
  for (const vitrine::BenchChart& chart : results.charts)
    for (const vitrine::BenchChart::Series& series : chart.series)
      if (series.values.size() != chart.places.size()) std::abort();
  for (const vitrine::BenchRoofRun& run : results.roofRuns)
    for (const vitrine::OperationCost& cost : run.forward.operations)
      if (!(vitrine::placeUnder(run.roof, cost, run.forward).limit >= 0)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  vitrine::looksLikeBenchResults(text);
  try {
    const vitrine::BenchResults results = vitrine::readBenchResults(text, "fuzz");
    check(results);
    check(vitrine::compareBenchResults({{"one", results}, {"other", results}}));
  } catch (const vitrine::EngineError&) {
    return 0;
  }
  return 0;
}

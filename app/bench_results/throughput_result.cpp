// bench throughput: a line for each number of clients.
#include "bench_results/bench_describer.h"

namespace vitrine {
namespace {

class ThroughputResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Throughput");
    results().meaning =
        tr("How much the machine answers in a second, by how many requests are under way at once.");
    addTables();
    const std::vector<BenchFields> runs = fields().list("runs");
    for (const BenchFields& run : runs) addRun(run);
    addDevicePeaks(results().tables[0], runs);
  }

 private:
  void addTables() {
    addTable(tr("By requests at once"), {{tr("at once"), tr("requests at once")},
                                         {tr("requests/s"), tr("requests/s")},
                                         {tr("tokens/s"), tr("tokens/s")},
                                         {tr("against the first"), tr("tokens/s, against the first")},
                                         {tr("TTFT ms"), tr("TTFT, ms")},
                                         {tr("ITL p50"), tr("ITL p50, ms")},
                                         {tr("p99"), tr("ITL p99, ms")},
                                         {tr("running"), tr("sequences in a step, at most")}});
    const String at = tr("requests at once"), title = tr("Throughput of %1", results().model);
    addChart({tr("tokens/s"), title, at, tr("tokens a second"), {}, {{tr("tokens/s"), {}}}, true});
    addChart({tr("requests/s"), title, at, tr("requests a second"), {}, {{tr("requests/s"), {}}}, true});
    addChart({tr("time to the first token"), title, at, tr("ms"), {}, {{tr("TTFT"), {}}}, true});
  }

  void addRun(const BenchFields& run) {
    const int clients = run.count("concurrency");
    const auto requests = run.summary("requests_per_second"), tokens = run.summary("tokens_per_second"),
               gain = run.summary("against_first"), ttft = run.summary("ttft_ms");
    const std::optional<BenchFields> itl = run.maybeObject("itl_ms");
    results().tables[0].rows.push_back(
        {countCell(clients), cellOf(requests, meanCell), cellOf(tokens, meanCell), cellOf(gain, timesCell),
         cellOf(ttft, meanCell), percentileOf(itl, "p50"), percentileOf(itl, "p99"),
         numberCell(run.number("most_sequences_in_a_step"))});
    addPlace(std::to_string(clients), {{tokens}, {requests}, {ttft}});
  }
};

}  // namespace

void describeThroughput(const BenchSource& source) { ThroughputResult(source).describe(); }

}  // namespace vitrine

// bench latency: a line for each batch size.
#include "bench_results/bench_describer.h"

namespace vitrine {
namespace {

class LatencyResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Latency");
    results().meaning =
        tr("How long an answer takes: to its first token (TTFT), between two tokens (ITL), and to its end.");
    const std::vector<BenchFields> runs = fields().list("runs");
    m_warm = runs.front().has("warm_ttft_ms");
    makeTable();
    makeCharts();
    for (const BenchFields& run : runs) {
      addRow(run);
      addToCharts(run);
    }
    addDevicePeaks(results().tables[0], runs);
  }

 private:
  void makeTable() {
    std::vector<BenchColumn> columns = {{tr("batch"), tr("requests at once")},
                                        {tr("prefill tok/s"), tr("prefill, tokens/s")},
                                        {tr("decode tok/s"), tr("decode, tokens/s")},
                                        {tr("TTFT ms"), tr("TTFT, ms")},
                                        {tr("ITL p50"), tr("ITL p50, ms")},
                                        {tr("p95"), tr("ITL p95, ms")},
                                        {tr("p99"), tr("ITL p99, ms")},
                                        {tr("end to end ms"), tr("end to end, ms")},
                                        {tr("peak MiB"), tr("peak memory, MiB")}};
    if (m_warm)
      columns.insert(columns.begin() + 4, {{tr("warm TTFT ms"), tr("warm TTFT, ms")},
                                           {tr("speed-up"), tr("warm TTFT, speed-up")}});
    addTable(tr("By requests at once"), std::move(columns));
  }

  void makeCharts() {
    const String title = tr("Latency of %1", results().model), at = tr("requests at once"), ms = tr("ms");
    addChart({tr("TTFT and ITL"), title, at, ms, {}, {{tr("TTFT"), {}}, {tr("ITL"), {}}}});
    addChart({tr("ITL, percentiles"), title, at, ms, {}, {{"p50", {}}, {"p95", {}}, {"p99", {}}}});
    addChart(
        {tr("tokens/s"), title, at, tr("tokens a second"), {}, {{tr("prefill"), {}}, {tr("decode"), {}}}});
    addChart({tr("end to end"), title, at, ms, {}, {{tr("end to end"), {}}}});
    if (m_warm)
      addChart(
          {tr("prefix cache"), title, at, ms, {}, {{tr("TTFT"), {}}, {tr("the same prompt again"), {}}}});
  }

  void addRow(const BenchFields& run) {
    const std::optional<BenchFields> itl = run.maybeObject("itl_ms");
    std::vector<BenchCell> row = {countCell(run.count("batch")),
                                  cellOf(run.summary("prefill_tokens_per_second"), meanCell),
                                  cellOf(run.maybeSummary("decode_tokens_per_second"), meanCell),
                                  cellOf(run.summary("ttft_ms"), meanCell),
                                  percentileOf(itl, "p50"),
                                  percentileOf(itl, "p95"),
                                  percentileOf(itl, "p99"),
                                  cellOf(run.summary("end_to_end_ms"), meanCell),
                                  mibCell(run.number("peak_rss_bytes"))};
    if (m_warm)
      row.insert(row.begin() + 4, {cellOf(run.maybeSummary("warm_ttft_ms"), meanCell),
                                   cellOf(run.maybeSummary("warm_speed_up"), timesCell)});
    results().tables[0].rows.push_back(std::move(row));
  }

  // The median of all gaps, from the least to the most. A result from before "min" and "max" has no spread.
  static std::optional<Summary> gaps(const BenchFields& itl) {
    const std::optional<double> p50 = itl.measured("p50"), min = itl.maybeNumber("min"),
                                max = itl.maybeNumber("max");
    if (!p50) return std::nullopt;
    if (!min || !max || !itl.has("count")) return single(p50);
    return Summary{itl.count("count"), *p50, 0, *p50, *min, *max};
  }

  void addToCharts(const BenchFields& run) {
    const std::optional<BenchFields> itl = run.maybeObject("itl_ms");
    const auto percentile = [&](const char* key) { return itl ? single(itl->measured(key)) : std::nullopt; };
    addPlace(std::to_string(run.count("batch")),
             {{run.summary("ttft_ms"), itl ? gaps(*itl) : std::nullopt},
              {percentile("p50"), percentile("p95"), percentile("p99")},
              {run.summary("prefill_tokens_per_second"), run.maybeSummary("decode_tokens_per_second")},
              {run.summary("end_to_end_ms")},
              {run.summary("ttft_ms"), run.maybeSummary("warm_ttft_ms")}});
  }

  bool m_warm = false;
};

}  // namespace

void describeLatency(const BenchSource& source) { LatencyResult(source).describe(); }

}  // namespace vitrine

// bench ablation: a line for the machine with everything, and one without each mechanism.
#include "bench_results/bench_describer.h"

namespace vitrine {
namespace {

class AblationResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Ablation");
    results().meaning =
        tr("What each mechanism is worth: the same requests with all of them, and with each one removed in "
           "turn.");
    makeTable();
    makeCharts();
    const std::vector<BenchFields> variants = fields().list("variants");
    for (const BenchFields& variant : variants) {
      addRow(variant);
      addToCharts(variant);
    }
    addDevicePeaks(results().tables[0], variants);
    if (fields().has("remarks")) results().remarks = fields().sentences("remarks");
  }

 private:
  static bool isBase(const BenchFields& variant) { return !variant.has("speed_ratio"); }

  void makeTable() {
    addTable(tr("By mechanism"), {{"", tr("variant")},
                                  {tr("tokens/s"), tr("tokens/s")},
                                  {tr("it is worth"), tr("tokens/s, worth")},
                                  {tr("TTFT ms"), tr("TTFT, ms")},
                                  {tr("without"), tr("TTFT without, times")},
                                  {tr("ITL p99 ms"), tr("ITL p99, ms")},
                                  {tr("without"), tr("ITL p99 without, times")},
                                  {tr("same answers"), tr("same answers")}});
  }

  void makeCharts() {
    const String title = tr("What each mechanism is worth"), removed = tr("removed"),
                 times = tr("times faster with it");
    addChart({tr("tokens/s"), title, removed, tr("tokens a second"), {}, {{tr("tokens/s"), {}}}});
    addChart({tr("what it is worth"), title, removed, times, {}, {{tr("tokens/s"), {}}}});
    addChart({tr("time to the first token"), title, removed, tr("ms"), {}, {{tr("TTFT"), {}}}});
    addChart({tr("ITL p99"), title, removed, tr("ms"), {}, {{tr("ITL p99"), {}}}});
  }

  void addRow(const BenchFields& variant) {
    const bool base = isBase(variant);
    const String name = variant.text("name");
    const auto ratio = [&](const char* key) {
      return base ? emptyCell() : cellOf(variant.summary(key), timesAndRangeCell);
    };
    results().tables[0].rows.push_back({wordsCell(base ? name : tr("without %1", name)),
                                        cellOf(variant.summary("tokens_per_second"), meanCell),
                                        ratio("speed_ratio"), cellOf(variant.summary("ttft_ms"), meanCell),
                                        ratio("ttft_ratio"), cellOf(variant.summary("itl_p99_ms"), meanCell),
                                        ratio("itl_p99_ratio"),
                                        base ? emptyCell() : yesOrNo(variant.flag("same_answers"))});
  }

  void addToCharts(const BenchFields& variant) {
    const char* const keys[] = {"tokens_per_second", "speed_ratio", "ttft_ms", "itl_p99_ms"};
    for (std::size_t i = 0; i < results().charts.size(); ++i) {
      if (isBase(variant) && keys[i] == std::string_view("speed_ratio")) continue;
      BenchChart& chart = results().charts[i];
      chart.places.push_back(isBase(variant) ? tr("(nothing)") : variant.text("name"));
      chart.series[0].values.push_back(variant.summary(keys[i]));
    }
  }
};

}  // namespace

void describeAblation(const BenchSource& source) { AblationResult(source).describe(); }

}  // namespace vitrine

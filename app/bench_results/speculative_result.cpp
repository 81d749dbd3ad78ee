// bench speculative: a line without drafts, and one for each draft length and exit layer.
#include <cmath>

#include "bench_results/bench_describer.h"

namespace vitrine {
namespace {

constexpr std::size_t kPositionsShown = 4;

class SpeculativeResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Speculation");
    results().meaning =
        tr("What drafting is worth, by the length of a draft and the layer that it comes from.");
    if (fields().has("draft_acceptance"))
      results().settings.push_back(tr("acceptance by: %1", fields().text("draft_acceptance")));
    makeTable();
    makeCharts();
    std::vector<BenchFields> runs = {fields().object("off")};
    addOff(runs.front());
    for (const BenchFields& variant : fields().list("variants")) {
      addRow(variant);
      addToCharts(variant);
      results().remarks.push_back(variant.text("why", BenchFields::kSentence));
      runs.push_back(variant);
    }
    addDevicePeaks(results().tables[0], runs);
  }

 private:
  void makeTable() {
    addTable(tr("By draft"), {{tr("K"), tr("draft length K")},
                              {tr("exit"), tr("exit layer")},
                              {tr("tokens/s"), tr("tokens/s")},
                              {tr("speed-up"), tr("speed-up")},
                              {tr("spread"), tr("speed-up, spread")},
                              {tr("accepted"), tr("accepted")},
                              {tr("by position"), tr("accepted, by position")},
                              {tr("mean length"), tr("accepted length, mean")},
                              {tr("draft ms"), tr("draft, ms")},
                              {tr("verify ms"), tr("verify, ms")},
                              {tr("break-even"), tr("break-even acceptance")},
                              {tr("same answers"), tr("same answers")}});
  }

  void makeCharts() {
    const String title = tr("Speculation: how many times faster"), drafts = tr("drafts");
    addChart({tr("speed-up"), title, drafts, tr("speed-up"), {}, {{tr("speed-up"), {}}}});
    addChart({tr("acceptance"),
              title,
              drafts,
              tr("share of the tokens looked at"),
              {},
              {{tr("accepted"), {}}, {tr("break-even"), {}}}});
    addChart({tr("time of a step"), title, drafts, tr("ms"), {}, {{tr("draft"), {}}, {tr("verify"), {}}}});
  }

  void addOff(const BenchFields& off) {
    const auto step = off.summary("step_ms");
    std::vector<BenchCell> row(results().tables[0].columns.size());
    row[0] = wordsCell(tr("off"));
    row[1] = notMeasured();
    row[2] = cellOf(off.summary("tokens_per_second"), meanCell);
    row[3] = {"1x", 1.0};
    row[9] = cellOf(step, [](const Summary& ms) { return numberCell(ms.median); });
    results().tables[0].rows.push_back(std::move(row));
  }

  static String positionsOf(const BenchFields& variant) {
    String shares;
    std::size_t shown = 0;
    for (const BenchFields& position : variant.list("positions", 0)) {
      if (shown++ == kPositionsShown) break;
      shares += (shares.empty() ? "" : " ") + rounded(std::round(position.number("acceptance") * 100)) + "%";
    }
    return shares;
  }

  // No acceptance is enough where a step with a draft was measured and there is no break-even.
  static BenchCell breakEven(const BenchFields& variant) {
    if (const auto needed = variant.measured("break_even_acceptance")) return numberCell(*needed);
    return variant.has("relative_cost") ? wordsCell("inf") : notMeasured();
  }

  void addRow(const BenchFields& variant) {
    const int exit = variant.count("exit_layer");
    const auto speedUp = variant.summary("speed_up"), draft = variant.summary("draft_ms"),
               verify = variant.summary("verify_ms");
    const auto median = [](const Summary& s) {
      BenchCell cell = numberCell(s.median);
      cell.spread = s;
      return cell;
    };
    results().tables[0].rows.push_back(
        {countCell(variant.count("draft_length")), exit > 0 ? countCell(exit) : notMeasured(),
         cellOf(variant.summary("tokens_per_second"), meanCell), cellOf(speedUp, timesCell),
         cellOf(speedUp, [](const Summary& s) { return wordsCell(rounded(s.min) + "-" + rounded(s.max)); }),
         cellOf(variant.measured("acceptance"), numberCell), wordsCell(positionsOf(variant)),
         cellOf(variant.measured("mean_accepted_length"), numberCell), cellOf(draft, median),
         cellOf(verify, median), breakEven(variant), yesOrNo(variant.flag("same_answers"))});
  }

  String nameOf(const BenchFields& variant) const {
    const String length = std::to_string(variant.count("draft_length"));
    const int exit = variant.count("exit_layer");
    return "K " + length + (exit > 0 ? ", " + tr("exit %1", std::to_string(exit)) : "");
  }

  void addToCharts(const BenchFields& variant) {
    addPlace(nameOf(variant),
             {{variant.summary("speed_up")},
              {single(variant.measured("acceptance")), single(variant.measured("break_even_acceptance"))},
              {variant.summary("draft_ms"), variant.summary("verify_ms")}});
  }
};

}  // namespace

void describeSpeculative(const BenchSource& source) { SpeculativeResult(source).describe(); }

}  // namespace vitrine

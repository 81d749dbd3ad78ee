// bench quantization: a line for each type of weights and KV cache.
#include "bench_results/bench_describer.h"

namespace vitrine {
namespace {

class QuantizationResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using BenchDescriber::BenchDescriber;

  void describe() {
    results().title = tr("Quantization");
    results().meaning =
        tr("What narrower weights and a narrower KV cache save in memory and time, and how far the answers "
           "move.");
    makeTable();
    makeCharts();
    const std::vector<BenchFields> variants = fields().list("variants");
    for (const BenchFields& variant : variants) {
      addRow(variant);
      addToCharts(variant);
    }
    addPerplexities(variants);
    addDevicePeaks(results().tables[0], variants);
    results().remarks.push_back(
        tr("Divergence: nats a token, of each variant's distributions from the model's own along the model's "
           "own answers."));
  }

 private:
  void makeTable() {
    addTable(tr("By type"), {{tr("weights"), tr("weights")},
                             {tr("KV"), tr("KV cache")},
                             {tr("weights MiB"), tr("weights, MiB")},
                             {tr("KV bytes a token"), tr("KV, bytes a token")},
                             {tr("tokens/s"), tr("tokens/s")},
                             {tr("speed-up"), tr("tokens/s, speed-up")},
                             {tr("divergence"), tr("divergence, nats a token")},
                             {tr("same choice"), tr("same choice, %")}});
  }

  void makeCharts() {
    const String title = tr("Quantization of %1", results().model), at = tr("weights, KV");
    addChart({tr("tokens/s"), title, at, tr("tokens a second"), {}, {{tr("tokens/s"), {}}}});
    addChart({tr("weights"), title, at, tr("MiB"), {}, {{tr("weights"), {}}}});
    addChart({tr("KV cache"), title, at, tr("bytes a token"), {}, {{tr("KV cache"), {}}}});
    addChart({tr("divergence"), title, at, tr("nats a token"), {}, {{tr("divergence"), {}}}});
  }

  void addRow(const BenchFields& variant) {
    results().tables[0].rows.push_back(
        {wordsCell(variant.text("weights")), wordsCell(variant.text("kv")),
         mibCell(variant.number("weight_bytes")), countCell(variant.whole("kv_bytes_per_token")),
         cellOf(variant.summary("tokens_per_second"), meanCell),
         cellOf(variant.summary("speed_up"), timesCell), cellOf(variant.measured("divergence"), numberCell),
         cellOf(variant.measured("same_choice"), percentCell)});
  }

  // Older results have none.
  void addPerplexities(const std::vector<BenchFields>& variants) {
    if (!variants.front().has("perplexity")) return;
    BenchTable& table = results().tables[0];
    table.columns.push_back({tr("perplexity"), tr("perplexity")});
    table.columns.push_back({tr("change"), tr("perplexity, change in %")});
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const std::optional<double> ratio = variants[i].measured("perplexity_ratio");
      table.rows[i].push_back(cellOf(variants[i].measured("perplexity"), numberCell));
      table.rows[i].push_back(cellOf(ratio ? std::optional(*ratio - 1) : ratio, percentCell));
    }
    results().remarks.push_back(
        tr("Perplexity: of the same answers, as each variant predicts them; its change is from the first "
           "row's."));
  }

  void addToCharts(const BenchFields& variant) {
    addPlace(variant.text("weights") + ", " + variant.text("kv"),
             {{variant.summary("tokens_per_second")},
              {single(variant.number("weight_bytes") / (1 << 20))},
              {single(variant.number("kv_bytes_per_token"))},
              {single(variant.measured("divergence"))}});
  }
};

}  // namespace

void describeQuantization(const BenchSource& source) { QuantizationResult(source).describe(); }

}  // namespace vitrine

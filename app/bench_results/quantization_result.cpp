// bench quantization: a line for each form of weights, arithmetic and KV cache; and what each of them is off.
#include "bench_results/bench_describer.h"

#include <algorithm>

namespace vitrine {
namespace {

class QuantizationResult : private BenchDescriber {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  explicit QuantizationResult(const BenchSource& source)
      : BenchDescriber(source), m_variants(fields().list("variants")) {}

  void describe() {
    results().title = tr("Quantization");
    results().meaning =
        tr("What narrower weights and a narrower KV cache save in memory and time, and how far the answers "
           "move.");
    addVariants();
    addDifferences();
    addCharts();
    if (fields().has("remarks"))
      for (const String& remark : fields().sentences("remarks")) results().remarks.push_back(remark);
  }

 private:
  // Whether every variant has the field: older results lack some, and speed may not be measured.
  bool have(const char* key) const {
    return std::ranges::all_of(m_variants, [key](const BenchFields& variant) { return variant.has(key); });
  }

  // A column of the table, with the cell of each variant.
  template <typename CellOf>
  void addColumn(const BenchColumn& column, const CellOf& cellOfVariant) {
    BenchTable& table = results().tables[0];
    table.columns.push_back(column);
    table.rows.resize(m_variants.size());
    for (std::size_t i = 0; i < m_variants.size(); ++i) table.rows[i].push_back(cellOfVariant(m_variants[i]));
  }

  void addVariants() {
    addTable(tr("By type"), {});
    addColumn({tr("weights"), tr("weights")}, [](const BenchFields& v) { return wordsCell(weightsOf(v)); });
    if (have("compute"))
      addColumn({tr("compute"), tr("arithmetic")},
                [](const BenchFields& v) { return wordsCell(v.text("compute")); });
    addColumn({tr("KV"), tr("KV cache")}, [](const BenchFields& v) { return wordsCell(v.text("kv")); });
    addColumn({tr("weights MiB"), tr("weights, MiB")},
              [](const BenchFields& v) { return mibCell(v.number("weight_bytes")); });
    addColumn({tr("KV bytes a token"), tr("KV, bytes a token")},
              [](const BenchFields& v) { return countCell(v.whole("kv_bytes_per_token")); });
    if (have("tokens_per_second")) {
      addColumn({tr("tokens/s"), tr("tokens/s")},
                [](const BenchFields& v) { return cellOf(v.summary("tokens_per_second"), meanCell); });
      addColumn({tr("speed-up"), tr("tokens/s, speed-up")},
                [](const BenchFields& v) { return cellOf(v.summary("speed_up"), timesCell); });
    }
    addColumn({tr("divergence"), tr("divergence, nats a token")}, divergenceCell);
    addColumn({tr("same choice"), tr("same choice, %")}, choiceCell);
    if (have("perplexity")) {
      addColumn({tr("perplexity"), tr("perplexity")}, perplexityCell);
      addColumn({tr("change"), tr("perplexity, change in %")}, changeCell);
    }
    addDevicePeaks(results().tables[0], m_variants);
    results().remarks.push_back(
        tr("Divergence: nats a token, of each variant's distributions from the model's own along the model's "
           "own answers."));
    if (have("perplexity"))
      results().remarks.push_back(
          tr("Perplexity: of the same answers, as each variant predicts them; its change is from the first "
             "row's."));
  }

  // What "same" is, where the result tells it.
  static String weightsOf(const BenchFields& variant) {
    const String weights = variant.text("weights");
    return weights == "same" && variant.has("type") ? weights + " (" + variant.text("type") + ")" : weights;
  }

  static BenchCell divergenceCell(const BenchFields& compared) {
    return cellOf(compared.measured("divergence"), numberCell);
  }
  static BenchCell choiceCell(const BenchFields& compared) {
    return cellOf(compared.measured("same_choice"), percentCell);
  }
  static BenchCell perplexityCell(const BenchFields& compared) {
    return cellOf(compared.measured("perplexity"), numberCell);
  }
  static BenchCell changeCell(const BenchFields& compared) {
    const std::optional<double> ratio = compared.measured("perplexity_ratio");
    return cellOf(ratio ? std::optional(*ratio - 1) : ratio, percentCell);
  }

  // A line for what rounding the weights costs, and one for what the arithmetic and the KV cache add.
  void addDifferences() {
    if (std::ranges::none_of(m_variants, [](const BenchFields& v) { return v.has("rounding"); })) return;
    addTable(tr("Error"), {{tr("weights"), tr("weights")},
                           {tr("compute"), tr("arithmetic")},
                           {tr("KV"), tr("KV cache")},
                           {tr("compared with"), tr("compared with")},
                           {tr("most off"), tr("logits, most off")},
                           {tr("mean off"), tr("logits, mean off")},
                           {tr("divergence"), tr("divergence, nats a token")},
                           {tr("same choice"), tr("same choice, %")},
                           {tr("perplexity"), tr("perplexity")},
                           {tr("change"), tr("perplexity, change in %")}});
    for (const BenchFields& variant : m_variants) {
      const String weights = weightsOf(variant), compute = variant.text("compute"), kv = variant.text("kv");
      const std::optional<BenchFields> arithmetic = variant.maybeObject("arithmetic");
      if (const auto rounding = variant.maybeObject("rounding"))
        addDifference({arithmetic ? tr("%1, as %2 reads them", weights, compute) : weights, tr("f32"),
                       tr("same"), tr("the model")},
                      *rounding);
      if (arithmetic) addDifference({weights, compute, kv, tr("f32, these weights")}, *arithmetic);
    }
    results().remarks.push_back(
        tr("Compared with the model: what rounding the weights costs, both in float32 arithmetic. Compared "
           "with f32, these weights: what the arithmetic and the KV cache add. Logits: as they are, without "
           "a unit."));
  }

  void addDifference(const std::vector<String>& words, const BenchFields& compared) {
    std::vector<BenchCell>& row = results().tables[1].rows.emplace_back();
    for (const String& word : words) row.push_back(wordsCell(word));
    for (const char* key : {"largest_logit_difference", "mean_logit_difference"})
      row.push_back(cellOf(compared.measured(key), numberCell));
    for (const auto cell : {divergenceCell, choiceCell, perplexityCell, changeCell})
      row.push_back(cell(compared));
  }

  void addCharts() {
    const String title = tr("Quantization of %1", results().model);
    const bool hasSpeed = have("tokens_per_second");
    const String at = have("compute") ? tr("weights, arithmetic") : tr("weights, KV");
    const auto add = [&](const String& figure, const String& unit) {
      addChart({figure, title, at, unit, {}, {{figure, {}}}});
    };
    if (hasSpeed) add(tr("tokens/s"), tr("tokens a second"));
    add(tr("divergence"), tr("nats a token"));
    add(tr("weights"), tr("MiB"));
    add(tr("KV cache"), tr("bytes a token"));
    for (const BenchFields& variant : m_variants) {
      ChartValues values;
      if (hasSpeed) values.push_back({variant.summary("tokens_per_second")});
      values.push_back({single(variant.measured("divergence"))});
      values.push_back({single(variant.number("weight_bytes") / (1 << 20))});
      values.push_back({single(variant.number("kv_bytes_per_token"))});
      addPlace(placeOf(variant), values);
    }
  }

  // KV as it is stands for itself; older results have no arithmetic.
  String placeOf(const BenchFields& variant) const {
    const String weights = variant.text("weights"), kv = variant.text("kv");
    if (!variant.has("compute")) return weights + ", " + kv;
    return weights + ", " + variant.text("compute") + (kv == "same" ? String() : ", " + tr("KV %1", kv));
  }

  const std::vector<BenchFields> m_variants;
};

}  // namespace

void describeQuantization(const BenchSource& source) { QuantizationResult(source).describe(); }

}  // namespace vitrine

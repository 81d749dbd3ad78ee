// The decoder against Hugging Face transformers: every model under tests/golden/models, in both spellings of
// its config. What is in a golden and how it was made: tests/golden/README.md.
#include <cmath>
#include <filesystem>
#include <set>

#include "models/checkpoint.h"
#include "models/decoder_harness.h"
#include "models/json_file.h"
#include "models/model_config.h"
#include "support/golden.h"
#include "support/naive_model.h"
#include "vitrine/files.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

const fs::path kModels = fs::path(VITRINE_SOURCE_DIR) / "tests/golden/models";

// What make_goldens.py makes; a test that finds fewer must not pass.
const std::set<std::string> kExpected = {"llama",
                                         "llama-attention-bias",
                                         "llama-bf16-sharded",
                                         "llama-f16",
                                         "llama-linear",
                                         "llama-tied",
                                         "llama-yarn",
                                         "llama-yarn-mscale",
                                         "llama-yarn-tuned",
                                         "llama3-rope",
                                         "mistral",
                                         "qwen2",
                                         "qwen2-sliding",
                                         "qwen3"};

struct Case {
  ModelConfig config;
  std::unique_ptr<WeightSource> weights;
  Golden golden;
  std::vector<std::int32_t> prompt, greedy;
};

std::vector<std::int32_t> tokensOf(const Golden& golden, const char* name) {
  const auto& values = golden.integers(name).values;
  return {values.begin(), values.end()};
}

Case load(const QString& name, const QString& configFile) {
  const fs::path directory = kModels / name.toStdString();
  const fs::path config = directory / configFile.toStdString();
  Case loaded{parseModelConfig(readWholeFile(config, 1 << 20), config.string()),
              openCheckpoint(directory),
              Golden::load(directory / "expected.safetensors"),
              {},
              {}};
  loaded.prompt = tokensOf(loaded.golden, "input_ids");
  loaded.greedy = tokensOf(loaded.golden, "greedy");
  return loaded;
}

// The largest |got - wanted| over a [rows, columns] golden.
double difference(const std::vector<float>& got, const GoldenTensor<float>& wanted) {
  if (got.size() != wanted.values.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double here = std::abs(double{got[i]} - wanted.values[i]);
    if (std::isnan(here)) return INFINITY;
    largest = std::max(largest, here);
  }
  return largest;
}

template <typename Row>
std::vector<float> flat(const std::vector<Row>& rows) {
  std::vector<float> all;
  for (const Row& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace

class TestGoldenModels : public QObject {
  Q_OBJECT

 private:
  void addModels() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("configFile");
    std::set<std::string> names = kExpected;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(kModels, missing))
      names.insert(entry.path().filename().string());
    for (const std::string& name : names)
      for (const char* file : {"config.json", "config_old.json"})
        QTest::addRow("%s %s", name.c_str(), file) << QString::fromStdString(name) << QString(file);
  }

 private slots:
  void everyGoldenIsThere() {
    for (const std::string& name : kExpected)
      QVERIFY2(fs::exists(kModels / name / "expected.safetensors"), name.c_str());
  }

  void logitsAndHiddenStates_data() { addModels(); }
  void logitsAndHiddenStates() {
    QFETCH(QString, name);
    QFETCH(QString, configFile);
    const Case c = load(name, configFile);
    QVERIFY(c.golden.tolerance() <= 1e-4);
    DecoderHarness harness(c.config, *c.weights);
    std::vector<std::vector<float>> hidden;
    const auto logits = harness.whole(
        c.prompt, {.hidden = [&](int, const TensorView& view) { hidden.push_back(harness.download(view)); }});
    const double logitsOff = difference(flat(logits), c.golden.floats("logits"));
    QCOMPARE(static_cast<int>(hidden.size()), c.config.layers + 1);
    double hiddenOff = 0;
    for (std::size_t layer = 0; layer < hidden.size(); ++layer)
      hiddenOff =
          std::max(hiddenOff, difference(hidden[layer], c.golden.floats("hidden." + std::to_string(layer))));
    qInfo("logits %.1e, hidden states %.1e away", logitsOff, hiddenOff);
    QVERIFY(logitsOff <= c.golden.tolerance());
    QVERIFY(hiddenOff <= c.golden.tolerance());
  }

  void chunkedLogits_data() { addModels(); }
  void chunkedLogits() {
    QFETCH(QString, name);
    QFETCH(QString, configFile);
    const Case c = load(name, configFile);
    DecoderHarness harness(c.config, *c.weights);
    std::vector<std::vector<float>> logits;
    for (std::size_t first = 0; first < c.prompt.size(); first += 13) {
      const auto begin = c.prompt.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = static_cast<std::ptrdiff_t>(std::min<std::size_t>(13, c.prompt.size() - first));
      const auto part = harness.forward({{{begin, begin + count}, static_cast<int>(first), {9, 3, 11, 0}}});
      logits.insert(logits.end(), part.begin(), part.end());
    }
    QVERIFY(difference(flat(logits), c.golden.floats("logits")) <= c.golden.tolerance());
  }

  void greedyTokens_data() { addModels(); }
  void greedyTokens() {
    QFETCH(QString, name);
    QFETCH(QString, configFile);
    const Case c = load(name, configFile);
    QCOMPARE(static_cast<int>(c.greedy.size()), 64);
    QCOMPARE(DecoderHarness(c.config, *c.weights).greedy(c.prompt, 64), c.greedy);
  }

  // The oracle the other tests trust is itself held against transformers.
  void plainLoops_data() { addModels(); }
  void plainLoops() {
    QFETCH(QString, name);
    QFETCH(QString, configFile);
    const Case c = load(name, configFile);
    const NaiveResult naive = runNaive(c.config, *c.weights, c.prompt);
    QVERIFY(difference(flat(naive.logits), c.golden.floats("logits")) <= c.golden.tolerance());
    for (std::size_t layer = 0; layer < naive.hidden.size(); ++layer)
      QVERIFY(difference(flat(naive.hidden[layer]), c.golden.floats("hidden." + std::to_string(layer))) <=
              c.golden.tolerance());
  }

  void generationConfigIsRead() {
    QCOMPARE(loadModelConfig(kModels / "llama").eosTokens, std::vector<std::int32_t>{2});
  }
};

QTEST_APPLESS_MAIN(TestGoldenModels)
#include "tst_golden_models.moc"

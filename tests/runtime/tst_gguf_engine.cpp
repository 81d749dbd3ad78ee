// Engines over GGUF files: what they say of themselves, the goldens' logits, and the law over packed types: a
// request alone, in company and in a pool that is too small gives the same tokens and log-probabilities.
#include <cmath>
#include <filesystem>

#include "support/event_log.h"
#include "support/golden_engine.h"
#include "support/refusal.h"
#include "vitrine/files.h"
// after the engine's headers: Qt makes a macro of `slots`
#include <QTemporaryDir>
#include <QTest>

using namespace vitrine;
using namespace vitrine::test;
namespace fs = std::filesystem;

namespace {

const fs::path kGoldens = fs::path(VITRINE_SOURCE_DIR) / "tests/golden/gguf";

std::vector<Request> requests(int vocabulary) {
  std::vector<Request> all;
  for (int i = 0; i < 6; ++i) {
    Request request;
    for (int k = 0; k < 9 + 4 * i; ++k)
      request.tokenIds.push_back((k < 6 ? k + 3 : 31 * i + 7 * k) % vocabulary);
    request.maxTokens = 8 + i;
    request.ignoreEos = true;
    request.logprobs = 2;
    if (i % 2 == 1) {
      request.sampling.temperature = 0.9;
      request.sampling.seed = static_cast<std::uint64_t>(i);
      request.sequences = 2;
    }
    all.push_back(std::move(request));
  }
  return all;
}

using Answers = std::vector<std::pair<std::vector<TokenId>, std::vector<double>>>;

Answers answersOf(Engine& engine, RequestId id) {
  Answers answers;
  for (const SequenceResult& sequence : engine.takeResult(id).sequences) {
    std::vector<double> logprobs;
    for (const TokenLogprob& token : sequence.logprobs) logprobs.push_back(token.logprob);
    answers.emplace_back(sequence.tokenIds, std::move(logprobs));
  }
  return answers;
}

std::unique_ptr<Engine> load(const fs::path& file, EventSink& sink, const EngineOptions& changed = {}) {
  EngineOptions options = changed;
  options.threads = 2;
  return Engine::load(file, options, sink);
}

}  // namespace

class TestGgufEngine : public QObject {
  Q_OBJECT

  void addFiles() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("type");
    for (const auto& [name, type] :
         {std::pair("llama3-rope", "Q8_0"), std::pair("qwen2", "Q4_0"), std::pair("qwen3", "Q5_0"),
          std::pair("mistral", "Q4_1"), std::pair("llama-yarn", "Q5_1")})
      QTest::addRow("%s %s", name, type) << QString(name) << QString(type);
  }

 private slots:
  void logitsAndDescription_data() { addFiles(); }
  void logitsAndDescription() {
    QFETCH(QString, name);
    QFETCH(QString, type);
    EventLog log;
    EngineOptions options;
    options.compute = Compute::kF32;  // the goldens' arithmetic
    const auto engine = load(kGoldens / (name + ".gguf").toStdString(), log, options);
    QCOMPARE(QString::fromStdString(engine->description().model.weightType), type);
    QCOMPARE(QString::fromStdString(engine->description().model.name), name);
    QVERIFY(engine->tokenizer() == nullptr);
    const Golden golden = Golden::load(kGoldens / (name + ".safetensors").toStdString());
    const auto report = engine->examine(tokensOf(golden, "input_ids"), false);
    std::vector<float> logits;
    for (const auto& row : report.logits) logits.insert(logits.end(), row.begin(), row.end());
    QVERIFY(worstDifference(logits, golden.floats("logits").values) <= golden.tolerance());
  }

  // In int8, which is the default for blocks, the logits are not the goldens', and are near them.
  void logitsInInt8_data() { addFiles(); }
  void logitsInInt8() {
    QFETCH(QString, name);
    EventLog log;
    const auto engine = load(kGoldens / (name + ".gguf").toStdString(), log);
    QVERIFY(engine->description().options.compute == Compute::kInt8);
    const Golden golden = Golden::load(kGoldens / (name + ".safetensors").toStdString());
    const auto report = engine->examine(tokensOf(golden, "input_ids"), false);
    const auto& wanted = golden.floats("logits").values;
    double off = 0, all = 0;
    std::size_t at = 0;
    for (const auto& row : report.logits)
      for (const float logit : row) {
        off += std::pow(double{logit} - double{wanted[at]}, 2);
        all += std::pow(double{wanted[at]}, 2);
        ++at;
      }
    const double share = std::sqrt(off / all);
    QVERIFY2(at == wanted.size() && share > 1e-5 && share < 0.06, qPrintable(QString::number(share)));
  }

  void theLaw_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("compute");
    for (const char* name : {"llama3-rope", "qwen2", "qwen3", "mistral", "llama-yarn"})
      for (const Compute compute : {Compute::kF32, Compute::kInt8})
        QTest::addRow("%s %s", name, nameOf(compute)) << QString(name) << static_cast<int>(compute);
  }
  void theLaw() {
    QFETCH(QString, name);
    QFETCH(int, compute);
    const fs::path file = kGoldens / (name + ".gguf").toStdString();
    EventLog log;
    EngineOptions plain;
    plain.compute = static_cast<Compute>(compute);
    const auto alone = load(file, log, plain);
    const auto all = requests(alone->description().model.vocabularySize);
    std::vector<Answers> wanted;
    for (const Request& request : all) {
      const RequestId id = alone->submit(request);
      alone->run();
      wanted.push_back(answersOf(*alone, id));
    }
    EngineOptions tight = plain;
    tight.blockSize = 4;
    tight.numBlocks = 26;
    tight.maxSequences = 6;
    tight.tokenBudget = 11;
    log.clear();
    const auto together = load(file, log, tight);
    std::vector<RequestId> ids;
    for (const Request& request : all) ids.push_back(together->submit(request));
    together->run();
    for (std::size_t i = 0; i < ids.size(); ++i) QVERIFY(answersOf(*together, ids[i]) == wanted[i]);
    QVERIFY(!log.of<SequencePreempted>().empty());  // the pool was too small
  }

  // A file that is cut between its header and its weights, as when it is still being downloaded.
  void aFileCutWhileItIsLoaded() {
    QTemporaryDir scratch;
    const fs::path copy = fs::path(scratch.path().toStdString()) / "cut.gguf";
    fs::copy(kGoldens / "qwen3.gguf", copy);
    EventLog log;
    bool cut = false;
    const std::string refused = refusal([&] {
      Engine::load(copy, {}, log, [&](double, const char* what) {
        if (std::string(what) == "weights" && !cut) fs::resize_file(copy, 40000);
        cut = cut || std::string(what) == "weights";
        return true;
      });
    });
    QVERIFY(cut);
    QVERIFY2(refused.starts_with("file_corrupt: "), refused.c_str());
  }

  // What was loaded no longer needs the file.
  void aFileCutAfterwards() {
    QTemporaryDir scratch;
    const fs::path copy = fs::path(scratch.path().toStdString()) / "gone.gguf";
    fs::copy(kGoldens / "llama3-rope.gguf", copy);
    EventLog log;
    const auto engine = load(copy, log);
    const auto before = engine->examine(std::vector<TokenId>{1, 2, 3}, false).logits;
    fs::resize_file(copy, 1);
    QCOMPARE(engine->examine(std::vector<TokenId>{1, 2, 3}, false).logits, before);
  }

  void quantizedOtherwiseOnDemand() {
    EventLog log;
    EngineOptions options;
    options.quantization = Quantization::kInt8;
    const auto engine = load(kGoldens / "qwen2.gguf", log, options);
    QCOMPARE(engine->description().model.weightType, std::string("int8"));
  }
};

QTEST_APPLESS_MAIN(TestGgufEngine)
#include "tst_gguf_engine.moc"

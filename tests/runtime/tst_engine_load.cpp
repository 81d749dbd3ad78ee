// From a directory to an engine: what it says of itself, progress, cancelling, and what is missing.
#include "models/random_weights.h"
#include "support/event_log.h"
#include "support/refusal.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

ErrorCode codeOfLoad(const std::filesystem::path& directory, const EngineOptions& options,
                     const Engine::Progress& progress = {}) {
  EventLog log;
  try {
    Engine::load(directory, options, log, progress);
  } catch (const EngineError& error) {
    return log.events.empty() ? error.code() : ErrorCode::kIo;  // nothing may be published then
  }
  return ErrorCode::kIo;  // no test expects this one
}

}  // namespace

class TestEngineLoad : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(m_directory.isValid());
    m_model = std::filesystem::path(m_directory.path().toStdString()) / "tiny-model";
    writeRandomModel(tinyConfig(), m_model, 5);
  }

  void aDirectoryBecomesTheEngineOfItsWeights() {
    EventLog log;
    const auto engine = Engine::load(m_model, tinyOptions(), log);
    const auto loaded = log.of<EngineLoaded>().at(0);
    QCOMPARE(loaded.model.name, std::string("tiny-model"));
    QCOMPARE(loaded.model.family, std::string("llama"));
    QCOMPARE(loaded.model.vocabularySize, 61);
    QCOMPARE(loaded.model.chatFormat, std::string("plain"));
    QCOMPARE(loaded.options.numBlocks, 32);
    QCOMPARE(loaded.bytesPerBlock, std::int64_t{2 * 2 * 4 * 2 * 8 * 4});
    QCOMPARE(loaded.threads, 1);
    QVERIFY(loaded.loadMs > 0 && loaded.model.weightBytes > 0);
    QVERIFY(loaded.model.parameters > 1000);
    QCOMPARE(engine->description().options.numBlocks, 32);
    QVERIFY(engine->tokenizer() == nullptr);
    const RequestId id = engine->submit(tinyRequest({1, 2, 3}, 4));
    engine->run();
    QCOMPARE(engine->takeResult(id).sequences[0].tokenIds.size(), std::size_t{4});
  }

  // Float32 arithmetic over rounded weights: those of float32's groups are what load() multiplies there, to
  // the bit. Those of int8's are others here, the model's rows being wider than a group of 32, and products
  // in int8 are as far from their logits as 8 bits of activations make them.
  void roundedWeightsInFloat32() {
    ModelConfig wide = tinyConfig();
    wide.hiddenSize = 160;
    const auto model = std::filesystem::path(m_directory.path().toStdString()) / "wide-model";
    writeRandomModel(wide, model, 6);
    const Tokens tokens = {3, 9, 27, 20, 60, 1};
    EventLog log;
    EngineOptions options = tinyOptions();
    const auto logits = [&](const std::unique_ptr<Engine>& engine) {
      return engine->examine(tokens, false).logits;
    };
    const auto meanOff = [](const auto& left, const auto& right) {
      double sum = 0, count = 0;
      for (std::size_t row = 0; row < left.size(); ++row)
        for (std::size_t i = 0; i < left[row].size(); ++i, ++count)
          sum += std::abs(double{left[row][i]} - double{right[row][i]});
      return sum / count;
    };
    const auto stored = logits(Engine::load(model, options, log));
    for (const Quantization quantization : {Quantization::kInt8, Quantization::kInt4}) {
      options.quantization = quantization;
      options.compute = Compute::kF32;
      const auto inFloats = logits(Engine::load(model, options, log));
      QCOMPARE(logits(Engine::loadRounded(model, options, log)), inFloats);
      options.compute = Compute::kInt8;
      const auto rounded = Engine::loadRounded(model, options, log);
      QVERIFY(rounded->description().options.compute == Compute::kF32);
      const auto wider = logits(rounded), inInt8 = logits(Engine::load(model, options, log));
      QVERIFY(meanOff(wider, inFloats) > 0 && meanOff(wider, stored) > 0);
      const double added = meanOff(inInt8, wider);
      QVERIFY(added > 0 && added < meanOff(inInt8, inFloats));
    }
    options.quantization = Quantization::kNone;
    QCOMPARE(logits(Engine::loadRounded(model, options, log)), stored);
    options.device = Device::kCuda;
    VERIFY_REFUSED(Engine::loadRounded(model, options, log), "unsupported", "own CPU kernels");
  }

  void progressRisesAndEachOfItsCallsMayCancel() {
    std::vector<double> fractions;
    EventLog log;
    Engine::load(m_model, tinyOptions(), log, [&](double fraction, const char*) {
      fractions.push_back(fraction);
      return true;
    });
    QVERIFY(fractions.size() > 4);
    QVERIFY(std::ranges::is_sorted(fractions));
    QCOMPARE(fractions.front(), 0.0);
    QCOMPARE(fractions.back(), 1.0);
    for (std::size_t stop = 0; stop + 1 < fractions.size(); ++stop) {  // the last one comes too late
      std::size_t calls = 0;
      const auto cancel = [&](double, const char*) { return calls++ != stop; };
      QVERIFY(codeOfLoad(m_model, tinyOptions(), cancel) == ErrorCode::kCancelled);
    }
  }

  void whatIsMissingIsNamed() {
    QVERIFY(codeOfLoad(m_model / "nowhere", tinyOptions()) == ErrorCode::kFileNotFound);
    EngineOptions cuda = tinyOptions();
    cuda.device = Device::kCuda;
    QVERIFY(codeOfLoad(m_model, cuda) == ErrorCode::kUnavailable);
    EngineOptions bad = tinyOptions();
    bad.threads = -1;
    QVERIFY(codeOfLoad(m_model, bad) == ErrorCode::kInvalidArgument);
    EngineOptions small = tinyOptions(0);
    small.kvMemoryBytes = 1;
    QVERIFY(codeOfLoad(m_model, small) == ErrorCode::kInvalidArgument);
  }

  void weightsAreKeptAsAsked() {
    EngineOptions options = tinyOptions();
    options.compute = Compute::kF32;  // a group of products in int8 is wider than the model
    for (const DType stored : {DType::kF32, DType::kBf16, DType::kF16})
      QVERIFY(storageFor(options, stored).table == stored &&
              storageFor(options, stored).head() == formatOf(stored));
    EventLog log;
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
    std::vector<std::vector<float>> before;
    const auto load = [&](const char* name) {
      const auto engine = Engine::load(m_model, options, log);
      QCOMPARE(engine->description().model.weightType, std::string(name));
      const auto logits = engine->examine(Tokens{1, 2}, false).logits;
      QVERIFY(logits != before);
      before = logits;
      const std::int64_t now = engine->description().model.weightBytes;
      QVERIFY2(now <= bytes, name);
      bytes = now;
    };
    load("f32");
    options.weightType = WeightType::kF16;
    load("f16");
    options.weightType = WeightType::kBf16;
    load("bf16");
    QVERIFY(storageFor(options, DType::kF32).table == DType::kBf16);
    options.quantization = Quantization::kInt8;
    load("int8");
    options.quantization = Quantization::kInt4;
    load("int4");
    QVERIFY(storageFor(options, DType::kF32).head() == WeightFormat::kInt8);
  }

  void theArithmeticOfProductsIsChosen_data() {
    QTest::addColumn<int>("weights");
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("asked");
    QTest::addColumn<int>("chosen");
    const auto row = [](const char* name, Quantization weights, int backend, Compute asked, Compute chosen) {
      QTest::newRow(name) << static_cast<int>(weights) << backend << static_cast<int>(asked)
                          << static_cast<int>(chosen);
    };
    using enum Compute;
    row("int8 weights", Quantization::kInt8, 0, kAuto, kInt8);
    row("int4 weights", Quantization::kInt4, 0, kAuto, kInt8);
    row("float weights", Quantization::kNone, 0, kAuto, kF32);
    row("int8 weights, libtorch", Quantization::kInt8, 1, kAuto, kF32);
    row("int8 weights, GPU", Quantization::kInt8, 2, kAuto, kF32);
    row("int8 weights, asked for float32", Quantization::kInt8, 0, kF32, kF32);
    row("int8 weights, asked for int8", Quantization::kInt8, 0, kInt8, kInt8);
    row("float weights, asked for int8", Quantization::kNone, 0, kInt8, kF32);
    row("int8 weights, GPU, asked for int8", Quantization::kInt8, 2, kInt8, kF32);
    row("int8 weights, asked for bf16", Quantization::kInt8, 0, kBf16, kF32);
  }
  void theArithmeticOfProductsIsChosen() {
    QFETCH(int, weights);
    QFETCH(int, backend);
    QFETCH(int, asked);
    EngineOptions options;
    options.quantization = static_cast<Quantization>(weights);
    if (backend == 1) options.kernels = Kernels::kReference;
    if (backend == 2) options.device = Device::kCuda;
    options.compute = static_cast<Compute>(asked);
    options.validate();
    for (const DType stored : {DType::kF32, DType::kBf16, DType::kF16})
      QTEST(static_cast<int>(computeFor(options, storageFor(options, stored))), "chosen");
  }

  // A GGUF file, by what most of it is in.
  void blocksAreMultipliedInInt8() {
    EngineOptions options;
    ModelConfig config;
    const auto chosen = [&] { return computeFor(options, storageFor(options, config)); };
    QVERIFY(chosen() == Compute::kF32);
    config.packedType = "Q4_K";
    QVERIFY(chosen() == Compute::kInt8);
    config.packedType = "F16";
    QVERIFY(chosen() == Compute::kF32);
    config.packedType = "BF16";
    config.storedType = DType::kBf16;
    options.compute = Compute::kBf16;
    QVERIFY(chosen() == Compute::kBf16);
    config.packedType = "Q4_K";
    options.compute = Compute::kAuto;
    options.weightType = WeightType::kF32;  // floats beside the blocks become so, and the blocks stay
    QVERIFY(chosen() == Compute::kInt8);
    options.compute = Compute::kF32;
    QVERIFY(chosen() == Compute::kF32);
  }

  void bf16WeightsAreMultipliedInBf16WhereAskedFor() {
    EngineOptions options;
    options.compute = Compute::kBf16;
    QVERIFY(computeFor(options, storageFor(options, DType::kBf16)) == Compute::kBf16);
    QVERIFY(computeFor(options, storageFor(options, DType::kF32)) == Compute::kF32);
    QVERIFY(computeFor(options, storageFor(options, DType::kF16)) == Compute::kF32);
    options.weightType = WeightType::kBf16;
    QVERIFY(computeFor(options, storageFor(options, DType::kF32)) == Compute::kBf16);
    options.kernels = Kernels::kReference;
    QVERIFY(computeFor(options, storageFor(options, DType::kBf16)) == Compute::kF32);
  }

  void whatIsChosenIsSaidAndComputed() {
    QVERIFY(EngineOptions().compute == Compute::kAuto);
    EventLog log;
    const auto load = [&](Compute asked) {
      EngineOptions options = tinyOptions();
      options.quantization = Quantization::kInt8;
      options.compute = asked;
      return Engine::load(m_model, options, log);
    };
    const auto chosen = load(Compute::kAuto), floats = load(Compute::kF32), bytes = load(Compute::kInt8);
    for (const auto& engine : {std::cref(chosen), std::cref(bytes)}) {
      QVERIFY(engine.get()->options().compute == Compute::kInt8);
      QVERIFY(engine.get()->description().options.compute == Compute::kInt8);
    }
    QVERIFY(floats->description().options.compute == Compute::kF32);
    const auto logits = [](Engine& engine) { return engine.examine(Tokens{1, 2, 3}, false).logits; };
    QVERIFY(logits(*chosen) == logits(*bytes));
    QVERIFY(logits(*chosen) != logits(*floats));
    EngineOptions later = tinyOptions();  // what was not chosen stays what the engine has chosen
    later.quantization = Quantization::kInt8;
    later.tokenBudget = 8;
    chosen->setOptions(later);
    QVERIFY(chosen->options().compute == Compute::kInt8);
    later.compute = Compute::kF32;
    QVERIFY_EXCEPTION_THROWN(chosen->setOptions(later), EngineError);
  }

  void everyLoadIsARunOfItsOwn() {
    EventLog log;
    Engine::load(m_model, tinyOptions(), log);
    Engine::load(m_model, tinyOptions(), log);
    QVERIFY(log.events[0].run != log.events[1].run);
    QCOMPARE(log.events[1].number, std::int64_t{0});
  }

  // From a build tree its directory is the source's; its text and its events' text must agree.
  void theBuiltInModelAnswersInWords() {
    const std::filesystem::path directory = builtinModelDirectory();
    QVERIFY(std::filesystem::exists(directory / "config.json"));
    EventLog log;
    const auto engine = Engine::load(directory, {}, log);
    Request request;
    request.prompt = engine->chatFormat().render({{{ChatRole::kUser, "Hello!"}}}).text;
    request.addSpecialTokens = engine->chatFormat().addsSpecialTokens();
    request.stop = engine->chatFormat().stopStrings(*engine->tokenizer());
    request.maxTokens = 24;
    const RequestId id = engine->submit(request);
    engine->run();
    const RequestResult result = engine->takeResult(id);
    QVERIFY(!result.sequences[0].text.empty());
    std::string published;
    for (const auto& sampled : log.of<TokenSampled>()) published += sampled.text;
    QCOMPARE(published, result.sequences[0].text);
    QCOMPARE(log.of<RequestSubmitted>()[0].pieces.size(), static_cast<std::size_t>(result.promptTokens));
  }

 private:
  QTemporaryDir m_directory;
  std::filesystem::path m_model;
};

QTEST_APPLESS_MAIN(TestEngineLoad)
#include "tst_engine_load.moc"

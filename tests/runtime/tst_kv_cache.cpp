// What becomes of keys and values: stored as bfloat16, the bits of float32 over rounded ones; stored as int8,
// how far the logits move; how much more fits; not kept at all, the same tokens at the price of computing
// everything for each. That both types keep the law, tst_law shows.
#include "formats/small_floats.h"
#include "support/event_log.h"
#include "support/forwarding_backend.h"
#include "support/golden.h"
#include "support/replaying_sink.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>
#include <filesystem>

using namespace vitrine;
using vitrine::test::Golden;

namespace {

const std::filesystem::path kGoldens = VITRINE_SOURCE_DIR "/tests/golden/models";

// How far the logits of a row may move, in standard deviations of the row: any one, and all as a root mean
// square. The goldens are small random models whose heads of 8 to 16 numbers have little to average a
// rounding out over.
constexpr double kLogitBound = 0.25, kRmsBound = 0.08;
// The most the perplexity of the built-in model may move, as a fraction.
constexpr double kPerplexityBound = 0.005;

// A float32 cache that is handed numbers already rounded to bfloat16.
class RoundingBackend final : public test::ForwardingBackend {
 public:
  using ForwardingBackend::ForwardingBackend;
  void storeKv(const TensorView& k, const TensorView& v, KvCache& cache, int layer) override {
    Tensor keys = rounded(k), values = rounded(v);
    ForwardingBackend::storeKv(keys.view(), values.view(), cache, layer);
  }

 private:
  Tensor rounded(const TensorView& heads) {
    Tensor copy = allocate(DType::kF32, {heads.extent(0), heads.extent(1), heads.extent(2)});
    float* to = copy.view().f32();
    for (std::int64_t t = 0; t < heads.extent(0); ++t)
      for (std::int64_t head = 0; head < heads.extent(1); ++head)
        for (std::int64_t i = 0; i < heads.extent(2); ++i)
          *to++ = bf16ToFloat(
              floatToBf16(heads.f32()[t * heads.stride(0) + head * heads.stride(1) + i * heads.stride(2)]));
    return copy;
  }
};

ForwardReport examine(const std::filesystem::path& model, const std::vector<TokenId>& tokens, KvType type) {
  EngineOptions options;
  options.threads = 1;
  options.numBlocks = 8;
  options.kvType = type;
  EventLog log;
  return Engine::load(model, options, log)->examine(tokens, false);
}

// The moves of a row of logits, in standard deviations of the row.
struct Move {
  double largest, rms;
};
Move moveOf(const std::vector<float>& row, const std::vector<float>& moved) {
  double mean = 0, square = 0, largest = 0, moves = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    mean += double{row[i]};
    square += double{row[i]} * double{row[i]};
    const double move = std::abs(double{row[i]} - double{moved[i]});
    largest = move <= largest ? largest : move;  // NaN counts as largest
    moves += move * move;
  }
  const double n = static_cast<double>(row.size());
  const double deviation = std::sqrt(square / n - mean / n * (mean / n));
  return {largest / deviation, std::sqrt(moves / n) / deviation};
}

double perplexity(const std::vector<std::vector<float>>& logits, const std::vector<TokenId>& tokens) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const float largest = *std::ranges::max_element(logits[i]);
    double all = 0;
    for (float logit : logits[i]) all += std::exp(double{logit} - double{largest});
    sum += std::log(all) + double{largest} - double{logits[i][static_cast<std::size_t>(tokens[i + 1])]};
  }
  return std::exp(sum / static_cast<double>(tokens.size() - 1));
}

}  // namespace

class TestKvCache : public QObject {
  Q_OBJECT

 private slots:
  // In every way to attend: windows, queries turned for blocks that moved up, scores of heavy hitters.
  void bf16IsFloat32OverRoundedKeysAndValues_data() {
    QTest::addColumn<EngineOptions>("options");
    QTest::addColumn<int>("slidingWindow");
    EngineOptions options = tinyOptions();
    for (const char* kernel : {"bf16", "flash", "reference"}) {
      options.attention = kernel;
      QTest::addRow("%s", kernel) << options << 0;
      QTest::addRow("%s in a window", kernel) << options << 6;
      EngineOptions sinks = options;
      sinks.eviction = Eviction::kSinks;
      sinks.sinkTokens = 4;
      sinks.windowTokens = 8;
      QTest::addRow("%s with sinks", kernel) << sinks << 0;
    }
    options.eviction = Eviction::kHeavyHitters;
    options.sinkTokens = 4;
    options.heavyTokens = 4;
    options.windowTokens = 8;
    QTest::newRow("heavy hitters") << options << 0;
  }
  void bf16IsFloat32OverRoundedKeysAndValues() {
    QFETCH(EngineOptions, options);
    QFETCH(int, slidingWindow);
    const TinyModel model(tinyConfig(96, slidingWindow));
    const auto answer = [&](EngineParts parts, KvType type) {
      options.kvType = type;
      EventLog log;
      const auto engine = assembleEngine(std::move(parts), options, log);
      Request request = tinyRequest(tinyPrompt(21), 40);
      request.sampling.temperature = 1;
      const RequestId id = engine->submit(request);
      engine->run();
      return engine->takeResult(id).sequences[0];
    };
    const auto cpu = [&] { return makeCpuBackend(1, options.attention); };
    const SequenceResult stored = answer(model.parts(cpu()), KvType::kBf16),
                         floats =
                             answer(model.parts(std::make_unique<RoundingBackend>(cpu())), KvType::kSame),
                         plain = answer(model.parts(cpu()), KvType::kSame);
    QCOMPARE(stored.tokenIds, floats.tokenIds);
    QVERIFY(stored.cumulativeLogprob == floats.cumulativeLogprob);
    // It was bfloat16, which is all the same to a kernel that rounds anyway.
    QCOMPARE(stored.cumulativeLogprob == plain.cumulativeLogprob, options.attention == "bf16");
  }

  void int8MovesTheLogitsOfNoGoldenModelFar() {
    int models = 0;
    double worst = 0, worstRms = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kGoldens)) {
      const Golden golden = Golden::load(entry.path() / "expected.safetensors");
      const auto& ids = golden.integers("input_ids").values;
      const std::vector<TokenId> tokens(ids.begin(), ids.end());
      const auto plain = examine(entry.path(), tokens, KvType::kSame).logits;
      const auto rounded = examine(entry.path(), tokens, KvType::kInt8).logits;
      bool moved = false;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const Move move = moveOf(plain[i], rounded[i]);
        worst = std::max(worst, move.largest);
        worstRms = std::max(worstRms, move.rms);
        moved = moved || move.largest > 0;
        QVERIFY2(move.largest <= kLogitBound && move.rms <= kRmsBound,
                 qPrintable(QString("%1, position %2: %3 standard deviations, %4 in the mean")
                                .arg(entry.path().filename().c_str())
                                .arg(i)
                                .arg(move.largest)
                                .arg(move.rms)));
      }
      QVERIFY(moved);  // it was int8
      ++models;
    }
    QVERIFY(models >= 14);
    qInfo("%d models: %.4f standard deviations at most, root mean square %.4f", models, worst, worstRms);
  }

  void int8MovesThePerplexityOfTheBuiltInModelLittle() {
    const std::filesystem::path model = builtinModelDirectory();
    QVERIFY2(!model.empty(), "the built-in model is not where the program looks for it");
    EventLog log;
    const auto engine = Engine::load(model, {}, log);
    // A text as the model writes it itself, drawn at temperature 1: what it knows, whatever it was trained
    // on.
    Request request;
    request.prompt = "Once upon a time";
    request.maxTokens = 300;
    request.ignoreEos = true;
    request.sampling.temperature = 1;
    std::vector<TokenId> tokens = engine->tokenizer()->encode(request.prompt, true);
    const RequestId id = engine->submit(request);
    engine->run();
    const std::vector<TokenId> written = engine->takeResult(id).sequences[0].tokenIds;
    tokens.insert(tokens.end(), written.begin(), written.end());
    const double plain = perplexity(examine(model, tokens, KvType::kSame).logits, tokens);
    const double rounded = perplexity(examine(model, tokens, KvType::kInt8).logits, tokens);
    qInfo("perplexity %.4f with float32, %.4f with int8 keys and values", plain, rounded);
    QVERIFY(plain != rounded && plain > 1.2 && plain < 50);
    QVERIFY(std::abs(rounded / plain - 1) <= kPerplexityBound);
  }

  void narrowTypesFitMoreBlocksIntoTheSameMemory() {
    ModelConfig config = tinyConfig();
    config.headDim = 64;
    config.hiddenSize = config.heads * config.headDim;
    const TinyModel model(config);
    const auto loaded = [&](KvType type) {
      EngineOptions options = tinyOptions();
      options.numBlocks = 0;
      options.kvMemoryBytes = 1 << 20;
      options.kvType = type;
      EventLog log;
      model.engine(options, log);
      return log.of<EngineLoaded>().at(0);
    };
    const EngineLoaded plain = loaded(KvType::kSame), half = loaded(KvType::kBf16),
                       rounded = loaded(KvType::kInt8);
    QVERIFY(plain.options.kvType == KvType::kSame && rounded.options.kvType == KvType::kInt8);
    QCOMPARE(2 * half.bytesPerBlock, plain.bytesPerBlock);
    QCOMPARE(half.options.numBlocks, 2 * plain.options.numBlocks);
    QCOMPARE(plain.bytesPerBlock, std::int64_t{2 * 2 * 4 * 2 * 64 * 4});
    QCOMPARE(rounded.bytesPerBlock, std::int64_t{2 * 2 * 4 * 2 * (64 + 4)});
    QCOMPARE(plain.options.numBlocks, (1 << 20) / 8192);
    QCOMPARE(rounded.options.numBlocks, static_cast<int>((1 << 20) / rounded.bytesPerBlock));
    QVERIFY(rounded.options.numBlocks > 3.7 * plain.options.numBlocks);
  }

  void withoutACacheTheTokensAreTheSameAndAllIsComputedAnew() {
    const TinyModel model;
    EngineOptions options = tinyOptions();
    ReplayingSink plainSink, sink;
    const auto run = [&](EventSink& into) {
      const auto engine = model.engine(options, into);
      Request request = tinyRequest({10, 11, 12, 13, 14}, 6);
      request.sequences = 2;
      request.sampling.temperature = 1;
      const RequestId id = engine->submit(request);
      engine->submit(tinyRequest({10, 11, 12}, 4));
      engine->run();
      return engine->takeResult(id).sequences;
    };
    const auto plain = run(plainSink);
    options.kvCache = false;
    const auto anew = run(sink);
    for (std::size_t i = 0; i < plain.size(); ++i) QCOMPARE(anew[i].tokenIds, plain[i].tokenIds);
    QCOMPARE(sink.error, std::string());
    QVERIFY(sink.count<KvForgotten>() > 10);
    QCOMPARE(sink.count<BlockHit>(), std::int64_t{0});
    QCOMPARE(plainSink.count<KvForgotten>(), std::int64_t{0});
  }

  // Five tokens, then six, seven, eight: each step computes the whole sequence, and holds no block
  // afterwards.
  void withoutACacheEachStepComputesTheWholeSequence() {
    const TinyModel model;
    EngineOptions options = tinyOptions();
    options.kvCache = false;
    EventLog log;
    const auto engine = model.engine(options, log);
    QVERIFY(!log.of<EngineLoaded>().at(0).options.kvCache &&
            !log.of<EngineLoaded>().at(0).options.prefixCache);
    engine->submit(tinyRequest({10, 11, 12, 13, 14}, 4));
    while (engine->hasWork()) {
      engine->step();
      QCOMPARE(engine->snapshot().freeQueue.size(), std::size_t{32});
    }
    std::vector<int> computed;
    for (const SequenceScheduled& e : log.of<SequenceScheduled>()) {
      QCOMPARE(e.firstPosition, 0);
      computed.push_back(e.tokens);
    }
    QCOMPARE(computed, (std::vector<int>{5, 6, 7, 8}));
  }

  void whatCannotGoTogetherIsRefused() {
    EngineOptions options = tinyOptions();
    options.kvCache = false;
    options.speculation.drafter = DraftMethod::kNgram;
    try {
      options.validate();
      QFAIL("accepted");
    } catch (const EngineError& error) {
      QVERIFY(error.code() == ErrorCode::kInvalidArgument && !error.hint().empty());
      QVERIFY(std::string(error.what()).find("--no-kv-cache") != std::string::npos);
    }
  }
};

QTEST_GUILESS_MAIN(TestKvCache)
#include "tst_kv_cache.moc"

// The decoder against plain loops (tests/support/naive_model.h), for every combination of what families
// differ in, and the bitwise half of the house's law: neither chunks, nor neighbours, nor where blocks lie
// reach a logit's bits.
#include <cmath>

#include "core/philox.h"
#include "models/decoder_harness.h"
#include "models/random_weights.h"
#include "support/naive_model.h"
#include "vitrine/error.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

Q_DECLARE_METATYPE(vitrine::ModelConfig)

namespace {

ModelConfig tinyConfig() {
  ModelConfig config;
  config.family = "llama";
  config.layers = 3;
  config.hiddenSize = 40;  // nothing here is a multiple of a kernel's width
  config.intermediateSize = 52;
  config.heads = 4;
  config.kvHeads = 2;
  config.headDim = 10;
  config.vocabularySize = 97;
  config.contextLength = 256;
  config.layerSlides.assign(config.layers, false);
  config.rmsNormEps = 1e-5f;
  config.rope.originalContextLength = config.contextLength;
  return config;
}

std::vector<std::int32_t> randomTokens(int count, int vocabulary, std::uint64_t seed) {
  std::vector<std::int32_t> tokens;
  for (int i = 0; i < count; ++i)
    tokens.push_back(static_cast<std::int32_t>(uniformDraw(seed, 0, i, 0) * vocabulary));
  return tokens;
}

double largestDifference(const std::vector<std::vector<float>>& got, const Matrix& wanted) {
  if (got.size() != wanted.size()) return INFINITY;
  double largest = 0;
  for (std::size_t r = 0; r < got.size(); ++r)
    for (std::size_t c = 0; c < wanted[r].size(); ++c) {
      const double difference = std::abs(got[r][c] - wanted[r][c]);
      if (std::isnan(difference)) return INFINITY;
      largest = std::max(largest, difference);
    }
  return largest;
}

ModelConfig sliding(ModelConfig config, int window, int firstLayer) {
  config.slidingWindow = window;
  for (int layer = firstLayer; layer < config.layers; ++layer) config.layerSlides[layer] = true;
  return config;
}

constexpr double kRounding = 6e-5;  // float32 against double, values up to about ten
const std::vector<std::int32_t> kShuffledBlocks = {13, 2, 40, 7, 63, 0, 21, 5};

}  // namespace

class TestDecoder : public QObject {
  Q_OBJECT

 private slots:
  void agreesWithPlainLoops_data() {
    QTest::addColumn<ModelConfig>("config");
    const char* ropes[] = {"default", "linear", "llama3", "yarn", "yarn-mscale"};
    for (int flags = 0; flags < 32; ++flags) {
      ModelConfig config = tinyConfig();
      config.tiedEmbeddings = flags & 1;
      config.attentionBias = flags & 2;
      config.outputBias = flags & 4;
      config.mlpBias = flags & 8;
      config.qkNorm = flags & 16;
      QTest::addRow("flags %d", flags) << config;
    }
    for (int rope = 1; rope < 5; ++rope) {
      ModelConfig config = tinyConfig();
      config.headDim = 32;
      config.rope = {.factor = 4, .originalContextLength = 24};
      config.rope.kind = rope == 1 ? RopeKind::kLinear : rope == 2 ? RopeKind::kLlama3 : RopeKind::kYarn;
      if (rope == 4) config.rope.mscale = 1, config.rope.mscaleAllDim = 0.5, config.rope.truncate = false;
      QTest::addRow("%s", ropes[rope]) << config;
    }
    QTest::addRow("window everywhere") << sliding(tinyConfig(), 7, 0);
    QTest::addRow("window from layer 1") << sliding(tinyConfig(), 5, 1);
    ModelConfig one = tinyConfig();
    one.kvHeads = 1;
    QTest::addRow("one kv head") << one;
    one.kvHeads = 4;
    QTest::addRow("a kv head each") << one;
    one.headDim = 26;
    QTest::addRow("head_dim apart from hidden/heads") << one;
  }
  void agreesWithPlainLoops() {
    QFETCH(ModelConfig, config);
    const RandomWeights weights(config, 7);
    const auto tokens = randomTokens(37, config.vocabularySize, 3);
    const NaiveResult wanted = runNaive(config, weights, tokens);
    DecoderHarness harness(config, weights);
    std::vector<std::vector<float>> hidden;
    const auto logits = harness.whole(tokens, {.hidden = [&](int layer, const TensorView& view) {
                                        QCOMPARE(layer, static_cast<int>(hidden.size()));
                                        hidden.push_back(harness.download(view));
                                      }});
    QVERIFY2(largestDifference(logits, wanted.logits) < kRounding,
             qPrintable(QString::number(largestDifference(logits, wanted.logits))));
    QCOMPARE(hidden.size(), wanted.hidden.size());
    for (std::size_t layer = 0; layer < hidden.size(); ++layer) {
      std::vector<std::vector<float>> rows;
      for (std::size_t t = 0; t < tokens.size(); ++t)
        rows.emplace_back(hidden[layer].begin() + t * config.hiddenSize,
                          hidden[layer].begin() + (t + 1) * config.hiddenSize);
      QVERIFY2(largestDifference(rows, wanted.hidden[layer]) < kRounding, qPrintable(QString::number(layer)));
    }
  }

  void theOracleSeesEveryFlag() {
    // Were a flag without effect, the test above could not fail on it.
    const ModelConfig plain = tinyConfig();
    const auto tokens = randomTokens(20, plain.vocabularySize, 3);
    const auto logitsOf = [&](const ModelConfig& config) {
      return DecoderHarness(config, RandomWeights(config, 7)).whole(tokens).back();
    };
    const auto base = logitsOf(plain);
    for (int flag = 0; flag < 5; ++flag) {
      ModelConfig config = plain;
      (flag == 0   ? config.tiedEmbeddings
       : flag == 1 ? config.attentionBias
       : flag == 2 ? config.outputBias
       : flag == 3 ? config.mlpBias
                   : config.qkNorm) = true;
      QVERIFY2(logitsOf(config) != base, qPrintable(QString::number(flag)));
    }
    QVERIFY(logitsOf(sliding(plain, 4, 2)) != base);
  }

  void greedyTokensAgreeWithPlainLoops() {
    const ModelConfig config = sliding(tinyConfig(), 9, 1);
    const RandomWeights weights(config, 11);
    const auto prompt = randomTokens(9, config.vocabularySize, 4);
    QCOMPARE(DecoderHarness(config, weights).greedy(prompt, 24), greedyNaive(config, weights, prompt, 24));
  }

  void halfPrecisionWeightsAreWhatTheyRoundTo() {
    for (const DType type : {DType::kBf16, DType::kF16}) {
      const ModelConfig config = tinyConfig();
      const RandomWeights weights(config, 7, type);
      const auto tokens = randomTokens(15, config.vocabularySize, 3);
      const NaiveResult wanted = runNaive(config, weights, tokens);
      const DType kept = type == DType::kBf16 ? DType::kBf16 : DType::kF32;
      QVERIFY(largestDifference(DecoderHarness(config, weights, kept).whole(tokens), wanted.logits) <
              kRounding);
      if (type == DType::kF16)  // rounded once more, so no longer the same
        QVERIFY(largestDifference(DecoderHarness(config, weights, DType::kBf16).whole(tokens),
                                  wanted.logits) > 1e-4);
    }
  }

  void chunksChangeNoBit() {
    const ModelConfig config = sliding(tinyConfig(), 11, 1);
    const RandomWeights weights(config, 5);
    const auto tokens = randomTokens(50, config.vocabularySize, 9);
    const auto whole = DecoderHarness(config, weights).whole(tokens);
    for (const int size : {1, 3, 16, 17, 49}) {
      DecoderHarness harness(config, weights);
      std::vector<std::vector<float>> got;
      for (int first = 0; first < 50; first += size) {
        const int end = std::min(first + size, 50);
        const auto part =
            harness.forward({{{tokens.begin() + first, tokens.begin() + end}, first, ascendingBlocks(4)}});
        got.insert(got.end(), part.begin(), part.end());
      }
      QVERIFY2(got == whole, qPrintable(QString::number(size)));
    }
  }

  void whereBlocksLieChangesNoBit() {
    const ModelConfig config = sliding(tinyConfig(), 20, 2);
    const RandomWeights weights(config, 5);
    const auto tokens = randomTokens(100, config.vocabularySize, 9);
    const auto contiguous = DecoderHarness(config, weights, DType::kF32, 1, 128).whole(tokens);
    for (const int blockSize : {16, 32}) {
      DecoderHarness paged(config, weights, DType::kF32, 64, blockSize);
      QVERIFY(paged.forward({{tokens, 0, kShuffledBlocks}}) == contiguous);
    }
  }

  void neighboursAndThreadsChangeNoBit() {
    const ModelConfig config = tinyConfig();
    const RandomWeights weights(config, 5, DType::kBf16);
    const auto first = randomTokens(33, config.vocabularySize, 1),
               second = randomTokens(21, config.vocabularySize, 2);
    const auto third = randomTokens(1, config.vocabularySize, 3);
    const auto alone = [&](const std::vector<std::int32_t>& tokens) {
      return DecoderHarness(config, weights, DType::kBf16).whole(tokens);
    };
    auto wanted = alone(first);
    for (const auto& part : {alone(second), alone(third)})
      wanted.insert(wanted.end(), part.begin(), part.end());
    for (const int threads : {1, 2, 3}) {
      DecoderHarness together(config, weights, DType::kBf16, 64, 16, threads);
      QVERIFY(together.forward({{first, 0, {9, 8, 7}}, {second, 0, {30, 1}}, {third, 0, {50}}}) == wanted);
    }
  }

  // What an early exit drafts with is what a model of so many layers says; what it goes on to is the whole
  // model.
  void stoppingAtALayerAndGoingOnChangesNoBit() {
    ModelConfig config = sliding(tinyConfig(), 11, 1);
    const RandomWeights weights(config, 5);
    const auto tokens = randomTokens(50, config.vocabularySize, 9);
    const auto whole = DecoderHarness(config, weights).whole(tokens);
    for (int exitLayer = 1; exitLayer < config.layers; ++exitLayer) {
      ModelConfig lower = config;
      lower.layers = exitLayer;
      lower.layerSlides.resize(exitLayer);
      const auto early = DecoderHarness(lower, RandomWeights(lower, 5)).whole(tokens);
      for (const int atATime : {1, 7, 50}) {
        DecoderHarness harness(config, weights);
        const auto parts = harness.inTwoParts(tokens, exitLayer, atATime);
        QVERIFY(parts.early == early);
        QVERIFY(parts.late == whole);
        QVERIFY(parts.early != parts.late);
      }
    }
  }

  void onlyAskedRowsAreAnsweredAndInTheirOrder() {
    const ModelConfig config = tinyConfig();
    const RandomWeights weights(config, 5);
    const auto tokens = randomTokens(12, config.vocabularySize, 1);
    DecoderHarness harness(config, weights);
    const auto all = harness.whole(tokens);
    const Chunk chunk{tokens, 0, ascendingBlocks(1)};
    const auto some = harness.forward({chunk}, std::vector<std::int32_t>{11, 0, 5});
    QVERIFY((some == std::vector<std::vector<float>>{all[11], all[0], all[5]}));
    QVERIFY(harness.forward({chunk}, std::vector<std::int32_t>{}).empty());
  }

  void growingBatchesReuseTheSameAnswers() {
    const ModelConfig config = tinyConfig();
    const RandomWeights weights(config, 5);
    DecoderHarness harness(config, weights);
    const auto tokens = randomTokens(200, config.vocabularySize, 1);
    const auto whole = DecoderHarness(config, weights).whole(tokens);
    for (const int length :
         {1, 7, 200, 3, 64}) {  // scratch and angle table grow, then are larger than needed
      const auto got = harness.whole({tokens.begin(), tokens.begin() + length});
      QVERIFY(std::equal(got.begin(), got.end(), whole.begin()));
    }
  }

  void aSteadyStateAllocatesNothing() {
    const ModelConfig config = tinyConfig();
    DecoderHarness harness(config, RandomWeights(config, 5));
    const auto tokens = randomTokens(40, config.vocabularySize, 1);
    harness.whole(tokens);
    const int before = harness.allocations();
    QVERIFY(before > 0);
    for (const int length : {1, 40, 7, 39}) harness.whole({tokens.begin(), tokens.begin() + length});
    harness.greedy(tokens, 20);
    QCOMPARE(harness.allocations(), before);
    harness.whole(randomTokens(41, config.vocabularySize, 1));
    QVERIFY(harness.allocations() > before);
  }

  void progressRisesAndCancels() {
    const ModelConfig config = tinyConfig();
    const RandomWeights weights(config, 5);
    const auto backend = makeCpuBackend(1);
    double last = -1;
    const Decoder decoder(*backend, config, weights, DType::kF32, [&](double fraction, const char* what) {
      const bool rises = fraction >= last && fraction <= 1 && std::string(what) == "weights";
      last = rises ? fraction : 2;
      return true;
    });
    QCOMPARE(last, 1.0);
    QCOMPARE(decoder.weightBytes() >= config.parameters() * 4, true);
    int calls = 0;
    try {
      const Decoder cancelled(*backend, config, weights, DType::kF32,
                              [&](double, const char*) { return ++calls < 4; });
      QFAIL("not cancelled");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kCancelled);
      QCOMPARE(calls, 4);
    }
  }
};

QTEST_APPLESS_MAIN(TestDecoder)
#include "tst_decoder.moc"

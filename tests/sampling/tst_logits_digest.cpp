// A token drawn from a digest of its row, against the same draw from the whole row: token, log-probability
// and alternatives to the bit, for every option, shape of logits and size of digest.
#include <QTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "sampling/sampler.h"
#include "sampling/softmax.h"
#include "support/digest_of.h"

using namespace vitrine;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Floats = std::vector<float>;

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : m_random(seed) {}
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  double real() { return static_cast<double>(m_random()) / 4294967296.0; }
  double pick(const std::vector<double>& values) { return values[m_random() % values.size()]; }
  float normal() { return m_normal(m_random); }

 private:
  std::mt19937 m_random;
  std::normal_distribution<float> m_normal;
};

// Flat and peaked ones, with ties at the top, of a few values alone, of both zeros, and broken ones.
Floats rowOf(Dice& dice, int size) {
  const auto kind = dice.below(10);
  const auto spread = static_cast<float>(dice.pick({0.01, 0.5, 2, 6}));
  Floats logits(static_cast<std::size_t>(size));
  for (float& logit : logits) {
    logit = dice.normal() * spread;
    if (kind == 1) logit = std::round(logit * 2) / 2;
    if (kind == 2) logit = 3;
    if (kind == 3) logit = dice.below(2) == 0 ? 0.0f : -0.0f;
    if (kind == 4) logit -= 40;
  }
  const auto place = [&]() -> float& { return logits[static_cast<std::size_t>(dice.below(size))]; };
  if (kind == 4 || kind == 5) place() = 20;
  if (kind == 6)
    for (int i = 0; i < 40; ++i) place() = 9;
  if (kind == 7) place() = -kInfinity;
  if (kind == 8) place() = kNan;
  if (kind == 9 && dice.below(2) == 0) place() = kInfinity;
  if (kind == 9) place() = 3e38f, place() = -3e38f;
  return logits;
}

SamplingOptions optionsOf(Dice& dice) {
  SamplingOptions options;
  options.temperature = dice.pick({0, 0.3, 0.7, 1, 1, 1.5, 8, 1e-9, 1e9});
  options.topK = static_cast<int>(dice.pick({0, 0, 0, 1, 5, 20, 50, 400, 5000}));
  options.topP = dice.pick({1, 1, 0.95, 0.5, 0.9999});
  options.minP = dice.pick({0, 0, 0.1, 0.5, 1e-4, 1e-9});
  if (dice.below(8) == 0) options.typicalP = 0.8;
  if (dice.below(8) == 0) options.repetitionPenalty = 1.3;
  if (dice.below(8) == 0) options.frequencyPenalty = 0.5;
  return options;
}

std::vector<std::uint64_t> bitsOf(const std::vector<std::pair<TokenId, double>>& top) {
  std::vector<std::uint64_t> bits;
  for (const auto& [token, logprob] : top) {
    bits.push_back(static_cast<std::uint64_t>(token));
    bits.push_back(std::bit_cast<std::uint64_t>(logprob));
  }
  return bits;
}

}  // namespace

class TestLogitsDigest : public QObject {
  Q_OBJECT

 private slots:
  void aDigestGivesTheTokenOfTheWholeRow() {
    Dice dice(11);
    int draws = 0, fetched = 0;
    for (int trial = 0; trial < 1500; ++trial) {
      const Floats logits = rowOf(dice, static_cast<int>(dice.pick({1, 2, 61, 700, 2048, 5000})));
      const int candidates = static_cast<int>(dice.pick({0, 1, 7, 40, 256, 512}));
      const std::vector<TokenId> prompt = {1, 0, 3}, output = {2, 2};
      for (int draw = 0; draw < 6; ++draw) {
        const SamplingOptions options = optionsOf(dice);
        // Half of the digests were made for other options than those of the draw.
        RowWish wish = dice.below(2) == 0 ? wishOf(options) : RowWish{0.7f, candidates};
        if (wish.isWhole()) wish = {2, candidates};
        if (dice.below(2) == 0) wish.candidates = candidates;
        const LogitsDigest digest = test::digestOf(logits, wish);
        bool fetches = false;
        const LogitsRow row(digest, logits.size(), [&]() -> std::span<const float> {
          fetches = true;
          return logits;
        });
        const DrawKey key{static_cast<std::uint64_t>(trial), 0, static_cast<std::uint32_t>(draw)};
        const SamplerInput whole{logits, {prompt, output}, options}, little{row, {prompt, output}, options};
        const int top = dice.below(30);
        const SampledToken expected = m_whole.sample(whole, key), token = m_little.sample(little, key);
        QCOMPARE(token.token, expected.token);
        QCOMPARE(std::bit_cast<std::uint64_t>(token.logprob), std::bit_cast<std::uint64_t>(expected.logprob));
        QCOMPARE(bitsOf(Sampler::topLogprobs(row, top)), bitsOf(Sampler::topLogprobs(logits, top)));
        ++draws;
        fetched += fetches ? 1 : 0;
        if (options.temperature <= 0) continue;
        for (int i = 0; i < 4; ++i) {
          const auto some = static_cast<TokenId>(dice.below(static_cast<int>(logits.size())));
          QCOMPARE(m_little.probabilityOf(some), m_whole.probabilityOf(some));
        }
        QCOMPARE(m_little.probabilityOf(token.token), m_whole.probabilityOf(token.token));
        // And what is recorded of it, stage by stage.
        const std::vector<SamplingStage> seen = m_little.distribution(little, 100),
                                         stages = m_whole.distribution(whole, 100);
        QCOMPARE(seen.size(), stages.size());
        for (std::size_t i = 0; i < seen.size(); ++i) QVERIFY(isSame(seen[i], stages[i]));
      }
    }
    QVERIFY2(fetched > draws / 10 && fetched < draws * 9 / 10, qPrintable(QString::number(fetched)));
  }

  // What is worth the digest: ordinary requests do not need the row.
  void ordinaryOptionsFetchNothing_data() {
    QTest::addColumn<double>("temperature");
    QTest::addColumn<int>("topK");
    QTest::addColumn<double>("topP");
    QTest::addColumn<double>("minP");
    QTest::addColumn<int>("mostFetches");
    QTest::newRow("greedy") << 0.0 << 0 << 1.0 << 0.0 << 0;
    QTest::newRow("top-k") << 1.0 << 50 << 1.0 << 0.0 << 0;
    QTest::newRow("top-p") << 0.7 << 0 << 0.9 << 0.0 << 5;
    QTest::newRow("min-p") << 1.0 << 0 << 1.0 << 0.05 << 0;
    QTest::newRow("all three") << 0.8 << 20 << 0.95 << 0.05 << 0;
    QTest::newRow("temperature alone") << 0.7 << 0 << 1.0 << 0.0 << 15;  // of 100: the tail of the draw
  }
  void ordinaryOptionsFetchNothing() {
    QFETCH(double, temperature);
    QFETCH(int, topK);
    QFETCH(double, topP);
    QFETCH(double, minP);
    QFETCH(int, mostFetches);
    SamplingOptions options;
    options.temperature = temperature;
    options.topK = topK;
    options.topP = topP;
    options.minP = minP;
    Dice dice(3);
    int fetches = 0;
    for (std::uint32_t trial = 0; trial < 100; ++trial) {
      Floats logits(20000);
      for (float& logit : logits) logit = dice.normal() * 3;
      const LogitsDigest digest = test::digestOf(logits, wishOf(options));
      const LogitsRow row(digest, logits.size(), [&]() -> std::span<const float> {
        ++fetches;
        return logits;
      });
      const SampledToken token = m_little.sample({row, {}, options}, {trial, 0, 0});
      QCOMPARE(token.token, m_whole.sample({logits, {}, options}, {trial, 0, 0}).token);
    }
    QVERIFY2(fetches <= mostFetches, qPrintable(QString::number(fetches)));
  }

  void whatNeedsTheWholeRowAsksForIt() {
    const auto isWhole = [](const auto& change) {
      SamplingOptions options;
      options.temperature = 1;
      change(options);
      return wishOf(options).isWhole();
    };
    QVERIFY(!isWhole([](SamplingOptions&) {}));
    QVERIFY(isWhole([](SamplingOptions& options) { options.frequencyPenalty = 1; }));
    QVERIFY(isWhole([](SamplingOptions& options) { options.temperature = 0, options.presencePenalty = 1; }));
    QVERIFY(isWhole([](SamplingOptions& options) { options.typicalP = 0.9; }));
    QVERIFY(isWhole([](SamplingOptions& options) { options.topK = kMostDigestCandidates; }));
  }

  // The order of core/exponential.h, written a second time.
  void sumsHaveTheirOrder() {
    Dice dice(5);
    for (const int size : {1, 2, 255, 256, 257, 300, 2047, 2048, 2049, 4096, 10000}) {
      Floats logits(static_cast<std::size_t>(size));
      for (float& logit : logits) logit = dice.normal() * 4;
      const float max = maxLogit(logits);
      for (const float scale : {1.0f, 0.37f}) {
        double sum = 0;
        for (int first = 0; first < size; first += kSumBlock) {
          std::vector<double> lanes(kSumLanes, 0.0);
          for (int i = first; i < std::min(size, first + kSumBlock); ++i)
            lanes[static_cast<std::size_t>(i % kSumLanes)] +=
                static_cast<double>(expOfNegative((logits[static_cast<std::size_t>(i)] - max) * scale));
          while (lanes.size() > 1) {
            const std::size_t half = lanes.size() / 2;
            for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
            lanes.resize(half);
          }
          sum += lanes[0];
        }
        QCOMPARE(std::bit_cast<std::uint64_t>(sumOfExponentials(logits, max, scale)),
                 std::bit_cast<std::uint64_t>(sum));
      }
    }
  }

 private:
  static bool isSame(const SamplingStage& a, const SamplingStage& b) {
    return a.name == b.name && a.kept == b.kept &&
           std::ranges::equal(a.top, b.top, [](const Candidate& x, const Candidate& y) {
             return x.token == y.token && x.probability == y.probability;
           });
  }

  Sampler m_whole, m_little;
};

QTEST_APPLESS_MAIN(TestLogitsDigest)
#include "tst_logits_digest.moc"

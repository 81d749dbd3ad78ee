// The sampler's chain against its own definition: order, boundaries, ties, broken logits, and the draw.
#include "sampling/sampler.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/philox.h"
#include "sampling/softmax.h"

using namespace vitrine;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

SamplingOptions withTemperature(double temperature) {
  SamplingOptions options;
  options.temperature = temperature;
  return options;
}

std::vector<SamplingStage> stagesOf(const std::vector<float>& logits, const SamplingOptions& options) {
  return Sampler().distribution({logits, {}, options});
}

std::vector<TokenId> tokensOf(const SamplingStage& stage) {
  std::vector<TokenId> tokens;
  for (const Candidate& candidate : stage.top) tokens.push_back(candidate.token);
  return tokens;
}

double sumOfStage(const SamplingStage& stage) {
  return std::accumulate(stage.top.begin(), stage.top.end(), 0.0,
                         [](double sum, const Candidate& candidate) { return sum + candidate.probability; });
}

std::vector<float> randomLogits(int count, std::uint64_t seed) {
  std::vector<float> logits;
  for (int i = 0; i < count; ++i)
    logits.push_back(static_cast<float>(12 * uniformDraw(seed, 0, static_cast<std::uint32_t>(i), 7) - 6));
  return logits;
}

}  // namespace

class TestSampler : public QObject {
  Q_OBJECT

 private slots:
  void philoxKnownAnswers() {
    const PhiloxBlock zero = {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u};
    QVERIFY(philox({0, 0, 0, 0}, 0) == zero);
    const PhiloxBlock ones = {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu};
    QVERIFY(philox({~0u, ~0u, ~0u, ~0u}, ~std::uint64_t{0}) == ones);
    const PhiloxBlock pi = {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u};
    QVERIFY(philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, 0x299f31d0a4093822u) == pi);
  }

  void exponentialIsAccurate() {
    double worst = 0;
    for (int i = 0; i <= 86000; ++i) {
      const float x = -static_cast<float>(i) / 1000;
      const double exact = std::exp(static_cast<double>(x));
      worst = std::max(worst, std::abs(static_cast<double>(expOfNegative(x)) / exact - 1));
    }
    QVERIFY2(worst < 3e-7, qPrintable(QString::number(worst)));
    QCOMPARE(expOfNegative(0), 1.0f);
    QCOMPARE(expOfNegative(-88), 0.0f);
    QCOMPARE(expOfNegative(-kInfinity), 0.0f);
    QCOMPARE(expOfNegative(kNan), 0.0f);
  }

  void greedyTakesTheLargestAndTheSmallerIdOnATie() {
    Sampler sampler;
    const std::vector<float> logits = {1, 5, 2, 5, -1};
    QCOMPARE(sampler.sample({logits, {}, {}}, {1, 0, 0}).token, 1);
    std::vector<SamplingStage> stages;
    QCOMPARE(sampler.sample({logits, {}, {}}, {1, 0, 0}, {&stages}).token, 1);
    QCOMPARE(stages.back().kept, 1);
    QCOMPARE(stages.back().top.front().probability, 1.0f);
  }

  // A fault that other engines had: without top-k and top-p the sampler took the largest logit.
  void fault07_temperatureAloneDraws() {
    Sampler sampler;
    const std::vector<float> logits(8, 1.0f);
    std::vector<int> seen(8, 0);
    for (std::uint32_t position = 0; position < 400; ++position)
      ++seen[static_cast<std::size_t>(
          sampler.sample({logits, {}, withTemperature(1)}, {3, 0, position}).token)];
    QVERIFY(std::all_of(seen.begin(), seen.end(), [](int count) { return count > 20; }));
  }

  // Top-p must keep the token that crosses the boundary.
  void fault07_topPKeepsTheTokenThatCrosses() {
    // Probabilities 0.5, 0.25, 0.125, 0.125.
    const std::vector<float> logits = {std::log(4.0f), std::log(2.0f), 0, 0};
    SamplingOptions options = withTemperature(1);
    const auto keptAt = [&](double p) {
      options.topP = p;
      return stagesOf(logits, options).back().kept;
    };
    QCOMPARE(keptAt(1e-9), 1);
    QCOMPARE(keptAt(0.4999), 1);
    QCOMPARE(keptAt(0.5001), 2);
    QCOMPARE(keptAt(0.7499), 2);
    QCOMPARE(keptAt(0.76), 3);
    QCOMPARE(keptAt(0.99), 4);
    QCOMPARE(keptAt(1.0), 4);
  }

  // Logits that are not numbers.
  void fault07_brokenLogits_data() {
    QTest::addColumn<QList<float>>("logits");
    QTest::addColumn<QList<int>>("possible");
    QTest::newRow("NaN is never drawn") << QList<float>{kNan, 1, kNan, 1} << QList<int>{1, 3};
    QTest::newRow("-inf is never drawn") << QList<float>{-kInfinity, -3, -kInfinity} << QList<int>{1};
    QTest::newRow("+inf shares the mass") << QList<float>{5, kInfinity, kNan, kInfinity} << QList<int>{1, 3};
    QTest::newRow("nothing left") << QList<float>{kNan, -kInfinity, kNan} << QList<int>{0};
    QTest::newRow("all -inf") << QList<float>{-kInfinity, -kInfinity} << QList<int>{0};
    QTest::newRow("huge") << QList<float>{3e38f, -3e38f, 3e38f} << QList<int>{0, 2};
  }
  void fault07_brokenLogits() {
    QFETCH(QList<float>, logits);
    QFETCH(QList<int>, possible);
    const std::vector<float> values(logits.begin(), logits.end());
    Sampler sampler;
    for (double temperature : {0.0, 1e-300, 0.7, 1e300}) {
      SamplingOptions options = withTemperature(temperature);
      std::vector<bool> seen(values.size(), false);
      for (std::uint32_t position = 0; position < 64; ++position) {
        for (int filters = 0; filters < 2; ++filters) {
          options.topK = filters == 0 ? 0 : 3;
          options.topP = filters == 0 ? 1 : 0.99;
          options.minP = filters == 0 ? 0 : 1e-9;
          const TokenId token = sampler.sample({values, {}, options}, {9, 0, position}).token;
          if (temperature < 1e10) QVERIFY2(possible.contains(token), qPrintable(QString::number(token)));
          seen[static_cast<std::size_t>(token)] = true;
        }
      }
      const auto count = std::count(seen.begin(), seen.end(), true);
      if (temperature == 0) QVERIFY(count == 1 && seen[static_cast<std::size_t>(possible.front())]);
      if (temperature == 0.7) QCOMPARE(static_cast<int>(count), static_cast<int>(possible.size()));
      const auto stages = stagesOf(values, options);
      for (const SamplingStage& stage : stages) QVERIFY(std::abs(sumOfStage(stage) - 1) < 1e-5);
    }
  }

  // Tokens that tie with the k-th stay, in the order of ids.
  void fault07_topKKeepsTies() {
    SamplingOptions options = withTemperature(1);
    options.topK = 2;
    const auto stages = stagesOf({1, 3, 2, 2, 0, 2}, options);
    QCOMPARE(tokensOf(stages[3]), (std::vector<TokenId>{1, 2, 3, 5}));
    options.topK = 50;
    QCOMPARE(stagesOf({1, 3, 2}, options)[3].kept, 3);
  }

  void minPIsRelativeToTheMostLikely() {
    SamplingOptions options = withTemperature(1);
    options.minP = 0.1;
    const auto stages = stagesOf({0, std::log(0.2f), std::log(0.05f), std::log(0.11f)}, options);
    QCOMPARE(tokensOf(stages.back()), (std::vector<TokenId>{0, 1, 3}));
    options.minP = 1;
    QCOMPARE(stagesOf({2, 2, 1}, options).back().kept, 2);
  }

  void penalties() {
    SamplingOptions options;
    options.repetitionPenalty = 2;
    options.presencePenalty = 0.5;
    options.frequencyPenalty = 0.25;
    const std::vector<float> logits = {2, -2, 2, 0, 2};
    const std::vector<TokenId> prompt = {0, 1, 0, 99, -4}, output = {2, 2, 1, 2};
    // Expected logits: 0: 2/2; 1: -2*2 - .5 - .25; 2: 2/2 - .5 - .75; 3: 0; 4: 2.
    const std::vector<double> expected = {1, -4.75, -0.25, 0, 2};
    Sampler sampler;
    for (int again = 0; again < 2; ++again) {  // the scratch counts must be clean the second time
      const SamplingStage stage = sampler.distribution({logits, {prompt, output}, options})[1];
      double mass = 0;
      for (double logit : expected) mass += std::exp(logit);
      QCOMPARE(stage.kept, 5);
      for (const Candidate& candidate : stage.top)
        QVERIFY(std::abs(static_cast<double>(candidate.probability) -
                         std::exp(expected[static_cast<std::size_t>(candidate.token)]) / mass) < 1e-6);
    }
    QCOMPARE(sampler.sample({logits, {prompt, output}, options}, {}).token, 4);
    QCOMPARE(sampler.sample({std::vector<float>{3, 2.9f}, {std::vector<TokenId>{0}}, options}, {}).token, 1);
  }

  void stagesAreNamedInOrder() {
    const auto stages = stagesOf(randomLogits(20, 1), withTemperature(1));
    const std::vector<std::string> names = {"logits", "penalties", "temperature", "top_k", "top_p", "min_p"};
    QCOMPARE(stages.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      QCOMPARE(stages[i].name, names[i]);
      QVERIFY(std::is_sorted(
          stages[i].top.begin(), stages[i].top.end(),
          [](const Candidate& a, const Candidate& b) { return a.probability > b.probability; }));
    }
  }

  void logprobIsThatOfTheRawLogits() {
    SamplingOptions options = withTemperature(3);
    options.repetitionPenalty = 1.5;
    const std::vector<float> logits = randomLogits(1000, 4);
    double mass = 0;
    for (float logit : logits) mass += std::exp(static_cast<double>(logit));
    Sampler sampler;
    for (std::uint32_t position = 0; position < 50; ++position) {
      const SampledToken sampled =
          sampler.sample({logits, {std::vector<TokenId>{5}}, options}, {1, 0, position});
      const double exact =
          static_cast<double>(logits[static_cast<std::size_t>(sampled.token)]) - std::log(mass);
      QVERIFY(std::abs(sampled.logprob - exact) < 1e-6);
    }
    const auto top = Sampler::topLogprobs(logits, 5);
    QCOMPARE(static_cast<int>(top.size()), 5);
    QVERIFY(std::abs(top[0].second - (static_cast<double>(*std::max_element(logits.begin(), logits.end())) -
                                      std::log(mass))) < 1e-6);
    QCOMPARE(static_cast<int>(Sampler::topLogprobs(std::vector<float>{kNan, 1, -kInfinity}, 9).size()), 1);
  }

  // Behind every stage, and for tokens that a stage has dropped; choose() is sample() without the logprob.
  void theProbabilityOfATokenIsWhatItIsDrawnWith() {
    Sampler sampler, other;
    for (std::uint32_t trial = 0; trial < 60; ++trial) {
      const std::vector<float> logits = randomLogits(200, trial);
      SamplingOptions options = withTemperature(0.5 + trial % 3);
      options.topK = trial % 2 == 0 ? 20 : 0;
      options.topP = trial % 3 == 0 ? 0.9 : 1;
      options.typicalP = trial % 5 == 0 ? 0.8 : 1;
      const SamplerInput input{logits, {}, options};
      std::vector<double> p(logits.size());
      other.probabilities(input, p);
      QCOMPARE(sampler.choose(input, {trial, 0, 3}), other.sample(input, {trial, 0, 3}).token);
      for (std::size_t token = 0; token < p.size(); ++token)
        QVERIFY(std::abs(sampler.probabilityOf(static_cast<TokenId>(token)) - p[token]) < 1e-12);
    }
  }

  // Watching (stages kept, at any depth) must not change a draw: the sums may not depend on what was ordered.
  void watchingChangesNothing() {
    Sampler watched, alone;
    for (std::uint32_t trial = 0; trial < 300; ++trial) {
      const std::vector<float> logits = randomLogits(300 + static_cast<int>(trial), trial);
      SamplingOptions options = withTemperature(0.5 + trial % 5);
      options.topK = trial % 3 == 0 ? static_cast<int>(trial % 200) : 0;
      options.topP = trial % 2 == 0 ? 0.9 : 1;
      options.minP = trial % 5 == 0 ? 0.01 : 0;
      options.typicalP = trial % 11 == 0 ? 0.8 : 1;
      options.presencePenalty = trial % 7 == 0 ? 1 : 0;
      const std::vector<TokenId> output = {1, 2, 3};
      std::vector<SamplingStage> stages;
      const DrawKey key = {trial, 2, 5};
      const SampledToken plain = alone.sample({logits, {{}, output}, options}, key);
      const int candidates = static_cast<int>(trial % 4) * 40;
      const SampledToken seen = watched.sample({logits, {{}, output}, options}, key, {&stages, candidates});
      QCOMPARE(seen.token, plain.token);
      QCOMPARE(seen.logprob, plain.logprob);
      QCOMPARE(static_cast<int>(stages.size()), options.typicalP < 1 ? 7 : 6);
      if (candidates > 0) QVERIFY(static_cast<int>(stages[0].top.size()) == candidates);
    }
  }

  // The selection that orders only what it needs equals the definition, which sorts everything.
  void filtersEqualTheNaiveDefinition() {
    for (std::uint32_t trial = 0; trial < 200; ++trial) {
      const std::vector<float> logits = randomLogits(500, 1000 + trial);
      SamplingOptions options = withTemperature(0.3 + 0.01 * trial);
      options.topK = trial % 2 == 0 ? 0 : static_cast<int>(1 + trial);
      options.topP = 0.05 + 0.0045 * trial;
      std::vector<std::pair<double, TokenId>> all;
      for (std::size_t i = 0; i < logits.size(); ++i)
        all.emplace_back(std::exp(static_cast<double>(logits[i]) / options.temperature),
                         static_cast<TokenId>(i));
      std::sort(all.begin(), all.end(), [](auto a, auto b) { return a.first > b.first; });
      if (options.topK > 0) all.resize(static_cast<std::size_t>(options.topK));
      double total = 0, before = 0;
      for (const auto& [mass, token] : all) total += mass;
      std::vector<TokenId> expected;
      for (const auto& [mass, token] : all) {
        if (!expected.empty() && before >= options.topP * total) break;
        expected.push_back(token);
        before += mass;
      }
      QCOMPARE(tokensOf(stagesOf(logits, options).back()), expected);
    }
  }

  // Pearson's chi-square of 40 000 draws with seven degrees of freedom; 29.9 is the 1 in 10 000 point.
  void drawsFollowTheDistribution() {
    const std::vector<float> logits = {0.5f, 2, -1, 1, 0, 1.5f, -0.5f, 0.2f};
    Sampler sampler;
    for (double temperature : {1.0, 0.6}) {
      const SamplingOptions options = withTemperature(temperature);
      const SamplingStage last = stagesOf(logits, options).back();
      std::vector<int> seen(logits.size(), 0);
      constexpr int kDraws = 40000;
      for (std::uint32_t i = 0; i < kDraws; ++i)
        ++seen[static_cast<std::size_t>(sampler.sample({logits, {}, options}, {77, i % 3, i}).token)];
      double chiSquare = 0;
      for (const Candidate& candidate : last.top) {
        const double expected = kDraws * static_cast<double>(candidate.probability);
        const double difference = seen[static_cast<std::size_t>(candidate.token)] - expected;
        chiSquare += difference * difference / expected;
      }
      QVERIFY2(chiSquare < 29.9, qPrintable(QString::number(chiSquare)));
    }
  }

  // Against -sum(p * log2 p) in double precision.
  void entropyIsThatOfTheRawLogits() {
    for (const std::uint64_t seed : {1u, 2u, 3u})
      for (const float scale : {0.01f, 1.0f, 8.0f, 60.0f}) {
        std::vector<float> logits = randomLogits(3001, seed);
        for (float& logit : logits) logit *= scale;
        const double max = static_cast<double>(*std::ranges::max_element(logits));
        double sum = 0, expected = 0;
        for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - max);
        for (const float logit : logits) {
          const double p = std::exp(static_cast<double>(logit) - max) / sum;
          if (p > 0) expected -= p * std::log2(p);
        }
        const double found = entropyBits(logits);
        QVERIFY2(std::abs(found - expected) < 1e-5 * (1 + expected),
                 qPrintable(QStringLiteral("%1 instead of %2").arg(found).arg(expected)));
      }
    QCOMPARE(entropyBits(std::vector<float>{3, -kInfinity, kNan}), 0.0);
    QCOMPARE(entropyBits(std::vector<float>{1, 1, 1, 1}), 2.0);
    QCOMPARE(entropyBits(std::vector<float>{kInfinity, 0, kInfinity}), 1.0);
    QCOMPARE(entropyBits(std::vector<float>{-kInfinity, kNan}), 0.0);
  }

  void aDrawIsAFunctionOfItsKey() {
    const std::vector<float> logits = randomLogits(2000, 3);
    Sampler first, second;
    std::vector<TokenId> tokens, reversed;
    for (std::uint32_t i = 0; i < 50; ++i)
      tokens.push_back(first.sample({logits, {}, withTemperature(1)}, {5, 1, i}).token);
    for (std::uint32_t i = 50; i-- > 0;)
      reversed.push_back(second.sample({logits, {}, withTemperature(1)}, {5, 1, i}).token);
    std::reverse(reversed.begin(), reversed.end());
    QCOMPARE(tokens, reversed);
    std::vector<TokenId> other;
    for (std::uint32_t i = 0; i < 50; ++i)
      other.push_back(first.sample({logits, {}, withTemperature(1)}, {5, 2, i}).token);
    QVERIFY(other != tokens);
  }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "tst_sampler.moc"

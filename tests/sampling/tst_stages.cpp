// The sampler's stages one by one, on a few tokens with known probabilities; and the table that names them.
#include "sampling/stages.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/philox.h"
#include "sampling/sampler.h"

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

std::vector<float> logitsOf(const std::vector<double>& probabilities) {
  std::vector<float> logits;
  for (double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

Tokens tokensOf(Candidates& candidates) {
  candidates.order(candidates.size());
  Tokens tokens;
  for (const Candidates::Entry& entry : candidates.entries()) tokens.push_back(entry.token);
  return tokens;
}

template <typename Filter>
Tokens leftBy(const std::vector<float>& logits, const Filter& filter) {
  Candidates candidates;
  candidates.reset(logits);
  filter(candidates);
  return tokensOf(candidates);
}

Tokens typical(const std::vector<float>& logits, double mass) {
  return leftBy(logits, [&](Candidates& candidates) { keepTypical(candidates, mass); });
}

// The definition of transformers' TypicalLogitsWarper, which sorts by the distance to the entropy.
Tokens naiveTypical(const std::vector<float>& logits, double mass) {
  const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  double total = 0, entropy = 0;
  for (float logit : logits) total += std::exp(static_cast<double>(logit) - largest);
  std::vector<double> logprobs, distances;
  for (float logit : logits) logprobs.push_back(static_cast<double>(logit) - largest - std::log(total));
  for (double logprob : logprobs) entropy -= std::exp(logprob) * logprob;
  for (double logprob : logprobs) distances.push_back(std::abs(-logprob - entropy));
  std::vector<std::size_t> sorted(logits.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, {}, [&](std::size_t token) { return distances[token]; });
  double reached = 0;
  std::size_t last = 0;
  for (; last + 1 < sorted.size(); ++last)
    if ((reached += std::exp(logprobs[sorted[last]])) >= mass) break;
  Tokens left;
  for (std::size_t token = 0; token < logits.size(); ++token)
    if (distances[token] <= distances[sorted[last]]) left.push_back(static_cast<TokenId>(token));
  return left;
}

}  // namespace

class TestStages : public QObject {
  Q_OBJECT

 private slots:
  void theTableNamesEachStageOnce() {
    std::vector<std::string> names;
    for (const SamplerStage& stage : samplerStages()) names.emplace_back(stage.name);
    QVERIFY(!names.empty());
    QCOMPARE(names.front(), std::string("grammar"));
    QCOMPARE(names[1], std::string("penalties"));
    std::ranges::sort(names);
    QVERIFY(std::ranges::adjacent_find(names) == names.end());
  }

  void plainOptionsRunTheTemperatureAlone() {
    for (const SamplerStage& stage : samplerStages())
      QCOMPARE(stage.isActive(SamplingOptions(), nullptr), std::string(stage.name) == "temperature");
  }

  void anOptionActivatesItsStage() {
    const auto activeWith = [](const char* name, const SamplingOptions& options) {
      const auto stage = std::ranges::find(samplerStages(), std::string(name), &SamplerStage::name);
      return stage != samplerStages().end() && stage->isActive(options, nullptr);
    };
    SamplingOptions options;
    options.topK = 1, options.topP = 0.9, options.minP = 0.1, options.typicalP = 0.9,
    options.presencePenalty = 1;
    for (const char* name : {"penalties", "top_k", "top_p", "min_p", "typical_p"})
      QVERIFY(activeWith(name, options));
  }

  // More tokens than a word of the mask has bits, and a token that is allowed beside the mask.
  void aGrammarMasksWhatItForbids() {
    constexpr float kNever = -std::numeric_limits<float>::infinity();
    std::vector<float> logits(130);
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i % 7);
    const std::vector<std::uint64_t> bits = {std::uint64_t{1} << 5, ~std::uint64_t{0}, 0};
    const Tokens also = {129};
    const AllowedTokens allowed{bits, also};
    std::vector<float> masked(logits.size());
    maskLogits(allowed, logits, masked);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const bool wanted = i == 5 || (i >= 64 && i < 128) || i == 129;
      QCOMPARE(allowed.has(static_cast<TokenId>(i)), wanted);
      QCOMPARE(masked[i], wanted ? logits[i] : kNever);
    }
    // A model that gives none of them a chance: all have the same.
    std::vector<float> broken(130, kNever);
    broken[0] = 3;
    maskLogits(allowed, broken, masked);
    QVERIFY(masked[0] == kNever && masked[5] == 0 && masked[64] == 0 && masked[129] == 0);
    SamplingOptions greedy;
    QCOMPARE(Sampler().choose({broken, {}, greedy, &allowed}, {}), 5);
  }

  void penaltiesSeeTheDraftAsOutput() {
    SamplingOptions options;
    options.repetitionPenalty = 2, options.presencePenalty = 0.5, options.frequencyPenalty = 0.25;
    const std::vector<float> logits = {2, -2, 2, 0, 2};
    const Tokens prompt = {0, 1, 99}, output = {2, 1}, rest = {2, 2, -4}, whole = {2, 1, 2, 2, -4};
    SamplerState apart, together;
    for (int again = 0; again < 2; ++again) {  // the counts must be zero the second time
      apart.candidates.reset(logits);
      together.candidates.reset(logits);
      applyPenalties({logits, {prompt, output, rest}, options}, apart);
      applyPenalties({logits, {prompt, whole}, options}, together);
      QVERIFY(std::ranges::equal(apart.candidates.logits(), together.candidates.logits()));
      QVERIFY(std::ranges::equal(apart.candidates.logits(), std::vector<float>{1, -4.75f, -0.25f, 0, 2}));
    }
  }

  void filtersKeepWhatTheyPromise() {
    const std::vector<float> logits = logitsOf({0.1, 0.5, 0.15, 0.15, 0.1});
    QCOMPARE(leftBy(logits, [](Candidates& c) { keepTopK(c, 2); }), (Tokens{1, 2, 3}));
    QCOMPARE(leftBy(logits, [](Candidates& c) { keepTopP(c, 0.6); }), (Tokens{1, 2}));
    QCOMPARE(leftBy(logits, [](Candidates& c) { keepMinP(c, 0.25); }), (Tokens{1, 2, 3}));
  }

  // Entropy of (0.5, 0.25, 0.125, 0.125): 1.213 nats. Distances: 0.520, 0.173, 0.866, 0.866.
  void typicalTakesTheNearestToTheEntropyFirst() {
    const std::vector<float> logits = {std::log(4.0f), std::log(2.0f), 0, 0};
    QCOMPARE(typical(logits, 0.01), (Tokens{1}));
    QCOMPARE(typical(logits, 0.2499), (Tokens{1}));
    QCOMPARE(typical(logits, 0.2501), (Tokens{0, 1}));
    QCOMPARE(typical(logits, 0.7499), (Tokens{0, 1}));
  }

  void typicalKeepsTies() {
    const std::vector<float> logits = {std::log(4.0f), std::log(2.0f), 0, 0};
    QCOMPARE(typical(logits, 0.76), (Tokens{0, 1, 2, 3}));
    QCOMPARE(typical(std::vector<float>(7, 0.5f), 0.1), (Tokens{0, 1, 2, 3, 4, 5, 6}));
  }

  // The most likely token need not stay: here it is much less surprising than the average.
  void typicalMayDropTheMostLikely() {
    std::vector<double> probabilities(60, 0.6 / 60);
    probabilities[7] = 0.4;
    const Tokens left = typical(logitsOf(probabilities), 0.3);
    QCOMPARE(static_cast<int>(left.size()), 59);
    QVERIFY(!std::ranges::count(left, 7));
  }

  void typicalKeepsAtLeastOneToken() {
    QCOMPARE(typical({3}, 0.5), (Tokens{0}));
    const float infinity = std::numeric_limits<float>::infinity();
    QCOMPARE(typical({-infinity, 1, -infinity}, 0.01), (Tokens{1}));
    QCOMPARE(typical({infinity, 1, infinity}, 0.01), (Tokens{0, 2}));
    QCOMPARE(typical({-infinity, -infinity}, 0.01), (Tokens{0}));
    QCOMPARE(typical({100, -100, -100}, 0.99), (Tokens{0}));
  }

  void typicalEqualsTheNaiveDefinition() {
    for (std::uint32_t trial = 0; trial < 400; ++trial) {
      std::vector<float> logits;
      for (std::uint32_t i = 0; i < 5 + trial % 200; ++i)
        logits.push_back(static_cast<float>((2 + trial % 9) * uniformDraw(trial, 1, i, 0)));
      const double mass = 0.02 + 0.96 * uniformDraw(trial, 2, 0, 0);
      Tokens left = typical(logits, mass);
      std::ranges::sort(left);
      QCOMPARE(left, naiveTypical(logits, mass));
    }
  }

  // What a stage leaves must not depend on what was put in order before, for a record of the stages.
  void anOrderChangesNoBit() {
    std::vector<float> logits;
    for (std::uint32_t i = 0; i < 700; ++i) logits.push_back(static_cast<float>(9 * uniformDraw(3, 0, i, 0)));
    const std::vector<void (*)(Candidates&)> filters = {
        [](Candidates& c) { keepTopK(c, 40); }, [](Candidates& c) { keepTopP(c, 0.7); },
        [](Candidates& c) { keepMinP(c, 0.01); }, [](Candidates& c) { keepTypical(c, 0.6); }};
    for (const auto filter : filters)
      for (std::size_t ordered : {0u, 5u, 300u, 700u}) {
        Candidates plain, looked;
        plain.reset(logits);
        looked.reset(logits);
        looked.order(ordered);
        filter(plain);
        filter(looked);
        QCOMPARE(looked.total(), plain.total());
        QCOMPARE(tokensOf(looked), tokensOf(plain));
      }
  }
};

QTEST_APPLESS_MAIN(TestStages)
#include "tst_stages.moc"

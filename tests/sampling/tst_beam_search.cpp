// Beam search on hand-made numbers: what is kept, what is complete, what is displaced, and when it ends.
#include "sampling/beam_search.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace vitrine;

namespace {

using Continuations = std::vector<std::vector<Continuation>>;

constexpr TokenId kEnd = 9;

Continuation to(TokenId token, double logprob) { return {token, logprob, logprob}; }
bool isEnd(int, TokenId token) { return token == kEnd; }

BeamOptions options(int width, double lengthPenalty = 1, EarlyStopping early = EarlyStopping::kHeuristic,
                    int maxTokens = 100) {
  return {width, lengthPenalty, early, 1, maxTokens};
}

std::string fates(const BeamSelection& selection) {
  std::string text;
  for (const RankedContinuation& one : selection.ranked)
    text += std::to_string(one.beam) + ":" + std::to_string(one.next.token) +
            "KFWLP"[static_cast<int>(one.fate)] + " ";
  return text;
}

std::vector<int> numbers(const BeamSearch& search) {
  std::vector<int> found;
  for (const auto& one : search.hypotheses()) found.push_back(one.number);
  return found;
}

}  // namespace

class TestBeamSearch : public QObject {
  Q_OBJECT

 private slots:
  void theBestOfAllBeamsGoOn() {
    BeamSearch search(options(2));
    QCOMPARE(search.continuationsPerBeam(), 4);
    BeamSelection first = search.step(Continuations{{to(1, -1), to(2, -2), to(3, -3), to(4, -4)}}, isEnd);
    QCOMPARE(fates(first), std::string("0:1K 0:2K 0:3P 0:4P "));
    QCOMPARE(search.beams(), (std::vector<double>{-1, -2}));
    // The second beam's best is worse than both of the first one's.
    const BeamSelection second =
        search.step(Continuations{{to(5, -0.2), to(6, -0.5)}, {to(1, -0.1), to(2, -0.3)}}, isEnd);
    QCOMPARE(fates(second), std::string("0:5K 0:6K 1:1P 1:2P "));
    QCOMPARE(search.beams(), (std::vector<double>{-1.2, -1.5}));
    QCOMPARE(second.ranked[2].cumulative, -2.1);
    QCOMPARE(second.ranked[2].score, -1.05);
    QVERIFY(second.end == BeamEnd::kNone);
  }

  void moreEndTokensMoreContinuations() {
    QCOMPARE(BeamSearch({4, 1, EarlyStopping::kYes, 0, 5}).continuationsPerBeam(), 8);
    QCOMPARE(BeamSearch({4, 1, EarlyStopping::kYes, 1, 5}).continuationsPerBeam(), 8);
    QCOMPARE(BeamSearch({4, 1, EarlyStopping::kYes, 3, 5}).continuationsPerBeam(), 16);
  }

  void tiesGoToTheBetterBeamThenTheSmallerToken() {
    BeamSearch search(options(2));
    search.step(Continuations{{to(1, -1), to(2, -1), to(3, -1), to(0, -1)}}, isEnd);
    const BeamSelection second =
        search.step(Continuations{{to(7, -1), to(8, -1)}, {to(3, -1), to(4, -1)}}, isEnd);
    QCOMPARE(fates(second), std::string("0:7K 0:8K 1:3P 1:4P "));
  }

  void anEndBeyondTheWidthDoesNotCount() {
    BeamSearch search(options(2));
    const BeamSelection first =
        search.step(Continuations{{to(1, -1), to(2, -2), to(kEnd, -3), to(4, -4)}}, isEnd);
    QCOMPARE(fates(first), std::string("0:1K 0:2K 0:9L 0:4P "));
    QVERIFY(search.hypotheses().empty());
  }

  void anEndWithinTheWidthLeavesItsPlaceToTheNext() {
    BeamSearch search(options(2));
    const BeamSelection first =
        search.step(Continuations{{to(kEnd, -1), to(2, -2), to(3, -3), to(4, -4)}}, isEnd);
    QCOMPARE(fates(first), std::string("0:9F 0:2K 0:3K 0:4P "));
    QCOMPARE(first.ranked[0].hypothesis, 1);
    QCOMPARE(search.hypotheses().at(0).score, -1.0);
  }

  // Two short answers complete; a longer one with a better mean displaces the worse of them.
  void aBetterHypothesisDisplacesTheWorst() {
    BeamSearch search(options(2, 1, EarlyStopping::kNever));
    search.step(Continuations{{to(kEnd, -1), to(1, -1.25), to(2, -1.5), to(3, -9)}}, isEnd);
    search.step(Continuations{{to(kEnd, -2), to(4, -0.25)}, {to(5, -0.25), to(6, -9)}}, isEnd);
    QCOMPARE(numbers(search), std::vector<int>{1});  // the other end was third of four
    const BeamSelection third =
        search.step(Continuations{{to(kEnd, -0.5), to(4, -3)}, {to(kEnd, -0.25), to(5, -4)}}, isEnd);
    QCOMPARE(fates(third), std::string("0:9F 1:9F 0:4K 1:5K "));
    QCOMPARE(third.displaced, std::vector<int>{1});
    QCOMPARE(numbers(search), (std::vector<int>{2, 3}));  // equal sums, the better beam's first
    QCOMPARE(search.hypotheses()[0].score, -2.0 / 3);
  }

  void whatIsNoBetterThanTheHypothesesIsNotTaken() {
    BeamSearch search(options(1, 1, EarlyStopping::kNever));
    search.step(Continuations{{to(kEnd, -0.1), to(1, -0.2)}}, isEnd);
    const BeamSelection second = search.step(Continuations{{to(kEnd, -0.3), to(2, -0.4)}}, isEnd);
    QCOMPARE(fates(second), std::string("0:9W 0:2K "));
    QCOMPARE(numbers(search), std::vector<int>{1});
  }

  void whenItEnds_data() {
    QTest::addColumn<int>("early");
    QTest::addColumn<double>("penalty");
    QTest::addColumn<int>("end");
    QTest::addColumn<double>("possible");
    using E = EarlyStopping;
    const auto row = [](const char* name, E early, double penalty, BeamEnd end, double possible) {
      QTest::newRow(name) << int(early) << penalty << int(end) << possible;
    };
    // After two steps the hypothesis has score -0.8 * 2^-penalty, and the beam the sum -1.
    row("yes", E::kYes, 1, BeamEnd::kEnough, -0.5);
    row("heuristic", E::kHeuristic, 1, BeamEnd::kNoImprovement, -0.5);
    row("never, long answers gain", E::kNever, 1, BeamEnd::kNone, -1.0 / 100);
    row("never, length does not matter", E::kNever, 0, BeamEnd::kNoImprovement, -1);
    row("never, short answers gain", E::kNever, -1, BeamEnd::kNoImprovement, -2);
  }
  void whenItEnds() {
    QFETCH(int, early);
    QFETCH(double, penalty);
    QFETCH(int, end);
    QFETCH(double, possible);
    BeamSearch search(options(1, penalty, static_cast<EarlyStopping>(early)));
    search.step(Continuations{{to(1, -0.5), to(2, -2)}}, isEnd);
    const BeamSelection second = search.step(Continuations{{to(kEnd, -0.3), to(3, -0.5)}}, isEnd);
    QCOMPARE(int(second.end), end);
    QCOMPARE(second.bestPossible, possible);
    QCOMPARE(search.hypotheses().at(0).score, -0.8 / std::pow(2, penalty));
    QCOMPARE(search.beams().empty(), second.end != BeamEnd::kNone);
    QCOMPARE(second.ranked[1].fate == BeamFate::kPruned, second.end != BeamEnd::kNone);
  }

  void atTheGreatestLengthAllAreComplete() {
    BeamSearch search(options(2, 1, EarlyStopping::kHeuristic, 1));
    const BeamSelection only =
        search.step(Continuations{{to(1, -1), to(2, -2), to(3, -3), to(4, -4)}}, isEnd);
    QCOMPARE(fates(only), std::string("0:1F 0:2F 0:3L 0:4L "));
    QVERIFY(only.end == BeamEnd::kNothingLeft);
    QCOMPARE(numbers(search), (std::vector<int>{1, 2}));
  }

  // A stop string may complete more than the spare continuations make up for: the search narrows, and widens.
  void fewerBeamsThanItsWidth() {
    BeamSearch search(options(2));
    const auto allButFour = [](int, TokenId token) { return token != 4; };
    search.step(Continuations{{to(1, -3), to(4, -4), to(2, -5), to(3, -6)}}, allButFour);
    QCOMPARE(search.beams(), std::vector<double>{-4});
    const BeamSelection second = search.step(Continuations{{to(5, -0.1), to(6, -0.2), to(7, -0.3)}}, isEnd);
    QCOMPARE(fates(second), std::string("0:5K 0:6K 0:7P "));
  }

  void theRankerPenalisesLogprobs() {
    ContinuationRanker ranker;
    const std::vector<float> logits = {2, 1, 0, -1, std::nanf("")};
    double mass = 0;
    for (int i = 0; i < 4; ++i) mass += std::exp(double(logits[std::size_t(i)]));
    SamplingOptions sampling;
    auto best = ranker.best({logits, {}, sampling}, 3);
    QCOMPARE(best.size(), std::size_t{3});
    for (int i = 0; i < 3; ++i) {
      QCOMPARE(best[std::size_t(i)].token, i);
      QVERIFY(std::abs(best[std::size_t(i)].logprob - (2 - i - std::log(mass))) < 1e-6);
    }
    sampling.repetitionPenalty = 3;
    sampling.presencePenalty = 0.25;
    sampling.frequencyPenalty = 0.5;
    const std::vector<TokenId> prompt = {0, 0, -1, 700}, output = {1, 1};
    best = ranker.best({logits, {prompt, output}, sampling}, 10);
    QCOMPARE(best.size(), logits.size());
    const auto of = [&](TokenId token) { return *std::ranges::find(best, token, &Continuation::token); };
    QVERIFY(std::abs(of(0).logprob - 3 * (2 - std::log(mass))) < 1e-6);
    QVERIFY(std::abs(of(0).modelLogprob - (2 - std::log(mass))) < 1e-6);
    QVERIFY(std::abs(of(1).logprob - (3 * (1 - std::log(mass)) - 0.25 - 2 * 0.5)) < 1e-6);
    QVERIFY(std::abs(of(2).logprob - (0 - std::log(mass))) < 1e-6);
    QCOMPARE(of(4).logprob, -std::numeric_limits<double>::infinity());
    QCOMPARE(best.front().token, 0);
  }

  void theRankerOrdersTiesByToken() {
    ContinuationRanker ranker;
    const std::vector<float> logits = {1, 3, 3, 1, 3, 0};
    std::vector<TokenId> tokens;
    for (const Continuation& one : ranker.best({logits, {}, {}}, 4)) tokens.push_back(one.token);
    QCOMPARE(tokens, (std::vector<TokenId>{1, 2, 4, 0}));
  }
};

QTEST_APPLESS_MAIN(TestBeamSearch)
#include "tst_beam_search.moc"

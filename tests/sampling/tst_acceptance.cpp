// Speculative sampling at the level of its functions: what comes out follows p whatever q was, proven by a
// chi-square test that a broken rule fails.
#include "core/philox.h"
#include "sampling/acceptance.h"
#include "sampling/sampler.h"
#include "support/chi_square.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

using Probabilities = std::vector<double>;
constexpr int kDraws = 60000;

double uniform(int draw, DrawUse use) {
  return uniformDraw(77, 0, static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(use));
}

enum class Rule { kRight, kAlwaysAccept, kRedrawFromP, kSameNumberTwice };

// One token by speculation, by the right rule or by one that looks like it.
TokenId speculate(const Probabilities& p, const Probabilities& q, int draw, Rule rule) {
  const TokenId drafted = q.empty() ? 2 : drawFrom(q, uniform(draw, DrawUse::kDraft));
  const double number = uniform(draw, rule == Rule::kSameNumberTwice ? DrawUse::kDraft : DrawUse::kAccept);
  const AcceptanceTest test = testDraft(drafted, p, q, number);
  if (test.accepted || rule == Rule::kAlwaysAccept) return drafted;
  const double rest = uniform(draw, DrawUse::kResidual);
  return rule == Rule::kRedrawFromP ? drawFrom(p, rest) : drawResidual(drafted, p, q, rest);
}

double pValue(const Probabilities& p, const Probabilities& q, Rule rule) {
  std::vector<std::int64_t> counts(p.size());
  for (int draw = 0; draw < kDraws; ++draw) ++counts[static_cast<std::size_t>(speculate(p, q, draw, rule))];
  return chiSquarePValue(counts, p);
}

}  // namespace

class TestAcceptance : public QObject {
  Q_OBJECT

 private slots:
  void whatComesOutFollowsTheModel_data() {
    QTest::addColumn<std::vector<double>>("p");
    QTest::addColumn<std::vector<double>>("q");
    const Probabilities p = {0.4, 0.05, 0.25, 0, 0.3};
    QTest::newRow("far apart") << p << Probabilities{0.1, 0.6, 0.1, 0.15, 0.05};
    QTest::newRow("near") << p << Probabilities{0.38, 0.07, 0.25, 0.02, 0.28};
    QTest::newRow("the same") << p << p;
    QTest::newRow("nothing in common") << Probabilities{0.5, 0.5, 0, 0} << Probabilities{0, 0, 0.3, 0.7};
    QTest::newRow("narrower") << p << Probabilities{1, 0, 0, 0, 0};
    QTest::newRow("certain of one token") << p << Probabilities{};
  }
  void whatComesOutFollowsTheModel() {
    QFETCH(std::vector<double>, p);
    QFETCH(std::vector<double>, q);
    const double value = pValue(p, q, Rule::kRight);
    QVERIFY2(value > 1e-3, qPrintable(QString::number(value)));
  }

  void theChiSquareIsThatOfTheTables() {
    QVERIFY(std::abs(chiSquareTail(3.841459, 1) - 0.05) < 1e-6);
    QVERIFY(std::abs(chiSquareTail(31.410433, 20) - 0.05) < 1e-6);
    QVERIFY(std::abs(chiSquareTail(8.260398, 20) - 0.99) < 1e-6);
  }

  // The test can fail: rules that are nearly right are found out.
  void aWrongRuleIsFoundOut() {
    const Probabilities p = {0.4, 0.05, 0.25, 0, 0.3}, q = {0.3, 0.1, 0.3, 0, 0.3};
    for (Rule rule : {Rule::kAlwaysAccept, Rule::kRedrawFromP, Rule::kSameNumberTwice}) {
      const double value = pValue(p, q, rule);
      QVERIFY2(value < 1e-6, qPrintable(QString("%1: %2").arg(static_cast<int>(rule)).arg(value)));
    }
    QVERIFY(pValue(p, q, Rule::kRight) > 1e-3);
  }

  void acceptanceIsTheRatioOfTheTwo() {
    const Probabilities p = {0.2, 0.8}, q = {0.5, 0.5};
    QVERIFY(testDraft(0, p, q, 0.399).accepted);
    QVERIFY(!testDraft(0, p, q, 0.401).accepted);
    QVERIFY(testDraft(1, p, q, 0.999).accepted);  // p > q: always
    QVERIFY(!testDraft(0, Probabilities{0, 1}, q, 0).accepted);
    const AcceptanceTest certain = testDraft(0, p, {}, 0.21);
    QCOMPARE(certain.q, 1.0);
    QVERIFY(!certain.accepted && testDraft(0, p, {}, 0.19).accepted);
  }

  void theResidualIsWhatTheDraftLacks() {
    const Probabilities p = {0.1, 0.6, 0.3}, q = {0.7, 0.1, 0.2};
    for (double u : {0.0, 0.3, 0.83}) QCOMPARE(drawResidual(0, p, q, u), 1);  // 0.5 of 0.6
    QCOMPARE(drawResidual(0, p, q, 0.84), 2);
    QCOMPARE(drawResidual(1, p, {}, 0.2), 0);
    QCOMPARE(drawResidual(1, p, {}, 0.26), 2);
    QCOMPARE(drawResidual(0, p, p, 0.5), 1);  // rounding has left nothing: p itself
  }

  void drawingStaysInside() {
    const Probabilities weights = {0, 1, 3, 0};
    QCOMPARE(drawFrom(weights, 0), 1);
    QCOMPARE(drawFrom(weights, 0.25), 2);
    QCOMPARE(drawFrom(weights, 1), 2);  // beyond the last: the last that has any
  }

  // What acceptance sees is what the plain sampler draws from, behind every stage.
  void probabilitiesAreWhatIsDrawnFrom() {
    Sampler sampler;
    const std::vector<float> logits = {1.f, 0.5f, 2.f, -1.f, 1.5f, 0.f};
    const std::vector<TokenId> prompt = {2}, output = {4, 4};
    SamplingOptions options;
    options.temperature = 0.8, options.topK = 5, options.topP = 0.95, options.minP = 0.02;
    options.repetitionPenalty = 1.3, options.presencePenalty = 0.2, options.frequencyPenalty = 0.1;
    const SamplerInput input{logits, {prompt, output}, options};
    Probabilities p(logits.size());
    sampler.probabilities(input, p);
    std::vector<std::int64_t> counts(logits.size());
    for (std::uint32_t draw = 0; draw < 60000; ++draw)
      ++counts[static_cast<std::size_t>(sampler.sample(input, {9, 0, draw}).token)];
    const double value = chiSquarePValue(counts, p);
    QVERIFY2(value > 1e-3, qPrintable(QString::number(value)));
    options.repetitionPenalty = 1;  // another distribution is detected
    sampler.probabilities(input, p);
    QVERIFY(chiSquarePValue(counts, p) < 1e-6);
  }
};

QTEST_APPLESS_MAIN(TestAcceptance)
#include "tst_acceptance.moc"

// Figures, values and verdicts in words.
#include "vitrine/prose/compare_words.h"

#include <QTest>
#include <set>

using namespace vitrine;

class TestCompareWords : public QObject {
  Q_OBJECT

 private slots:
  void everyFigureHasItsWords() {
    std::set<std::string> names, helps;
    for (int i = 0; i < kContrastFigureCount; ++i) {
      const auto figure = static_cast<ContrastFigure>(i);
      names.insert(prose::contrastName(figure));
      helps.insert(prose::contrastHelp(figure));
      QVERIFY(prose::contrastHelp(figure).ends_with("."));
      QCOMPARE(prose::contrastValue(figure, std::nullopt), std::string("–"));
    }
    QCOMPARE(names.size(), static_cast<std::size_t>(kContrastFigureCount));
    QCOMPARE(helps.size(), static_cast<std::size_t>(kContrastFigureCount));
    QCOMPARE(Names<ContrastFigure>::list.size(), static_cast<std::size_t>(kContrastFigureCount));
  }

  void values() {
    using prose::contrastValue;
    QCOMPARE(contrastValue(ContrastFigure::kSteps, 97), std::string("97"));
    QCOMPARE(contrastValue(ContrastFigure::kTokensPerSecond, 1622.4), std::string("1622"));
    QCOMPARE(contrastValue(ContrastFigure::kTokensPerSecond, 12.34), std::string("12.3"));
    QCOMPARE(contrastValue(ContrastFigure::kTtftP50, 2.14), std::string("2.1 ms"));
    QCOMPARE(contrastValue(ContrastFigure::kItlP95, 0.85), std::string("850 µs"));
    QCOMPARE(contrastValue(ContrastFigure::kSwappedBytes, 1.25 * 1048576), std::string("1.2 MiB"));
    QCOMPARE(contrastValue(ContrastFigure::kKvBytesAtMost, 512), std::string("512 bytes"));
    QCOMPARE(contrastValue(ContrastFigure::kAcceptance, 0.63), std::string("63.0 %"));
    QCOMPARE(prose::contrastRatio(0.837), std::string("0.84"));
    QCOMPARE(prose::contrastRatio(std::nullopt), std::string());
  }

  void ratios() {
    ContrastRow row{ContrastFigure::kSteps, 100, 84};
    QCOMPARE(row.ratio().value(), 0.84);
    row.other = 0;
    QVERIFY(!row.ratio());
    row.other = std::nullopt;
    QVERIFY(!row.ratio());
  }

  void verdicts() {
    using prose::answersVerdict;
    QCOMPARE(answersVerdict({.tokens = 220, .complete = true}), std::string("All 220 tokens are the same."));
    QCOMPARE(answersVerdict({.tokens = 1, .complete = true}), std::string("The only token is the same."));
    QCOMPARE(answersVerdict({.tokens = 0, .complete = true}), std::string("No token was written."));
    QCOMPARE(answersVerdict({.tokens = 120}), std::string("Same so far: 120 tokens."));
    QCOMPARE(answersVerdict({.tokens = 1}), std::string("Same so far: 1 token."));
    QCOMPARE(answersVerdict({220, true, AnswerDifference{"R2", 0, 14}}),
             std::string("R2 differs from its token 14 on."));
    QCOMPARE(answersVerdict({220, false, AnswerDifference{"R2", 1, 1}}),
             std::string("R2/2 differs from its first token on."));
    QCOMPARE(prose::firstDifferenceText(13), std::string("First difference: step 13"));
    QCOMPARE(prose::firstDifferenceText(std::nullopt), std::string("No step is scheduled differently."));
  }

  void changes() {
    QCOMPARE(prose::changesText({{"preemption", "recompute", "swap"}}),
             std::string("preemption: recompute → swap"));
    QCOMPARE(prose::changesText({{"block_size", "16", "4"}, {"prefix_cache", "true", "false"}}),
             std::string("block size: 16 → 4, prefix cache: on → off"));
    QCOMPARE(prose::changesText({{"attention", "", "flash"}}), std::string("attention: default → flash"));
    QCOMPARE(prose::changesText({}), std::string("no option differs"));
  }
};

QTEST_APPLESS_MAIN(TestCompareWords)
#include "tst_compare_words.moc"

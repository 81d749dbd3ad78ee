// Where formulas stand in a text, and what only looks like one.
#include <QTest>

#include "markdown/block_dump.h"
#include "widgets/markdown/markdown_copy.h"
#include "widgets/markdown/markdown_stream.h"
#include "widgets/markdown/maths_spans.h"

using namespace vitrine;

namespace {

// The formulas, each after D (display) or I (inline), P (partial).
QString found(const QByteArray& text, bool growing) {
  const std::string_view piece(text.data(), static_cast<std::size_t>(text.size()));
  QString all;
  for (const MathsSpan& span : findMaths(piece, growing)) {
    const auto part = piece.substr(span.begin, span.end - span.begin);
    all += span.display ? "D" : "I";
    all += span.partial ? "P" : "";
    all += "<" + QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size())) + ">";
  }
  return all;
}

std::string shown(std::string_view text) {
  std::string all;
  for (const Block& block : parseMarkdown(text)) all += plainPart(block, 0, block.text.size()) + "\n";
  return all;
}

}  // namespace

class TestMathsSpans : public QObject {
  Q_OBJECT

 private slots:
  void formulasAreFound_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("formulas");
    const auto row = [](const char* name, const char* text, const char* formulas) {
      QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(formulas);
    };
    row("all four", "\\(a\\) \\[b\\] $c$ $$d$$", "I<\\(a\\)>D<\\[b\\]>I<$c$>D<$$d$$>");
    row("over lines", "$$\na\n- b\n$$ and \\[\n  c\n\\]", "D<$$\na\n- b\n$$>D<\\[\n  c\n\\]>");
    row("prices", "It costs $5 and $10.", "");
    row("prices that end", "It costs $5 or 10$ a month.", "");
    row("a range of prices", "$20-$30, US$5, CA$7", "");
    row("prices in a table", "| $5 | $10 |", "");
    row("variables of a shell", "$HOME/$USER ${a}/${b} $a = $b", "");
    row("a number", "$0.5$ and $2x + 1$", "I<$0.5$>I<$2x + 1$>");
    row("an ordinal", "the $n$th, $k$-th", "I<$n$>I<$k$>");
    row("spaces inside", "$ a$ $b $", "");
    row("an escaped dollar", "\\$a$ and $b\\$c$", "I<$b\\$c$>");
    row("an escaped backslash", "\\\\(a\\\\)", "");
    row("a pipe", "| 1 | $x|y$ |", "I<$x|y$>");
    row("code", "`$a$` ``\\(b\\)`` $c$", "I<$c$>");
    row("code in a list", "- a\n  ```\n  $b$\n\n  \\(c\\)\n  ```\n  $d$", "I<$d$>");
    row("not over an empty line", "\\(a\n\nb\\) $$c\n\nd$$", "");
    row("not over items", "- \\(a\n- b\\)", "");
    row("an escaped link", "\\[a\\](b)", "");
    row("an empty one", "\\[ \\] \\(\\)", "");
    row("the inner one", "\\[x] \\[y\\]", "D<\\[y\\]>");
    row("a row's end", "\\[a \\\\[2pt] b\\]", "D<\\[a \\\\[2pt] b\\]>");
    row("environments",
        "\\begin{align*}\na &= b \\\\\n- c\n\\end{align*} so \\begin{equation}x\\end{equation}",
        "D<\\begin{align*}\na &= b \\\\\n- c\n\\end{align*}>D<\\begin{equation}x\\end{equation}>");
    row("one in the other", "\\begin{gather}\\begin{aligned}a\\end{aligned}\\end{gather}",
        "D<\\begin{gather}\\begin{aligned}a\\end{aligned}\\end{gather}>");
    row("an environment between marks", "\\[\\begin{align}a\\end{align}\\]",
        "D<\\[\\begin{align}a\\end{align}\\]>");
    row("no formulas",
        "\\begin{document}a\\end{document} \\begin{cases}a\\end{cases} \\begin{align}a\\end{align*}", "");
    row("an empty environment", "\\begin{align} \\end{align}", "");
    row("an environment in code", "`\\begin{align}a\\end{align}`", "");
    row("in a quote, line by line", "> $$\n> a\n> $$", "DP<$$>DP<a>DP<$$>");
  }
  void formulasAreFound() {
    QFETCH(QByteArray, text);
    QFETCH(QString, formulas);
    QCOMPARE(found(text, false), formulas);
  }

  void theEndOfTheLastMayStillCome() {
    QCOMPARE(found("a \\(x\\_1 + ", true), QString("IP<\\(x\\_1 +>"));
    QCOMPARE(found("\\[\n a\\,b\n", true), QString("DP<\\[>DP<a\\,b>"));
    QCOMPARE(found("$\\alpha\\_1", true), QString("IP<$\\alpha\\_1>"));
    QCOMPARE(found("\\begin{align}\na\\_b\n", true), QString("DP<\\begin{align}>DP<a\\_b>"));
    QCOMPARE(found("\\begin{itemize}\na", true), QString());
    QCOMPARE(found("It costs $5", true), QString());
    QCOMPARE(found("\\(x\\_1\n\nb", true), QString());
    QCOMPARE(found("\\(x\\_1", false), QString());
  }

  // However much of a formula has come, no backslash of it is missing.
  void nothingIsEaten() {
    const std::string text =
        "so \\(x\\_1 \\, y\\) and\n\n\\[\\int_0^1 x\\,dx\\]\n\n\\begin{align*}\na &= "
        "b\\_c\n\\end{align*}\n\n| a | b |\n|---|---|\n| 1 | $x|y\\_2$ |\n";
    const std::string all = shown(text);
    for (const char* formula : {"\\(x\\_1 \\, y\\)", "\\[\\int_0^1 x\\,dx\\]", "$x|y\\_2$",
                                "\\begin{align*}\na &= b\\_c\n\\end{align*}"})
      QVERIFY2(all.find(formula) != std::string::npos, all.c_str());
    for (std::size_t length = 5; length < text.find(" and"); ++length) {
      std::string part = text.substr(0, length);
      QCOMPARE(shown(part), part.substr(0, part.find_last_not_of(' ') + 1) + "\n");
    }
  }

  void aFormulaIsOneParagraph() {
    QCOMPARE(QString::fromStdString(test::dumped(parseMarkdown("$$\na\n= b\n- c\n$$\n# d\n"))),
             QString("p F{$$\na\n= b\n- c\n$$}\nh1 {d}\n"));
    // Alone on its lines an environment is a block, too; its signs begin no list and no heading.
    QCOMPARE(QString::fromStdString(
                 test::dumped(parseMarkdown("So:\n\\begin{align}\n- a\n&= b\n\\end{align}\n# d\n"))),
             QString("p {So:}\np F{\\begin{align}\n- a\n&= b\n\\end{align}}\nh1 {d}\n"));
    // Without its end the blocks are what they would be.
    QCOMPARE(QString::fromStdString(test::dumped(parseMarkdown("a $$\n- b\n- c\n\n# d\n"))),
             QString("p {a $$}\np- M{•\t}{b}\np- M{•\t}{c}\nh1 {d}\n"));
  }

  void whatIsCodeOrAnAddressIsNoFormula() {
    QCOMPARE(QString::fromStdString(test::dumped(parseMarkdown("[a](http://x.y/$b$) $c$ *$d$*"))),
             QString("p {a}(http://x.y/$b$){ }F{$c$}{ }EF{$d$}\n"));
    QCOMPARE(QString::fromStdString(test::dumped(parseMarkdown("- a\n\n      $b$\n"))),
             QString("p- M{•\t}{a}\ncode:- {$b$}\n"));
  }
};

QTEST_APPLESS_MAIN(TestMathsSpans)
#include "tst_maths_spans.moc"

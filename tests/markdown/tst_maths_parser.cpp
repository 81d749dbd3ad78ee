// Formulas that models write have a tree; what is not known, or too much, has none.
#include <QTest>

#include "markdown/texts.h"
#include "widgets/markdown/maths_parser.h"

using namespace vitrine;

class TestMathsParser : public QObject {
  Q_OBJECT

 private slots:
  void whatModelsWriteIsKnown_data() {
    QTest::addColumn<QByteArray>("formula");
    for (const char* const formula :
         {"$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$",
          "$$\\mathrm{softmax}(z)_i = \\frac{e^{z_i}}{\\sum_{j=1}^{K} e^{z_j}}$$",
          "\\[\\text{Attention}(Q, K, V) = \\text{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V\\]",
          "\\[\\int_0^1 x\\,dx\\]",
          "\\(x\\_1\\)",
          "$f'(x) \\in \\mathbb{R}^{n \\times m}$",
          "$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$",
          "$$|x| = \\begin{cases} x & \\text{if } x \\ge 0 \\\\ -x & \\text{otherwise} \\end{cases}$$",
          "$$\\begin{aligned} a &= b \\\\[2pt] &= c \\end{aligned}$$",
          "$$a &= b \\\\ c &= d$$",
          "$\\hat{x}, \\bar{y}, \\vec{v}, \\tilde{z}, \\dot{q}$",
          "$\\sqrt[3]{x}$",
          "$\\binom{n}{k}$",
          "$\\left\\{ x \\mid x > 0 \\right.$",
          "$\\lim_{x \\to 0} \\sin x$",
          "$\\operatorname*{argmax}_\\theta L$",
          "$\\underbrace{a + b}_{n}$",
          "$\\overset{!}{=}$",
          "$\\bigl( x \\bigr)$",
          "$E = mc^2 \\tag{1}$",
          "$\\begin{array}{cc} 1 & 2 \\end{array}$",
          "$a \\not= b \\pmod{n}$",
          "$\\sum\\limits_{i} i$",
          "$90^\\circ$"})
      QTest::newRow(formula) << QByteArray(formula);
  }
  void whatModelsWriteIsKnown() {
    QFETCH(QByteArray, formula);
    QVERIFY(parseMaths(formula.toStdString()));
  }

  void whatIsNotKnownIsShownAsWritten() {
    for (const char* const formula :
         {"$\\unknown$", "$\\frac{a}$", "$x^$", "$x^2^3$", "${a$", "$a}$", "$\\left( a$",
          "$\\begin{x}\\end{x}$", "$\\begin{matrix} a \\end{pmatrix}$", "$50%$", "$\\def\\a{b}$",
          "$\\href{http://x}{y}$", "$\\text{a$b$}$", "$a \\right)$", "$\\$"})
      QVERIFY2(!parseMaths(formula), formula);
  }

  void aFormulaHasABound() {
    std::string deep;
    for (int i = 0; i < 2000; ++i) deep += "\\frac{";
    QVERIFY(!parseMaths(deep) && !parseMaths(test::repeated("{", 4000)) &&
            !parseMaths(test::repeated("x^{", 4000)));
    QVERIFY(!parseMaths(test::repeated("\\sqrt", 4000)) && !parseMaths(test::repeated("\\left(", 4000)));
    QVERIFY(!parseMaths(test::repeated("x", kMaxMathsNodes + 2)) && !parseMaths(test::repeated("&", 4000)));
    QVERIFY(!parseMaths(test::repeated("x ", kMaxMathsBytes + 1)));
  }

  void aTreeIsWhatWasWritten() {
    const MathsNode row = *parseMaths("$a_i^2 + \\frac{b}{\\alpha}$");
    QCOMPARE(row.children.size(), std::size_t{3});
    const MathsNode& scripts = row.children[0];
    QVERIFY(scripts.kind == MathsKind::kScripts);
    QCOMPARE(scripts.children[0].text, "a");
    QCOMPARE(scripts.children[1].text, "i");
    QCOMPARE(scripts.children[2].text, "2");
    QVERIFY(row.children[1].atom == MathsAtom::kBinary);
    QVERIFY(row.children[2].kind == MathsKind::kFraction);
    const MathsNode& below = row.children[2].children[1];
    QCOMPARE(below.children[0].text, "α");
    const MathsNode table = *parseMaths("$$a &= b \\\\ &= c \\\\$$");
    QCOMPARE(table.columns, std::size_t{2});
    QCOMPARE(table.children.size(), std::size_t{4});
  }
};

QTEST_APPLESS_MAIN(TestMathsParser)
#include "tst_maths_parser.moc"

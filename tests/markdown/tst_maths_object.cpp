// Formulas that are set: boxes by TeX's rules, one character of the document each, copied as they were
// written.
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QPainter>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

#include "widgets/markdown/markdown_text.h"
#include "widgets/markdown/maths_object.h"
#include "widgets/markdown/maths_parser.h"
#include "widgets/markdown/maths_setter.h"

using namespace vitrine;

namespace {

MathsBox boxOf(const char* formula, bool display = false) {
  return setMaths(*parseMaths(formula), 20, display);
}

struct Rendered {
  QTextDocument document;
  MarkdownText text{&document};

  explicit Rendered(std::string_view source) {
    MathsObject::install(document);
    document.setTextWidth(600);
    text.setLook(MarkdownLook::of(Theme(QApplication::palette())));
    text.append(source);
    text.finish();
  }
};

}  // namespace

class TestMathsObject : public QObject {
  Q_OBJECT

 private slots:
  void partsStandWhereTeXPutsThem() {
    QVERIFY(boxOf("x^2").ascent > boxOf("x").ascent);
    QVERIFY(boxOf("x_2").descent > boxOf("x").descent);
    QVERIFY(boxOf("\\frac{a}{b}", true).height() > boxOf("\\frac{a}{b}").height());
    QVERIFY(boxOf("\\frac{a}{b}").descent > boxOf("a").descent);
    QVERIFY(boxOf("\\sqrt{x}").width > boxOf("x").width);
    QVERIFY(boxOf("a = b").width > boxOf("ab").width + boxOf("=").width);
    // Limits over and under a sum in display style, beside it in a line.
    QVERIFY(boxOf("\\sum_{i=1}^n", true).height() > boxOf("\\sum_{i=1}^n").height());
    QVERIFY(boxOf("\\left(\\frac{\\frac ab}{c}\\right)").ascent > boxOf("(").ascent);
    QVERIFY(boxOf("\\begin{matrix}a\\\\b\\\\c\\end{matrix}").height() > 3 * boxOf("b").height());
    QCOMPARE(boxOf("").width, 0.0);
  }

  void aFormulaIsOneCharacter() {
    const Rendered rendered("An $x^2$ and\n\n$$y$$\n\nmore \\(\\unknown\\_1\\).");
    QCOMPARE(rendered.document.toRawText().count(QChar::ObjectReplacementCharacter), 2);
    QVERIFY(rendered.document.toPlainText().contains("\\(\\unknown\\_1\\)"));
    const QTextBlock display = rendered.document.findBlockByNumber(1);
    QVERIFY(display.blockFormat().alignment() & Qt::AlignHCenter);
    QCOMPARE(display.begin().fragment().charFormat().stringProperty(kMathsSourceProperty), "$$y$$");
    QCOMPARE(display.begin().fragment().charFormat().toolTip(), "$$y$$");
  }

  void aDisplayFormulaStandsByItself() {
    const Rendered rendered("before\n\\[x\\]\nbehind, and $a$ $$b$$ end");
    QStringList blocks;
    for (QTextBlock block = rendered.document.begin(); block.isValid(); block = block.next())
      blocks << block.text();
    QCOMPARE(blocks, QStringList({"before", "\uFFFC", "behind, and \uFFFC ", "\uFFFC", " end"}));
  }

  void aCopyHasTheSource() {
    const std::string source = "An $x^2$, *and*\n\n\\[\\frac{a}{b}\\]\n\n- $c$";
    const Rendered rendered(source);
    QCOMPARE(rendered.text.plainText(), "An $x^2$, and\n\n\\[\\frac{a}{b}\\]\n\n• $c$");
    QCOMPARE(rendered.text.markdown(0, rendered.document.characterCount()).toStdString(), source);
    QCOMPARE(rendered.text.markdown(2, 6), " $x^2$, ");
    QCOMPARE(rendered.text.sourceAt(3), source.find("$x"));
    QCOMPARE(rendered.text.positionAt(source.find("$x")), 3);
    QCOMPARE(rendered.text.positionAt(source.find(", *and")), 4);
  }

  void anEndThatComesSetsTheFormula() {
    Rendered rendered("so \\(x\\_1 + ");
    QVERIFY(rendered.document.toPlainText().contains("\\(x\\_1 +"));
    rendered.text.append("y\\)");
    rendered.text.finish();
    QCOMPARE(rendered.document.toRawText(), "so \uFFFC");
  }

  // In the text's colour, whatever it is.
  void itIsDrawn() {
    Rendered rendered("$$\\frac{a + b}{\\sqrt{c}}$$");
    QImage image(600, 100, QImage::Format_ARGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    rendered.document.drawContents(&painter);
    painter.end();
    int inked = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) inked += image.pixelColor(x, y).lightness() < 128;
    QVERIFY2(inked > 50, qPrintable(QString::number(inked)));
  }

  void aWideFormulaFits() {
    std::string formula = "$$a";
    for (int i = 0; i < 30; ++i) formula += " + a_{" + std::to_string(i) + "}";
    const Rendered rendered(formula + "$$");
    const QTextLayout* const layout = rendered.document.firstBlock().layout();
    rendered.document.documentLayout()->documentSize();
    QVERIFY(layout->lineAt(0).naturalTextWidth() < boxOf(formula.substr(2).c_str(), true).width);
  }
};

QTEST_MAIN(TestMathsObject)
#include "tst_maths_object.moc"

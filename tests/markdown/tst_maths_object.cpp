// Formulas that are set: boxes by TeX's rules, one character of the document each, copied as they were
// written.
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QPainter>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

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

  // Fonts differ in the room that they leave beside a slanted letter; as in TeX, little of it stays.
  void aScriptIsNearItsLetter() {
    const auto inkOf = [](const MathsBox& box) {
      QImage image(200, 60, QImage::Format_ARGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      box.paint(painter, {20, 40});
      painter.end();
      std::vector<int> columns;
      for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
          if (image.pixelColor(x, y).lightness() < 160) {
            columns.push_back(x);
            break;
          }
      return columns;
    };
    for (const char* const formula : {"d_k", "x_2", "a^2", "V_i", "\\theta_i", "dx"}) {
      const std::vector<int> columns = inkOf(boxOf(formula));
      QVERIFY(!columns.empty());
      int widest = 0;
      for (std::size_t i = 1; i < columns.size(); ++i) widest = std::max(widest, columns[i] - columns[i - 1]);
      QVERIFY2(widest <= 4, qPrintable(QString("%1: %2 of 20 pixels").arg(formula).arg(widest)));
    }
  }

  // Over the letter, no higher than it: f', not f to the power of a speck.
  void aPrimeIsOverItsLetter() {
    const MathsBox plain = boxOf("f"), primed = boxOf("f'");
    QVERIFY2(primed.ascent <= plain.ascent + 2, qPrintable(QString::number(primed.ascent)));
    QVERIFY(primed.width < boxOf("f^2").width);
    QVERIFY(boxOf("f''").width > primed.width);
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

  // Broken into lines of the same size, or, where there is no sign to break before, smaller.
  void aWideFormulaFits() {
    std::string sum = "a = b", letters;
    for (int i = 0; i < 60; ++i)
      sum += " + a_{" + std::to_string(i) + "}", letters += "a_{" + std::to_string(i) + "}";
    for (const std::string& formula : {"$$" + sum + "$$", "$$" + letters + "$$", "so $" + sum + "$"}) {
      const Rendered rendered(formula);
      rendered.document.documentLayout()->documentSize();
      const QTextLayout* const layout = rendered.document.firstBlock().layout();
      for (int i = 0; i < layout->lineCount(); ++i)
        QVERIFY2(layout->lineAt(i).naturalTextWidth() <= 600, formula.c_str());
    }
    const auto tree = parseMaths("a = b + c - d");
    const MathsBox lines = setMathsInLines(*tree, 20, 80), line = setMaths(*tree, 20, true);
    QVERIFY(line.width > 80 && lines.width <= 80);
    QVERIFY(lines.height() > 1.5 * line.height());
    QCOMPARE(lines.marks.front().font.pixelSize(), line.marks.front().font.pixelSize());
    QCOMPARE(setMathsInLines(*tree, 20, 1).width > 1, true);  // no part is cut
  }

  // A table is no wider than the text, however many wide formulas are in its cells. One alone in its cell
  // keeps its size.
  void aWideFormulaFitsInATable() {
    std::string sum = "a = b";
    for (int i = 0; i < 30; ++i) sum += " + a_{" + std::to_string(i) + "}";
    const double height = setMaths(*parseMaths(sum), 16, true).height();
    for (const std::string& row : {"| x | $" + sum + "$ |", "| $$" + sum + "$$ | so $" + sum + "$ |"}) {
      const Rendered rendered("| a | b |\n|---|---|\n" + row + "\n| c | d |\n");
      auto* const layout = rendered.document.documentLayout();
      layout->documentSize();
      auto* const table = qobject_cast<QTextTable*>(rendered.document.rootFrame()->childFrames().value(0));
      QVERIFY(table != nullptr);
      const double right = layout->frameBoundingRect(table).right();
      QVERIFY2(right <= 600.5, qPrintable(QString::number(right)));
      const QTextTableCell alone = table->cellAt(1, row.starts_with("| x") ? 1 : 0);
      const double high = layout->blockBoundingRect(alone.firstCursorPosition().block()).height();
      QVERIFY2(high > 2 * height, qPrintable(QString::number(high)));
    }
  }

  // LaTeX's own environments stand in the middle, as between \[ and \], and are copied as they were written.
  void anEnvironmentIsADisplayFormula() {
    for (const char* name : {"align", "align*", "equation", "gather*"}) {
      const std::string formula =
          std::string("\\begin{") + name + "}\na &= b \\\\\n&= \\sum_{i=1}^n c\n\\end{" + name + "}";
      QVERIFY2(parseMaths(formula), formula.c_str());
      const Rendered rendered("So:\n" + formula + "\nand.");
      QCOMPARE(rendered.document.blockCount(), 3);
      const QTextBlock block = rendered.document.firstBlock().next();
      QCOMPARE(block.text(), QString(QChar(0xfffc)));
      QCOMPARE(block.blockFormat().alignment(), Qt::AlignHCenter);
      QVERIFY(rendered.text.markdown(0, rendered.document.characterCount())
                  .contains(QString::fromStdString(formula)));
    }
  }

  // Lines with formulas that are no higher than the text are as far apart as lines without.
  void baselinesAreEven() {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "words and $x_i$ and $a$ ";
    const Rendered rendered(text);
    rendered.document.documentLayout()->documentSize();
    const QTextLayout* const layout = rendered.document.firstBlock().layout();
    QVERIFY(layout->lineCount() > 3);
    const auto baseline = [&](int i) { return layout->lineAt(i).y() + layout->lineAt(i).ascent(); };
    for (int i = 2; i < layout->lineCount(); ++i)
      QVERIFY(std::abs(baseline(i) - baseline(i - 1) - (baseline(1) - baseline(0))) < 0.01);
  }

  // Drawn for the pixels that there are: half a pixel of the window is a pixel of its own.
  void itIsSharpAtAnyRatio() {
    Rendered rendered("$$\\frac{aaaa}{bbbb}$$");
    rendered.document.documentLayout()->documentSize();
    const auto drawn = [&](double ratio) {
      QImage image(QSize(600, 80) * ratio, QImage::Format_ARGB32);
      image.setDevicePixelRatio(ratio);
      image.fill(Qt::white);
      QPainter painter(&image);
      rendered.document.drawContents(&painter);
      painter.end();
      return image;
    };
    for (const double ratio : {1.5, 2.0}) {
      const QImage image = drawn(ratio);
      const QImage blown = drawn(1).scaled(image.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      int mixed = 0, mixedBlown = 0;
      const auto isMixed = [](QColor c) { return c.lightness() > 60 && c.lightness() < 200; };
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
          mixed += isMixed(image.pixelColor(x, y));
          mixedBlown += isMixed(blown.pixelColor(x, y));
        }
      QVERIFY2(mixed > 0 && mixed < 0.8 * mixedBlown,
               qPrintable(QString("%1 %2").arg(mixed).arg(mixedBlown)));
    }
  }
};

QTEST_MAIN(TestMathsObject)
#include "tst_maths_object.moc"

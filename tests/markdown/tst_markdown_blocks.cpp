// What the parser makes of each kind of Markdown, and of text that tries to be more than text.
#include <QTest>

#include "markdown/block_dump.h"
#include "markdown/texts.h"
#include "widgets/markdown/autolinks.h"
#include "widgets/markdown/markdown_stream.h"
#include "widgets/markdown/shown_text.h"

using namespace vitrine;

namespace {

QString blocksOf(const QByteArray& text) {
  return QString::fromStdString(
      test::dumped(parseMarkdown({text.data(), static_cast<std::size_t>(text.size())})));
}

}  // namespace

class TestMarkdownBlocks : public QObject {
  Q_OBJECT

 private slots:
  void aTextBecomesBlocks_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("blocks");
    const auto row = [](const char* name, const char* text, const char* blocks) {
      QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(blocks);
    };
    row("nothing", "\n \n", "");
    row("paragraphs", "one\ntwo\n\nthree", "p {one}{\n}{two}\np {three}\n");
    row("a hard break", "one  \ntwo\\\nthree", "p {one}{\n}{two}{\n}{three}\n");
    row("styles", "*a* **b** ***c*** ~~d~~ `e`", "p E{a}{ }S{b}{ }SE{c}{ }D{d}{ }C{e}\n");
    row("headings", "# a #\nb\n===\nc\n---\n###### f", "h1 {a}\nh1 {b}\nh2 {c}\nh6 {f}\n");
    row("rules", "a\n***\n- - -\n", "p {a}\nrule \nrule \n");
    row("a list after a paragraph", "a\n- b\n- c", "p {a}\np- M{•\t}{b}\np- M{•\t}{c}\n");
    row("a number that ends no paragraph", "a\n2. b", "p {a}{\n}{2. b}\n");
    row("numbers", "3. a\n3. b\n\n   c\n", "p- M{3.\t}{a}\np- M{4.\t}{b}\np- {c}\n");
    row("nested", "- a\n  1) b\n     - c\n- d",
        "p- M{•\t}{a}\np-- M{1)\t}{b}\np--- M{▪\t}{c}\np- M{•\t}{d}\n");
    row("tasks", "- [ ] a\n- [x] b", "p- M{☐\t}{a}\np- M{☑\t}{b}\n");
    row("an empty item", "-\n- a", "p- M{•\t}\np- M{•\t}{a}\n");
    row("quotes", "> a\n> > b\nlazy\n\n> c", "p> {a}\np>> {b}{\n}{lazy}\np> {c}\n");
    row("a table", "|a|b|\n|:--|--:|\n|`x`|\n", "cell0,0 {a}\ncell0,1 {b}\ncell1,0 C{x}\ncell1,1 \n");
    row("code", "```C++ {.n}\nint\n\n  *x*\n```\na", "code:c++ {int}\ncode:c++ \ncode:c++ {  *x*}\np {a}\n");
    row("a fence that is indented", "  ~~~\n  a\n    b\n c\n  ~~~", "code: {a}\ncode: {  b}\ncode: {c}\n");
    row("a fence that is not closed", "```\na\n# b", "code: {a}\ncode: {# b}\n");
    row("code in a list", "- a\n  ```py\n  x\n  ```\n", "p- M{•\t}{a}\ncode:py- {x}\n");
    row("indented code", "    a\n\n    b", "code: {a}\ncode: \ncode: {b}\n");
    row("entities", "&amp;&#65;&#x42;&unknown;&#0;", "p {&}{A}{B}{&unknown;}{\uFFFD}\n");
    row("escapes", "\\*a\\*", "p {*a}{*}\n");
    row("html", "<div>\n<b>x</b> <!-- c -->", "p {<div>}{\n}{<b>x</b> <!-- c -->}\n");
    row("a link", "[a *b*](https://x.y \"t\")", "p {a }(https://x.y)E{b}(https://x.y)\n");
    row("an address", "see http://x.y/a_b_c. And (www.x.y)!",
        "p {see }{http://x.y/a_b_c}(http://x.y/a_b_c){. And (}{www.x.y}(http://www.x.y){)!}\n");
    row("an address through an entity", "http://x.y?a&amp;b",
        "p {http://x.y?a}(http://x.y?a&b){&}(http://x.y?a&b){b}(http://x.y?a&b)\n");
    row("no address", "http:// xhttp://a www. www.x `http://x.y`",
        "p {http:// xhttp://a www. www.x }C{http://x.y}\n");
    row("an address between brackets", "<https://x.y> <mailto:a@b.c>",
        "p {https://x.y}(https://x.y){ }{mailto:a@b.c}(mailto:a@b.c)\n");
    row("a picture", "![a](https://x.y/p.png)",
        "p {a}(https://x.y/p.png)A{ (https://x.y/p.png)}(https://x.y/p.png)\n");
    row("javascript", "[a](javascript:alert(1))", "p {a}A{ (javascript:alert(1))}\n");
    row("a disguised scheme", "[a](java&#115;cript:x) [b](&#1;http://x) [c](DATA:x) <javascript:x>",
        "p {a}A{ (javascript:x)}{ }{b}A{ (␁http://x)}{ }{c}A{ (DATA:x)}{ }{javascript:x}A{ "
        "(javascript:x)}\n");
    row("a relative link", "[a](b.md)", "p {a}A{ (b.md)}\n");
    row("a definition is text", "[a]: http://x.y\n\n[a]", "p {[a]: }{http://x.y}(http://x.y)\np {[a]}\n");
    row("a definition over lines", "[a\nb]:\nhttp://x.y", "p {[a}{\n}{b]:}{\n}{http://x.y}(http://x.y)\n");
    row("a host of numbers", "[a](http://[::1]:80/)", "p {a}(http://[::1]:80/)\n");
    row("footnotes", "a[^1], **b[^22]**.\n\n[^1]: one\n[^22]: https://x.y",
        "p {a}^{[^1]}{, }S{b}S^{[^22]}{.}\np note{[^1]:}{ one}\np note{[^22]:}{ "
        "}{https://x.y}(https://x.y)\n");
    row("footnotes elsewhere", "# h[^1]\n> [^1]: q\n\n|a[^2]|\n|---|\n|[^2]: b|",
        "h1 {h}^{[^1]}\np> note{[^1]:}{ q}\ncell0,0 {a}^{[^2]}\ncell1,0 ^{[^2]}{: b}\n");
    row("an address before a footnote", "http://x.y/a[^1] b", "p {http://x.y/a}(http://x.y/a)^{[^1]}{ b}\n");
    row("no footnote", "[^] [^a z] [^1 ] [a[^1]](http://x.y) [^[1] [^12",
        "p {[^] [^a z] [^1 ] }{a[^1]}(http://x.y){ [^[1] [^12}\n");
    row("no footnote in code", "`[^1]` $[^1]$\n\n```\n[^1]: a\n```\n\n    [^1]: b",
        "p C{[^1]}{ }F{$[^1]$}\ncode: {[^1]: a}\ncode: {[^1]: b}\n");
    row("bidi", "a\u202Eb\u2066c", "p {a}R{\uFFFD}{b}R{\uFFFD}{c}\n");
    row("controls", "a\x1b[0m\x07\x7f \x0c b", "p {a}R{␛}{[0m}R{␇␡}{ }R{␌}{ b}\n");
    row("a carriage return alone", "a\rb\r\nc", "p {a}R{␍}{b}{\n}{c}\n");
    row("invalid", "a\xff\xed\xa0\x80z", "p {a}R{\uFFFD\uFFFD\uFFFD\uFFFD}{z}\n");
    row("separators", "a\u2028b\u2029c\uFFFCd\uFEFF", "p {a}R{␤}{b}R{␤}{c}R{\uFFFD}{d}R{\uFFFD}\n");
  }
  void aTextBecomesBlocks() {
    QFETCH(QByteArray, text);
    QFETCH(QString, blocks);
    QCOMPARE(blocksOf(text), blocks);
  }

  void aNulIsShown() { QCOMPARE(blocksOf(QByteArray("a\0b", 3)), QString("p {a}R{␀}{b}\n")); }

  void whatIsBeyondABoundIsPlainText() {
    // A line.
    const std::string line = test::repeated("*a* ", kMaxLineBytes) + "b";
    std::string shown;
    for (const Block& block : parseMarkdown("# x\n" + line + "\n*y*")) {
      if (block.kind == BlockKind::kPlain) shown += block.text;
    }
    QCOMPARE(shown, line);
    // A table: its cells; a list: its depth.
    const std::string table = test::tableOf(200, 30);
    for (const Block& block : parseMarkdown(table)) QCOMPARE(block.kind, BlockKind::kPlain);
    int deepest = 0;
    for (const Block& block : parseMarkdown(test::deepList(40)))
      deepest = std::max<int>(deepest, block.listDepth);
    QCOMPARE(deepest, kMaxDepth);
    // A paragraph of many lines: its first part is Markdown, the rest is not.
    const std::vector<Block> blocks =
        parseMarkdown(test::repeated("*a* and more\n", 2 * kMaxPieceBytes) + "\n*c*");
    QCOMPARE(blocks.front().kind, BlockKind::kParagraph);
    QCOMPARE(blocks[1].kind, BlockKind::kPlain);
    QCOMPARE(blocks.back().kind, BlockKind::kParagraph);
    QCOMPARE(blocks.back().text, "c");
  }

  void aLongListGoesOnCounting() {
    std::string text;
    for (int i = 1; i <= 1000; ++i) text += "1. item\n";
    const std::vector<Block> blocks = parseMarkdown(text);
    QCOMPARE(blocks.size(), std::size_t{1000});
    QCOMPARE(blocks.back().text, "1000.\titem");
    QVERIFY(!blocks[999].spaced && blocks[0].spaced);
  }

  // Every byte of the source belongs to one block, and all that is no markup is shown.
  void theSourceIsDividedAmongTheBlocks() {
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
      const std::string text = test::randomText(random, 60);
      std::size_t place = 0, shown = 0;
      for (const Block& block : parseMarkdown(text)) {
        QVERIFY(block.sourceBegin >= place);
        place = block.sourceBegin;
        QVERIFY(firstSource(block) >= shown);
        std::uint32_t end = 0;
        for (const Run& run : block.runs) {
          QVERIFY(run.begin == end && run.end > run.begin);
          QVERIFY(run.source >= shown && run.source + run.sourceBytes <= text.size());
          end = run.end;
          shown = run.source;
          if (!run.verbatim) continue;
          const std::string source = text.substr(run.source, run.sourceBytes);
          QCOMPARE(block.text.substr(run.begin, run.end - run.begin), shownText(source));
        }
        QCOMPARE(end, block.text.size());
      }
    }
  }

  void nothingThatHidesIsShown() {
    for (const auto& [name, text] : test::hostileTexts(20000))
      for (const Block& block : parseMarkdown(text)) {
        // But for U+FFFC, which stands for a formula.
        QString shown = QString::fromStdString(block.text);
        if (!block.formulas.empty()) shown.remove(QChar(QChar::ObjectReplacementCharacter));
        QCOMPARE(shown.toStdString(), shownText(shown.toStdString()));
        for (const std::string& link : block.links) QVERIFY(isAllowedAddress(link));
      }
  }
};

QTEST_APPLESS_MAIN(TestMarkdownBlocks)
#include "tst_markdown_blocks.moc"

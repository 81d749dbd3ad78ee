// Footnotes of a whole message: which marks belong together, their numbers and place, and that nothing is
// lost.
#include <QTest>
#include <set>

#include "markdown/block_dump.h"
#include "markdown/texts.h"
#include "widgets/markdown/footnotes.h"
#include "widgets/markdown/markdown_stream.h"

using namespace vitrine;

namespace {

QString settledOf(const QByteArray& text) {
  const std::vector<Block> blocks = parseMarkdown({text.data(), static_cast<std::size_t>(text.size())});
  const auto settled = settleFootnotes(blocks);
  return QString::fromStdString(test::dumped(settled ? settled->blocks : blocks));
}

// A block's text as the message has it: without the mark of a list's item.
std::string writtenText(const Block& block) {
  std::string text;
  for (const Run& run : block.runs) {
    if (run.style & kMarker) continue;
    text += run.footnote < 0 ? block.text.substr(run.begin, run.end - run.begin)
                             : block.footnotes[static_cast<std::size_t>(run.footnote)].written;
  }
  return text;
}

}  // namespace

class TestFootnotes : public QObject {
  Q_OBJECT

 private slots:
  void notesAreSettled_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("blocks");
    const auto row = [](const char* name, const char* text, const char* blocks) {
      QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(blocks);
    };
    row("a label", "a[^why] b.\n\n[^why]: because", "p {a}^{1}{ b.}\nrule \np note{1}{ because}\n");
    row("any label", "a[^long-name_2] [^日本] [^?!]\n\n[^?!]: x\n\n[^日本]: y\n\n[^long-name_2]: z",
        "p {a}^{1}{ }^{2}{ }^{3}\nrule \np note{1}{ z}\np note{2}{ y}\np note{3}{ x}\n");
    row("the order of references", "a[^z] b[^a] c[^z]\n\n[^a]: A\n[^z]: Z",
        "p {a}^{1}{ b}^{2}{ c}^{1}\nrule \np note{1}{ Z}\np note{2}{ A}\n");
    row("numbers as labels", "a[^7] b[^3]\n\n[^3]: x\n[^7]: y",
        "p {a}^{1}{ b}^{2}\nrule \np note{1}{ y}\np note{2}{ x}\n");
    row("capital letters", "a[^Why] b[^ÄÖΩЖ]\n\n[^wHY]: x\n\n[^äöωж]: y",
        "p {a}^{1}{ b}^{2}\nrule \np note{1}{ x}\np note{2}{ y}\n");
    row("a note in the middle", "a[^1]\n\n[^1]: n\n\nb", "p {a}^{1}\np {b}\nrule \np note{1}{ n}\n");
    row("a note before its reference", "[^1]: n\n\nb[^1]", "p {b}^{1}\nrule \np note{1}{ n}\n");
    row("without a note, without a reference", "a[^x] b[^y]\n\n[^x]: n\n[^z]: m",
        "p {a}^{1}{ b}^{[^y]}\np note{[^z]:}{ m}\nrule \np note{1}{ n}\n");
    row("no note at all", "[^a-z] is not [^1]", "p ^{[^a-z]}{ is not }^{[^1]}\n");
    row("no reference at all", "a\n\n[^1]: n", "p {a}\np note{[^1]:}{ n}\n");
    row("in a list", "- a[^1]\n- [^1]: n\n- b", "p- M{•\t}{a}^{1}\np- M{•\t}{b}\nrule \np note{1}{ n}\n");
    row("below an item", "1. a[^1]\n   [^1]: n\n2. b",
        "p- M{1.\t}{a}^{1}\np- M{2.\t}{b}\nrule \np note{1}{ n}\n");
    row("a box to tick is no note", "a[^1]\n\n- [ ] [^1]: n", "p {a}^{[^1]}\np- M{☐\t}^{[^1]}{: n}\n");
    row("in a quote", "> a[^1]\n>\n> [^1]: n", "p> {a}^{1}\nrule \np note{1}{ n}\n");
    row("in a heading and cells", "# h[^h]\n\n|a[^c]|b|\n|---|---|\n|[^h]: c|[^x]|\n\n[^c]: C\n[^h]: H",
        "h1 {h}^{1}\ncell0,0 {a}^{2}\ncell0,1 {b}\ncell1,0 ^{1}{: c}\ncell1,1 ^{[^x]}\nrule \n"
        "p note{1}{ H}\np note{2}{ C}\n");
    row("code", "`[^1]` a[^1]\n\n```\n[^1]: code\n```\n\n    [^1]: code\n\n[^1]: n",
        "p C{[^1]}{ a}^{1}\ncode: {[^1]: code}\ncode: {[^1]: code}\nrule \np note{1}{ n}\n");
    row("a backslash", "a\\[^1] b\\\\[^1]\n\n[^1]: n", "p {a}{[^1] b}{\\}^{1}\nrule \np note{1}{ n}\n");
    row("two notes of a label", "a[^1]\n\n[^1]: n\n\n[^1]: m",
        "p {a}^{1}\np note{[^1]:}{ m}\nrule \np note{1}{ n}\n");
    row("in a circle", "x[^a]\n\n[^a]: see [^b]\n\n[^b]: see [^a]",
        "p {x}^{1}\nrule \np note{1}{ see }^{2}\np note{2}{ see }^{1}\n");
    row("a circle that no text leads to", "[^a]: [^b]\n\n[^b]: [^a]",
        "p note{[^a]:}{ }^{[^b]}\np note{[^b]:}{ }^{[^a]}\n");
    row("several paragraphs", "a[^1]\n\n[^1]: one\nlazy\n\n    two `c`\n\n        code\n\n    - l\n\nb",
        "p {a}^{1}\np {b}\nrule \np note{1}{ one}{\n}{lazy}\np {two }C{c}\ncode: {code}\np- M{•\t}{l}\n");
    row("a tab under a note", "a[^1]\n\n[^1]: one\n\n\ttwo\n  \tthree\n\n    four",
        "p {a}^{1}\nrule \np note{1}{ one}\np {two}{\n}{three}\np {four}\n");
    row("code after another paragraph", "a[^1]\n\n[^1]: n\n\nb\n\n    code",
        "p {a}^{1}\np {b}\ncode: {code}\nrule \np note{1}{ n}\n");
    row("text around notes", "a[^1]\n[^1]: n\n[^2]: m\nb[^2]",
        "p {a}^{1}\np note{[^2]:}{ m}{\n}{b}^{[^2]}\nrule \np note{1}{ n}\n");
    row("links of a note", "[l](http://a.b) c[^1]\n[^1]: [m](http://c.d) http://e.f",
        "p {l}(http://a.b){ c}^{1}\nrule \np note{1}{ }{m}(http://c.d){ }{http://e.f}(http://e.f)\n");
    row("a formula of a note", "a[^1]\n\n[^1]: so\n$$x$$\nb",
        "p {a}^{1}\nrule \np note{1}{ so}\np F{$$x$$}\np {b}\n");
  }
  void notesAreSettled() {
    QFETCH(QByteArray, text);
    QFETCH(QString, blocks);
    QCOMPARE(settledOf(text), blocks);
  }

  // Between what follows each other now.
  void gapsStay() {
    const std::string text =
        "a[^1][^2][^3]\n\n[^1]: n\nlazy\n[^x]: m\n\n[^2]: one\n\n    two\n\n[^3]: three\n\nb";
    const auto settled = settleFootnotes(parseMarkdown(text));
    QVERIFY(settled);
    std::vector<bool> spaced;
    for (const Block& block : settled->blocks) spaced.push_back(block.spaced);
    // a, [^x], b, the line, the first note, the second of two paragraphs, the third.
    QVERIFY((spaced == std::vector<bool>{true, true, true, true, true, false, true, true}));
  }

  void aLongLabelIsText() {
    for (const std::size_t bytes : {kMaxNoteLabelBytes, kMaxNoteLabelBytes + 1}) {
      const std::string mark = "[^" + std::string(bytes, 'x') + "]";
      const auto settled = settleFootnotes(parseMarkdown("a" + mark + "\n\n" + mark + ": n"));
      QCOMPARE(settled.has_value(), bytes == kMaxNoteLabelBytes);
    }
  }

  void whichReferenceIsCounted() {
    const auto settled = settleFootnotes(parseMarkdown("a[^x] b[^y] c[^x]\n\n[^x]: [^x]\n[^y]: m"));
    QVERIFY(settled);
    std::vector<std::uint32_t> references;
    for (const Block& block : settled->blocks)
      for (const Footnote& note : block.footnotes) references.push_back(note.reference);
    QVERIFY((references == std::vector<std::uint32_t>{1, 1, 2, 0, 3, 0}));
  }

  // Each block is there once, with what it says; blocks of the text keep their order; a number leads to a
  // note.
  void nothingIsLost() {
    std::mt19937 random(41);
    std::vector<std::string> texts;
    for (const auto& [name, text] : test::hostileTexts(20000)) texts.push_back(text);
    for (int i = 0; i < 600; ++i) texts.push_back(test::randomText(random, 20 + i % 100));
    int settledTexts = 0;
    for (const std::string& text : texts) {
      const std::vector<Block> blocks = parseMarkdown(text);
      const auto settled = settleFootnotes(blocks);
      if (!settled) continue;
      ++settledTexts;
      QCOMPARE(settled->blocks.size(), blocks.size() + 1);
      std::size_t before = 0;
      bool inNotes = false;
      std::uint32_t notes = 0, highest = 0;
      std::set<std::size_t> seen;
      for (std::size_t i = 0; i < settled->blocks.size(); ++i) {
        for (const Footnote& note : settled->blocks[i].footnotes) {
          highest = std::max(highest, note.number);
          if (note.reference > 0) continue;
          QVERIFY(inNotes);
          QCOMPARE(note.number, ++notes);
        }
        const std::size_t origin = settled->origins[i];
        if (origin == SettledBlocks::kNone) {
          QVERIFY(!std::exchange(inNotes, true));
          continue;
        }
        QVERIFY(seen.insert(origin).second);
        QCOMPARE(settled->places[origin], i);
        QCOMPARE(writtenText(settled->blocks[i]), writtenText(blocks[origin]));
        QVERIFY(inNotes || origin >= before);
        before = origin;
      }
      QVERIFY(inNotes && notes == highest);
    }
    QVERIFY2(settledTexts > 50, qPrintable(QString::number(settledTexts)));
  }
};

QTEST_APPLESS_MAIN(TestFootnotes)
#include "tst_footnotes.moc"

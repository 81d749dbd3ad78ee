// The document of a message: the same however the text came, left alone where it is finished, with ways back
// to the source, copies, links, tints and code.
#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

#include "markdown/document_dump.h"
#include "markdown/texts.h"
#include "widgets/markdown/markdown_text.h"
#include "widgets/markdown/shown_text.h"

using namespace vitrine;

namespace {

struct Rendered {
  QTextDocument document;
  MarkdownText text{&document};

  explicit Rendered(std::string_view source = {}) {
    text.setLook(MarkdownLook::of(Theme(QApplication::palette())));
    text.append(source);
    text.finish();
  }
};

int positionOf(const Rendered& rendered, const QString& word) {
  return rendered.document.find(word).selectionStart();
}

}  // namespace

class TestMarkdownText : public QObject {
  Q_OBJECT

 private slots:
  void partsGiveTheSameDocumentAsAtOnce() {
    std::mt19937 random(21);
    std::vector<std::string> texts(2, test::ordinaryText());
    for (int i = 0; i < 60; ++i) texts.push_back(test::randomText(random, 10 + i % 60));
    for (const std::string& source : texts) {
      Rendered streamed;
      for (const std::string& part : test::randomParts(random, source, 15)) {
        streamed.text.append(part);
        streamed.text.finish();
      }
      QCOMPARE(
          test::firstDifference(test::dumped(streamed.document), test::dumped(Rendered(source).document)),
          QString());
    }
  }

  void partsOfHostileTextsToo() {
    std::mt19937 random(22);
    for (const auto& [name, source] : test::hostileTexts(6000)) {
      Rendered streamed;
      for (const std::string& part : test::randomParts(random, source, 2000)) {
        streamed.text.append(part);
        streamed.text.update();  // one frame for each part, and text that waits
      }
      streamed.text.finish();
      const Rendered once(source);
      QVERIFY2(test::dumped(streamed.document) == test::dumped(once.document), name);
    }
  }

  void whatIsFinishedIsNotTouched() {
    Rendered rendered;
    rendered.document.documentLayout();  // without one a document does not say what changes
    int earliest = 0, changes = 0;
    connect(&rendered.document, &QTextDocument::contentsChange, this, [&](int from) {
      earliest = std::min(earliest, from);
      ++changes;
    });
    std::mt19937 random(23);
    const MarkdownStream& stream = rendered.text.stream();
    for (const std::string& part :
         test::randomParts(random, test::ordinaryText() + test::ordinaryText(), 9)) {
      const std::size_t closed = stream.closed();
      const int end = closed == 0 ? 0 : rendered.text.positionAt(firstSource(stream.blocks()[closed - 1]));
      earliest = rendered.document.characterCount();
      rendered.text.append(part);
      rendered.text.finish();
      QVERIFY2(earliest >= end, qPrintable(QString("%1 of %2").arg(earliest).arg(end)));
    }
    QVERIFY(stream.closed() > 20 && changes > 100);
  }

  void aSelectionInAGrowingParagraphHolds() {
    Rendered rendered("one *two* thr");
    QTextCursor cursor(&rendered.document);
    cursor.setPosition(4);
    cursor.setPosition(7, QTextCursor::KeepAnchor);
    rendered.text.append("ee **four** five\nsix");
    rendered.text.finish();
    QCOMPARE(cursor.selectedText(), "two");
    QCOMPARE(rendered.document.toPlainText(), "one two three four five\nsix");
  }

  void sourceAndPositionAgree() {
    std::mt19937 random(24);
    for (int i = 0; i < 60; ++i) {
      const std::string source = i < 1 ? test::ordinaryText() : test::randomText(random, 40);
      const Rendered rendered(source);
      for (const Block& block : rendered.text.stream().blocks())
        for (const Run& run : block.runs) {
          if (!run.verbatim) continue;
          std::size_t at = run.source;
          while (at < run.source + run.sourceBytes) {
            const ShownCharacter shown =
                shownCharacter(std::string_view(source).substr(0, run.source + run.sourceBytes), at);
            const int position = rendered.text.positionAt(at);
            QCOMPARE(rendered.text.sourceAt(position), at);
            if (shown.code == U'\n')  // between the lines of a formula
              QCOMPARE(rendered.document.characterAt(position), QChar(QChar::LineSeparator));
            else
              QCOMPARE(rendered.document.characterAt(position),
                       shown.code < 0x10000 ? QChar(static_cast<char16_t>(shown.code))
                                            : QChar(QChar::highSurrogate(shown.code)));
            at += shown.sourceBytes;
          }
        }
      int before = 0;
      for (std::size_t at = 0; at <= source.size(); ++at) {
        const int position = rendered.text.positionAt(at);
        QVERIFY(position >= before && position < rendered.document.characterCount());
        before = position;
      }
    }
  }

  void linksAreAddressesOnly() {
    const Rendered rendered("[good](https://e.org/x) [bad](javascript:1) plain ![pic](http://e.org/p.png)");
    QCOMPARE(rendered.text.addressAt(positionOf(rendered, "good")), "https://e.org/x");
    QCOMPARE(rendered.text.addressAt(positionOf(rendered, "bad")), QString());
    QCOMPARE(rendered.text.addressAt(positionOf(rendered, "plain")), QString());
    QCOMPARE(rendered.text.addressAt(positionOf(rendered, "pic")), "http://e.org/p.png");
    QCOMPARE(rendered.text.addressAt(1 << 20), QString());
    for (QTextBlock block = rendered.document.begin(); block.isValid(); block = block.next())
      for (auto it = block.begin(); !it.atEnd(); ++it) {
        QVERIFY(!it.fragment().charFormat().isImageFormat());
        QVERIFY(!it.fragment().charFormat().anchorHref().startsWith("javascript"));
      }
  }

  void codeBlocksHaveTheirTextAndPlace() {
    const Rendered rendered("a\n```py\nx = 1\n\ny\n```\n- b\n  ```\n  z\n  ```\n```\n```\n");
    const std::vector<CodePlace> places = rendered.text.codeBlocks();
    QCOMPARE(places.size(), std::size_t{2});
    QCOMPARE(rendered.text.codeText(places[0]), "x = 1\n\ny");
    QCOMPARE(places[0].language, "py");
    QCOMPARE(places[0].begin, positionOf(rendered, "x = 1"));
    QCOMPARE(rendered.document.characterAt(places[0].end - 1), QChar('y'));
    QCOMPARE(rendered.text.codeText(places[1]), "z");
    // A line that was cut is one line.
    const std::string line(3 * kMaxLineBytes, 'x');
    const Rendered cut("```\n" + line + "\nb");
    QCOMPARE(cut.text.codeText(cut.text.codeBlocks()[0]).toStdString(), line + "\nb");
  }

  void copiesAsPlainText() {
    const Rendered rendered(
        "# T\n\none **two**  \nthree\n\n- a\n  - b\n\n|x|y|\n|---|---|\n|1|2|\n\n```\nc\nd\n```\n");
    QCOMPARE(rendered.text.plainText(), "T\n\none two\nthree\n\n• a\n  ◦ b\n\nx\ty\n1\t2\n\nc\nd");
    const int two = positionOf(rendered, "two");
    QCOMPARE(rendered.text.plainText(two, two + 3), "two");
    const std::string line(3 * kMaxLineBytes, 'x');
    QCOMPARE(Rendered(line + "\n").text.plainText().toStdString(), line);
  }

  void copiesAsMarkdown() {
    const std::string source =
        "# T\n\none **two *x*** `c` [l](https://e.org)\n\n1. a\n2. b\n\n```c\nint x;\n```\n\nend";
    const Rendered rendered(source);
    const int all = rendered.document.characterCount();
    QCOMPARE(rendered.text.markdown(0, all).toStdString(), source);
    const int two = positionOf(rendered, "two");
    QCOMPARE(rendered.text.markdown(two + 1, all).toStdString(),
             "**wo** ***x*** `c` [l](<https://e.org>)\n\n1. a\n2. b\n\n```c\nint x;\n```\n\nend");
    QCOMPARE(rendered.text.markdown(0, two + 1), "# T\n\none **t**");
    QCOMPARE(rendered.text.markdown(two, two), "");
    // What a part shows as Markdown is what it showed.
    const Rendered hostile("a \\*b\\* `` ` `` <x> [y]\\(z) &amp;amp; ~~q~~ tail");
    const int end = positionOf(hostile, "tail");
    const QString part = hostile.text.markdown(0, end + 2);
    QCOMPARE(Rendered(part.toStdString()).text.plainText(), hostile.text.plainText(0, end + 2));
  }

  // Poems and addresses: each line stands by itself, and a copy has the source, whole or in part.
  void linesOfAParagraphAreKept() {
    const std::string source =
        "The fog comes\non *little cat\nfeet*.\n\n- 12 Ash Road\n  Lower Town\n\n> a\n> b\nlazy\n\nhard  "
        "\nbreak\\\nend";
    const Rendered rendered(source);
    QCOMPARE(rendered.document.firstBlock().text(), "The fog comes\u2028on little cat\u2028feet.");
    QCOMPARE(
        rendered.text.plainText(),
        "The fog comes\non little cat\nfeet.\n\n• 12 Ash Road\nLower Town\n\na\nb\nlazy\n\nhard\nbreak\nend");
    const int all = rendered.document.characterCount();
    QCOMPARE(rendered.text.markdown(0, all).toStdString(), source);
    QCOMPARE(rendered.text.markdown(4, all).toStdString().substr(0, 26), "fog comes\non *little cat*\n");
    const QString part = rendered.text.markdown(4, all);
    QCOMPARE(Rendered(part.toStdString()).text.plainText(), rendered.text.plainText(4, all));
  }

  void footnotesLeadToTheirNotes() {
    const std::string source =
        "A claim[^a], and *more*[^2].\n\n`[^a]`\n\n[^a]: The *source*, page 3.\n[^2]: b";
    Rendered rendered(source);
    QCOMPARE(rendered.document.firstBlock().text(), "A claim[^a], and more[^2].");
    rendered.text.setEnded(true);
    rendered.text.finish();
    QCOMPARE(rendered.document.firstBlock().text(), "A claim1, and more2.");
    const int mark = positionOf(rendered, "claim") + 5;
    QTextCursor cursor(&rendered.document);
    cursor.setPosition(mark + 1);
    QVERIFY(cursor.charFormat().verticalAlignment() == QTextCharFormat::AlignSuperScript);
    QCOMPARE(cursor.charFormat().anchorHref(), "#note-1");
    QCOMPARE(rendered.text.footnote("1", NoteMark::kReference)->position, mark);
    const auto note = rendered.text.footnote("1", NoteMark::kNote);
    QCOMPARE(note->text, "The source, page 3.");
    QCOMPARE(note->position, positionOf(rendered, "The source") - 2);
    QCOMPARE(rendered.text.footnote("2", NoteMark::kNote)->text, "b");
    QVERIFY(!rendered.text.footnote("3", NoteMark::kNote));
    QCOMPARE(rendered.text.addressAt(mark), QString());
    // A copy has what the source has, and as plain text no number that belongs to a word.
    QCOMPARE(rendered.text.markdown(0, rendered.document.characterCount()).toStdString(), source);
    QCOMPARE(rendered.text.markdown(2, rendered.document.characterCount()).toStdString(), source.substr(2));
    QVERIFY(rendered.text.plainText().startsWith("A claim[1], and more[2].\n"));
    QCOMPARE(rendered.text.sourceAt(mark), source.find("[^a]"));
    QCOMPARE(rendered.text.positionAt(source.find("[^a]")), mark);
  }

  // Notes that stand in the middle are shown at the end; what is copied is in its old order.
  void aCopyHasTheNotesWhereTheyWereWritten() {
    const std::string source =
        "One[^x].\n\n- [^x]: Why *so*.\n\n  More of the item.\n\nTwo[^y].\n\n[^y]: Y\n\n    its code: "
        "`z`\n\n[^u]: "
        "unused\n\nThree.";
    Rendered rendered(source);
    rendered.text.setEnded(true);
    rendered.text.finish();
    const int all = rendered.document.characterCount();
    QCOMPARE(rendered.text.markdown(0, all).toStdString(), source);
    QCOMPARE(rendered.text.plainText(),
             "One[1].\n\nMore of the item.\n\nTwo[2].\n\n[^u]: unused\n\nThree.\n\n[1] Why so.\n[2] Y\n\nits "
             "code: z");
    QCOMPARE(rendered.text.footnote("2", NoteMark::kNote)->text, "Y\n\nits code: z");
    const int why = positionOf(rendered, "Why");
    QVERIFY(why > positionOf(rendered, "Three"));
    QCOMPARE(rendered.text.sourceAt(why), source.find("Why"));
    QCOMPARE(rendered.text.positionAt(source.find("Why")), why);
    QCOMPARE(rendered.text.positionAt(source.find("code")), positionOf(rendered, "code"));
    // A token over the end of a paragraph and the note behind it is not all that stands between.
    const int dot = positionOf(rendered, "One") + 4;
    QCOMPARE(rendered.text.endPositionAt(source.find("."), source.find("Why")), dot + 1);
    QCOMPARE(rendered.text.endPositionAt(source.find("Why"), source.find("Why") + 3), why + 3);
    rendered.text.setTints({{source.find("Why"), source.find("Why") + 3, 0.9f}});
    const auto tints = rendered.document.findBlock(why).layout()->formats();
    QCOMPARE(tints.size(), 1);
    QCOMPARE(tints[0].start, 2);
    QCOMPARE(tints[0].length, 3);
  }

  // However it came, and also if it went on after an end.
  void anEndedTextIsTheSameHoweverItCame() {
    std::mt19937 random(26);
    std::vector<std::string> texts;
    for (const auto& [name, source] : test::hostileTexts(3000)) texts.push_back(source);
    // More blocks than are changed where they stand, cells among the first of them.
    std::string many = "|a[^1]|b|\n|---|---|\n|c|d[^2]|\n\n[^1]: e\n\n";
    for (int i = 0; i < 1500; ++i) many += "f" + std::to_string(i) + "\n\n";
    texts.push_back(many + "[^2]: g\n");
    for (int i = 0; i < 200; ++i) texts.push_back(test::randomText(random, 20 + i % 80));
    int settled = 0;
    for (const std::string& source : texts) {
      Rendered streamed;
      std::vector<Tint> tints;
      std::size_t at = 0;
      for (const std::string& part : test::randomParts(random, source, 1 + source.size() / 8)) {
        tints.push_back({at, at + part.size(), static_cast<float>(tints.size() % 5) / 4});
        at += part.size();
        streamed.text.append(part);
        streamed.text.setTints(tints);
        streamed.text.setEnded(random() % 3 == 0);
        if (random() % 2 == 0) streamed.text.finish();
        if (random() % 2 == 0) streamed.text.update();
      }
      streamed.text.setEnded(true);
      streamed.text.finish();
      Rendered once(source);
      once.text.setTints(tints);
      once.text.setEnded(true);
      once.text.finish();
      QCOMPARE(test::firstDifference(test::dumped(streamed.document), test::dumped(once.document)),
               QString());
      settled += once.text.blocks() != once.text.stream().blocks();
      for (std::size_t place = 0; place <= source.size(); place += 7) {
        const int position = once.text.positionAt(place);
        QVERIFY(position >= 0 && position < once.document.characterCount());
      }
      // And back: a text that goes on is one that never ended.
      streamed.text.setEnded(false);
      streamed.text.finish();
      Rendered growing(source);
      growing.text.setTints(tints);
      QCOMPARE(test::firstDifference(test::dumped(streamed.document), test::dumped(growing.document)),
               QString());
    }
    QVERIFY2(settled > 10, qPrintable(QString::number(settled)));
  }

  void tintsColourWhatASourceShows() {
    const std::string source = "one **two** three\n\nfour";
    Rendered rendered(source);
    const std::size_t two = source.find("two"), three = source.find("three"), four = source.find("four");
    rendered.text.setTints({{0, 2, 0.1f}, {two, two + 3, 0.9f}, {three, four + 2, 0.5f}});
    const auto formats = rendered.document.firstBlock().layout()->formats();
    QCOMPARE(formats.size(), 3);
    QCOMPARE(formats[1].start, 4);
    QCOMPARE(formats[1].length, 3);
    QCOMPARE(formats[1].format.background().color(), rendered.text.look().tint(0.9f));
    QVERIFY(formats[1].format.underlineStyle() == QTextCharFormat::DotLine);
    QVERIFY(formats[0].format.underlineStyle() == QTextCharFormat::NoUnderline);
    QCOMPARE(rendered.document.lastBlock().layout()->formats().size(), 1);
    QCOMPARE(rendered.document.lastBlock().layout()->formats()[0].length, 2);
    rendered.text.setTints({});
    QVERIFY(rendered.document.firstBlock().layout()->formats().isEmpty());
    QVERIFY(rendered.document.lastBlock().layout()->formats().isEmpty());
  }

  // Tokens come with their text: tinted as they come, or all at the end.
  void tintsThatComeWithTheTextAreTheSame() {
    std::mt19937 random(25);
    for (int i = 0; i < 20; ++i) {
      const std::string source = i == 0 ? test::ordinaryText() : test::randomText(random, 50);
      Rendered streamed;
      std::vector<Tint> tints;
      std::size_t at = 0;
      for (const std::string& part : test::randomParts(random, source, 8)) {
        tints.push_back({at, at + part.size(), static_cast<float>(tints.size() % 5) / 4});
        at += part.size();
        streamed.text.append(part);
        streamed.text.setTints(tints);
        streamed.text.finish();
      }
      Rendered once(source);
      once.text.setTints(tints);
      QCOMPARE(test::firstDifference(test::dumped(streamed.document), test::dumped(once.document)),
               QString());
    }
  }

  void anotherLookChangesNoText() {
    Rendered rendered(test::ordinaryText());
    const QString before = rendered.document.toPlainText();
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(20, 20, 20));
    dark.setColor(QPalette::Text, QColor(230, 230, 230));
    const MarkdownLook look = MarkdownLook::of(Theme(dark));
    rendered.text.setLook(look);
    rendered.text.finish();
    QCOMPARE(rendered.document.toPlainText(), before);
    Rendered fresh;
    fresh.text.setLook(look);
    fresh.text.append(test::ordinaryText());
    fresh.text.finish();
    QCOMPARE(test::firstDifference(test::dumped(rendered.document), test::dumped(fresh.document)), QString());
  }

  void clearedIsEmpty() {
    Rendered rendered(test::ordinaryText());
    rendered.text.clear();
    QCOMPARE(test::firstDifference(test::dumped(rendered.document), test::dumped(Rendered().document)),
             QString());
    QCOMPARE(rendered.text.positionAt(5), 0);
    QCOMPARE(rendered.text.sourceAt(5), std::size_t{0});
    rendered.text.append("|a|\n|---|\n|b|");
    rendered.text.finish();
    QCOMPARE(test::firstDifference(test::dumped(rendered.document),
                                   test::dumped(Rendered("|a|\n|---|\n|b|").document)),
             QString());
  }

  // A frame's work is bounded whatever the text: what is left waits for the next update.
  void anUpdateWritesABoundedPart() {
    // What the work allows, and a table, which comes as a whole.
    const int most =
        static_cast<int>(MarkdownText::kWorkAFrame / DocumentWriter::kBlockWork + kMaxPieceBlocks) + 2;
    for (const auto& [name, source] : test::hostileTexts(60000)) {
      Rendered rendered;
      rendered.text.append(source);
      for (bool more = true; more;) {
        const int blocks = rendered.document.blockCount(), length = rendered.document.characterCount();
        more = rendered.text.update();
        QVERIFY2(rendered.document.blockCount() - blocks <= most, name);
        QVERIFY2(rendered.document.characterCount() - length <=
                     MarkdownText::kWorkAFrame + static_cast<int>(kMaxLineBytes),
                 name);
      }
    }
  }
};

QTEST_MAIN(TestMarkdownText)
#include "tst_markdown_text.moc"

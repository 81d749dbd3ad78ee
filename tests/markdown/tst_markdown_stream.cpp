// A message that grows: the same blocks as at once, what is finished stays, and each part costs the last
// block.
#include <QTest>

#include "markdown/block_dump.h"
#include "markdown/texts.h"
#include "widgets/markdown/markdown_stream.h"

using namespace vitrine;

namespace {

constexpr std::size_t kAll = std::size_t{1} << 40;

// Feeds the parts, and checks after each that what was closed stays and what the stream says changed did.
std::vector<Block> streamed(const std::vector<std::string>& parts, bool& holds) {
  MarkdownStream stream;
  std::vector<Block> before;
  for (const std::string& part : parts) {
    const std::size_t closed = stream.closed();
    stream.append(part);
    const std::size_t first = stream.advance(kAll);
    const std::vector<Block>& now = stream.blocks();
    holds = holds && first >= closed && stream.closed() >= closed && first <= now.size() &&
            first <= before.size();
    for (std::size_t i = 0; holds && i < first; ++i) holds = now[i] == before[i];
    before = now;
  }
  return before;
}

}  // namespace

class TestMarkdownStream : public QObject {
  Q_OBJECT

 private slots:
  void partsGiveTheSameAsAtOnce() {
    std::mt19937 random(11);
    std::vector<std::string> texts(20, test::ordinaryText());
    for (int i = 0; i < 300; ++i) texts.push_back(test::randomText(random, 10 + i % 70));
    for (const std::string& text : texts) {
      bool holds = true;
      const std::vector<Block> blocks = streamed(test::randomParts(random, text, 12), holds);
      QVERIFY2(holds, text.c_str());
      if (blocks != parseMarkdown(text)) QCOMPARE(test::dumped(blocks), test::dumped(parseMarkdown(text)));
      QVERIFY(blocks == parseMarkdown(text));
    }
  }

  void partsOfHostileTextsToo() {
    std::mt19937 random(12);
    for (const auto& [name, text] : test::hostileTexts(30000)) {
      bool holds = true;
      const std::vector<Block> blocks = streamed(test::randomParts(random, text, 3000), holds);
      QVERIFY2(holds && blocks == parseMarkdown(text), name);
    }
  }

  void letterByLetterToo() {
    std::vector<std::string> letters;
    for (const char c : test::ordinaryText()) letters.emplace_back(1, c);
    bool holds = true;
    QVERIFY(streamed(letters, holds) == parseMarkdown(test::ordinaryText()) && holds);
  }

  // advance() takes what it may, so that a huge text is spread over frames.
  void aBoundedPartAtATime() {
    const std::string text = test::longAnswer();
    MarkdownStream stream;
    stream.append(text);
    int calls = 0;
    for (; stream.pending(); ++calls) stream.advance(1000);
    QCOMPARE(calls, static_cast<int>((text.size() + 999) / 1000));
    QVERIFY(stream.blocks() == parseMarkdown(text));
  }

  // Work is counted, not timed: however long the message, a part costs the open piece at most.
  void aPartCostsTheLastBlock() {
    for (const auto& [name, text] : test::hostileTexts(200000)) {
      MarkdownStream stream;
      for (std::size_t at = 0; at < text.size(); at += 1000) {
        const std::uint64_t before = stream.parsedBytes();
        stream.append(std::string_view(text).substr(at, 1000));
        stream.advance(kAll);
        // What the part finished, and what is open behind it.
        QVERIFY2(stream.parsedBytes() - before <= 2 * (kMaxPieceBytes + kMaxLineBytes) + 1000, name);
      }
    }
  }

  void anOrdinaryAnswerIsParsedAFewTimes() {
    const std::string text = test::longAnswer();
    MarkdownStream stream;
    for (std::size_t at = 0; at < text.size(); at += 100) {
      stream.append(std::string_view(text).substr(at, 100));
      stream.advance(kAll);
    }
    QVERIFY2(stream.parsedBytes() < 10 * text.size(), qPrintable(QString::number(stream.parsedBytes())));
  }

  void clearedIsNew() {
    MarkdownStream stream;
    stream.append("- a\n```");
    stream.advance(kAll);
    stream.clear();
    stream.append("b");
    stream.advance(kAll);
    QVERIFY(stream.blocks() == parseMarkdown("b"));
  }
};

QTEST_APPLESS_MAIN(TestMarkdownStream)
#include "tst_markdown_stream.moc"

// Streaming: all that a stream returns is together what decode() gives at once, and none of it is taken back.
#include "text_support.h"

#include "support/allocations.h"
#include "text/utf8.h"
#include "vitrine/text_stream.h"

#include <QTest>
#include <random>

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::string streamed(const Tokenizer& tokenizer, const std::vector<TokenId>& ids,
                     std::vector<std::string> stops = {}) {
  TextStream stream(&tokenizer, std::move(stops));
  std::string text;
  for (const TokenId id : ids) text += stream.push(id);
  text += stream.finish();
  return text == stream.text() ? text : "the parts differ from text()";
}

std::unique_ptr<Tokenizer> golden(const char* name) { return loadTokenizer(kGolden / "tokenizers" / name); }

thread_local int allocations = 0;

bool countAllocation(std::size_t, NewForm) {
  ++allocations;
  return true;
}

constexpr const char* kGrowing = "the machine reads a token, then another; it's 1987.";

}  // namespace

class TestTextStream : public QObject {
  Q_OBJECT

 private slots:
  void fault08_streamingNeverLosesASpaceOrSplitsACharacter_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : goldenTokenizers())
      QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
    QVERIFY2(goldenTokenizers().size() >= 40, "tests/golden/tokenizers is missing");
  }

  void fault08_streamingNeverLosesASpaceOrSplitsACharacter() {
    QFETCH(QString, folder);
    const auto tokenizer = loadTokenizer(folder.toStdString());
    const auto cases = readGolden(std::filesystem::path(folder.toStdString()) / "expected.json")["cases"];
    std::vector<TokenId> all;
    for (const auto& item : cases) {
      const auto ids = item["ids_special"].get<std::vector<TokenId>>();
      TextStream stream(tokenizer.get(), {});
      for (const TokenId id : ids) QVERIFY(utf8::isValid(stream.push(id)));
      stream.finish();
      QCOMPARE(stream.text(), tokenizer->decode(ids));
      all.insert(all.end(), ids.begin(), ids.end());
    }
    QCOMPARE(streamed(*tokenizer, all), tokenizer->decode(all));
  }

  // Of the byte level, the most common kind: a list of texts for each of two decodings.
  void aTokenTakesFewAllocations() {
    const auto tokenizer = golden("gpt2");
    TextStream stream(tokenizer.get(), {});
    const std::vector<TokenId> words = tokenizer->encode(" a b c d", false);
    std::vector<int> counts;
    for (int i = 0; i < 60; ++i) {
      const TokenId word = words[static_cast<std::size_t>(i) % words.size()];
      allocations = 0;
      allocationRule = countAllocation;
      const std::string text = stream.push(word);
      allocationRule = nullptr;
      counts.push_back(allocations);
      QVERIFY(!text.empty());
    }
    std::ranges::sort(counts);
    QCOMPARE(counts[40], 2);
  }

  void randomTokensStreamAsTheyDecode_data() { fault08_streamingNeverLosesASpaceOrSplitsACharacter_data(); }

  void randomTokensStreamAsTheyDecode() {
    QFETCH(QString, folder);
    const auto tokenizer = loadTokenizer(folder.toStdString());
    std::mt19937 dice(7);
    for (int round = 0; round < 60; ++round) {
      // Few different ids make long runs of bytes and of spaces; all ids make everything else.
      const int ids = round % 2 ? tokenizer->vocabularySize() + 3 : 1 + static_cast<int>(dice() % 300);
      std::vector<TokenId> tokens;
      for (int i = 0; i < 80; ++i)
        tokens.push_back(static_cast<TokenId>(dice() % static_cast<unsigned>(ids)));
      QByteArray shown;
      for (const TokenId id : tokens) shown += QByteArray::number(id) + ' ';
      QVERIFY2(streamed(*tokenizer, tokens) == tokenizer->decode(tokens), shown);
    }
  }

  void textAppearsAsSoonAsItIsFinal() {
    for (const char* name : {"gpt2", "llama-prepend", "metaspace-always", "sp-unigram"}) {
      const auto tokenizer = golden(name);
      TextStream stream(tokenizer.get(), {});
      std::vector<TokenId> soFar;
      for (const TokenId id : tokenizer->encode(kGrowing, false)) {
        soFar.push_back(id);
        stream.push(id);
        QCOMPARE(stream.text(), tokenizer->decode(soFar));
      }
    }
  }

  void aCharacterOfSeveralTokensWaitsForItsLast() {
    const auto tokenizer = golden("llama-prepend");
    const auto ids = tokenizer->encode("a𠜎b", false);
    TextStream stream(tokenizer.get(), {});
    std::vector<std::string> parts;
    for (const TokenId id : ids) parts.push_back(stream.push(id));
    QVERIFY(parts.size() >= 6);  // "▁a" in one token or two, four bytes, "b"
    for (std::size_t i = parts.size() - 5; i + 1 < parts.size(); ++i) QVERIFY(parts[i].empty());
    QCOMPARE(parts.back(), std::string("𠜎b"));
  }

  void aStopStringEndsTheTextWhereverTokensAreCut() {
    const auto tokenizer = golden("gpt2");
    const std::string text = "the answer is here. END of it";
    const auto ids = tokenizer->encode(text, false);
    for (const char* stop : {"END", "here. E", "t", "the", " it", "answer is here. END of"}) {
      TextStream stream(tokenizer.get(), {"never", stop, ""});
      std::string got;
      for (const TokenId id : ids) got += stream.push(id);
      got += stream.finish();
      QVERIFY(stream.stopped());
      QCOMPARE(got, text.substr(0, text.find(stop)));
      QCOMPARE(stream.push(ids[0]), std::string());
      QCOMPARE(stream.text(), got);
    }
  }

  void theEarliestOfSeveralStopStringsCounts() {
    const auto tokenizer = golden("gpt2");
    QCOMPARE(streamed(*tokenizer, tokenizer->encode("one two three", false), {"three", "two"}),
             std::string("one "));
  }

  void aBeginningOfAStopStringIsHeldBackAndGivenBack() {
    const auto tokenizer = golden("gpt2");
    TextStream stream(tokenizer.get(), {"###"});
    const auto hash = tokenizer->encode("#", false);
    QCOMPARE(hash.size(), std::size_t{1});
    QCOMPARE(stream.push(hash[0]), std::string());
    QCOMPARE(stream.push(hash[0]), std::string());
    QCOMPARE(stream.push(tokenizer->encode("a", false)[0]), std::string("##a"));
    QCOMPARE(stream.push(hash[0]), std::string());
    QCOMPARE(stream.finish(), std::string("#"));
    QVERIFY(!stream.stopped());
  }

  void aSpecialTokenMayBeAStopString() {
    const auto tokenizer = golden("qwen2");
    auto ids = tokenizer->encode("Hi<|im_start|>", false);
    ids.push_back(*tokenizer->find("<|im_end|>"));
    ids.push_back(ids[0]);
    QCOMPARE(streamed(*tokenizer, ids, {"<|im_end|>"}), std::string("Hi"));
    QCOMPARE(streamed(*tokenizer, ids), std::string("HiH"));
  }

  void withoutATokenizerThereIsNoText() {
    TextStream stream(nullptr, {"x"});
    QCOMPARE(stream.push(5), std::string());
    QCOMPARE(stream.finish(), std::string());
    QVERIFY(!stream.stopped());
  }

  void longRunsStayCheap() {
    const auto tokenizer = golden("llama-prepend");
    const TokenId space = *tokenizer->find("▁"), byte = *tokenizer->find("<0xFF>");
    TextStream stream(tokenizer.get(), {});
    std::string text;
    for (int i = 0; i < 20000; ++i) text += stream.push(i < 10000 ? space : byte);
    text += stream.finish();
    QCOMPARE(text.size(), std::size_t{9999 + 3 * 10000});
  }
};

QTEST_APPLESS_MAIN(TestTextStream)
#include "tst_text_stream.moc"

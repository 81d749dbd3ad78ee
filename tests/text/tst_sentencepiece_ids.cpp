// A tokenizer.model alone gives the ids of SentencePiece's own encode for every stretch of text between
// special tokens, and its text comes back whole.
#include <sentencepiece_processor.h>

#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "text/sentencepiece_tokenizer.h"
#include "text_support.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Ids = std::vector<TokenId>;

// A model and how its config has the space in front of a text.
struct Case {
  std::filesystem::path folder;
  bool afterTokens;           // also behind a special token
  bool everComesBack = true;  // no rule of the model changes a text
};

const Case kCases[] = {
    {VITRINE_SOURCE_DIR "/resources/model", false},         {kGolden / "tokenizers/sp-bpe", false},
    {kGolden / "tokenizers/sp-bpe-legacy", true},           {kGolden / "tokenizers/sp-unigram", true, false},
    {kGolden / "tokenizers/sp-unigram-plain", true, false},
};

// libsentencepiece itself, asked without anything of ours between.
class Reference {
 public:
  explicit Reference(const std::filesystem::path& folder) {
    m_loaded = m_processor.Load((folder / "tokenizer.model").string()).ok();
  }
  bool isLoaded() const { return m_loaded; }

  Ids encode(const std::string& text) const {
    std::vector<int> ids;
    if (!m_processor.Encode(text, &ids).ok()) return {-1};
    return ids;
  }
  // Without the space in front: behind a user-defined symbol, which is joined to nothing.
  Ids encodeBehind(const std::string& text) const {
    constexpr const char* kSymbol = "<|user|>";
    const Ids ids = encode(kSymbol + text);
    const auto symbol = std::find(ids.begin(), ids.end(), m_processor.PieceToId(kSymbol));
    return symbol == ids.end() ? Ids{-1} : Ids(symbol + 1, ids.end());
  }

 private:
  sentencepiece::SentencePieceProcessor m_processor;
  bool m_loaded = false;
};

std::string randomText(std::mt19937& dice) {
  static const std::vector<std::string> kParts = {
      " ",       " ",    "  ",     "     ",  "\t",          "\n",      "\r\n",   "a",      "the",    "token",
      "Machine", "un",   "likely", "ing",    "12",          "2048",    ".",      ",",      "...",    "\"",
      "<",       ">",    "<s ",    "|user|", "é",           "e\u0301", "ß",      "ﬁ",      "Ａ",     "日本",
      "机器",    "ждёт", "السلام", "🙂",   "👩‍💻", "\u00a0",  "\u3000", "\u200b", "\ufeff", "\x01",
      "\x7f",    "￿",  "𝟘",      "_",      "==",          "ab ab "};
  std::string text;
  for (unsigned parts = dice() % 12; parts > 0; --parts) text += kParts[dice() % kParts.size()];
  return text;
}

std::string nameOf(const Case& item) { return item.folder.filename().string(); }

}  // namespace

class TestSentencePieceIds : public QObject {
  Q_OBJECT

 private slots:
  void plainTextHasTheIdsOfItsOwnEncode() {
    for (const Case& item : kCases) {
      const Reference reference(item.folder);
      QVERIFY2(reference.isLoaded(), nameOf(item).c_str());
      const auto tokenizer = loadTokenizer(item.folder);
      std::mt19937 dice(7);
      for (int round = 0; round < 1500; ++round) {
        const std::string text = round == 0 ? "  leading" : randomText(dice);
        const Ids ids = tokenizer->encode(text, false);
        const std::string shown = nameOf(item) + ": " + nlohmann::json(text).dump(-1, ' ', true);
        QVERIFY2(ids == reference.encode(text), shown.c_str());
        if (item.everComesBack) QVERIFY2(tokenizer->decode(ids, false) == text, shown.c_str());
      }
    }
  }

  void specialTokensAreRecognisedBetweenStretches() {
    for (const Case& item : kCases) {
      const Reference reference(item.folder);
      QVERIFY2(reference.isLoaded(), nameOf(item).c_str());
      const auto tokenizer = loadTokenizer(item.folder);
      std::mt19937 dice(8);
      for (int round = 0; round < 600; ++round) {
        std::string text = randomText(dice);
        Ids wanted = reference.encode(text);
        for (unsigned marks = 1 + dice() % 3; marks > 0; --marks) {
          const TokenId mark = 1 + static_cast<TokenId>(dice() % 2);
          const std::string stretch = randomText(dice);
          text += tokenizer->piece(mark) + stretch;
          wanted.push_back(mark);
          const Ids ids = item.afterTokens ? reference.encode(stretch) : reference.encodeBehind(stretch);
          wanted.insert(wanted.end(), ids.begin(), ids.end());
        }
        const std::string shown = nameOf(item) + ": " + nlohmann::json(text).dump(-1, ' ', true);
        QVERIFY2(tokenizer->encode(text, false) == wanted, shown.c_str());
      }
    }
  }

  // Where a folder has both files, the tokenizer.json rules.
  void aTokenizerJsonRules() {
    const std::filesystem::path saved = kGolden / "tokenizers/sp-bpe-saved",
                                lone = kGolden / "tokenizers/sp-bpe";
    const QTemporaryDir folder;
    const std::filesystem::path both = folder.path().toStdString();
    for (const char* name : {"tokenizer.json", "tokenizer_config.json"})
      std::filesystem::copy_file(saved / name, both / name);
    std::filesystem::copy_file(lone / "tokenizer.model", both / "tokenizer.model");
    const Ids ids = loadTokenizer(both)->encode("  a", false);
    QVERIFY(ids == loadTokenizer(saved)->encode("  a", false));
    QVERIFY(ids != loadTokenizer(lone)->encode("  a", false));
  }

  // What the config says of the space goes before what the model says.
  void theConfigMayTakeTheSpaceAway() {
    const std::string bytes = readFile(kGolden / "tokenizers/sp-bpe/tokenizer.model");
    const Reference reference(kGolden / "tokenizers/sp-bpe");
    TokenizerConfig config;
    config.addPrefixSpace = false;
    const auto tokenizer = parseSentencePiece(bytes, "tokenizer.model", config);
    std::mt19937 dice(9);
    for (int round = 0; round < 200; ++round) {
      const std::string text = randomText(dice);
      const Ids ids = tokenizer->encode(text, false);
      QVERIFY2(ids == reference.encodeBehind(text), text.c_str());
      QCOMPARE(tokenizer->decode(ids, false), text);
    }
  }
};

QTEST_APPLESS_MAIN(TestSentencePieceIds)
#include "tst_sentencepiece_ids.moc"

// SentencePiece models: what SentencePiece makes of text with them is in tst_sentencepiece_ids; here, what
// must not happen with a broken one.
#include "text_support.h"

#include "text/protobuf.h"
#include "text/sentencepiece_model.h"
#include "text/sentencepiece_tokenizer.h"

#include <QTest>
#include <cmath>
#include <random>

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::string goldenModel(const char* name) {
  return readFile(kGolden / "tokenizers" / name / "tokenizer.model");
}

std::unique_ptr<Tokenizer> parseModel(const std::string& bytes, const TokenizerConfig& config = {}) {
  return parseSentencePiece(bytes, "tokenizer.model", config);
}

// A unigram model over a few pieces, built by hand and spoilt by each test in its own way.
SentencePieceModel smallModel() {
  SentencePieceModel model;
  model.pieces = {{"<unk>", 0, PieceKind::kUnknown}, {"<s>", 0, PieceKind::kControl},
                  {"</s>", 0, PieceKind::kControl},  {"▁", -3, PieceKind::kNormal},
                  {"a", -2, PieceKind::kNormal},     {"▁a", -1, PieceKind::kNormal}};
  return model;
}

std::string errorOfModel(const SentencePieceModel& model) {
  return errorOf([&] { parseModel(model.serialized())->encode("a b", true); });
}

}  // namespace

class TestSentencePiece : public QObject {
  Q_OBJECT

 private slots:
  void unigramTakesTheLikeliestPieces() {
    const auto tokenizer = parseModel(smallModel().serialized());
    QCOMPARE(tokenizer->encode("a", true), (std::vector<TokenId>{1, 5}));
    QCOMPARE(tokenizer->encode("a<s>a", false), (std::vector<TokenId>{5, 1, 5}));
    QCOMPARE(tokenizer->decode(std::vector<TokenId>{1, 5, 5, 2, -1, 99}), std::string("a a"));
    QCOMPARE(tokenizer->decode(std::vector<TokenId>{1, 5}, false), std::string("<s> a"));
    QVERIFY(tokenizer->bosToken() == 1 && tokenizer->eosToken() == 2);
    QCOMPARE(tokenizer->vocabularySize(), 6);
    QVERIFY(errorOf([&] { tokenizer->encode("\xFF", false); }).rfind("invalid_argument", 0) == 0);
  }

  void aModelSurvivesBeingWrittenAgain() {
    for (const char* name : {"sp-unigram", "sp-unigram-plain", "sp-bpe"}) {
      const auto model = SentencePieceModel::parse(goldenModel(name), name);
      const auto again = SentencePieceModel::parse(model.serialized(), name);
      QCOMPARE(again.serialized(), model.serialized());
      QVERIFY(again.pieces.size() > 300);
      QCOMPARE(again.characterMap, model.characterMap);
    }
  }

  void unsoundModelsAreRefused() {
    const auto spoilt = [](auto change) {
      SentencePieceModel model = smallModel();
      change(model);
      return errorOfModel(model);
    };
    const auto isCorrupt = [](const std::string& error) {
      return error.rfind("file_corrupt: tokenizer.model: ", 0) == 0;
    };
    QCOMPARE(spoilt([](SentencePieceModel&) {}), std::string());
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces.clear(); })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[4].text = ""; })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[4].text = "\xFF"; })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[4].text = "▁"; })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[4].text = std::string(2000, 'a'); })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[4].score = std::nanf(""); })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[0].kind = PieceKind::kNormal; })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.pieces[1].kind = PieceKind::kUnknown; })));
    QVERIFY(isCorrupt(spoilt([](SentencePieceModel& m) { m.byteFallback = true; })));  // but no byte pieces
    for (const std::size_t size : {1, 7, 8, 1024, 5000})
      QVERIFY(isCorrupt(spoilt([&](SentencePieceModel& m) { m.characterMap = std::string(size, '\xFE'); })));
    const auto wordModel = spoilt([](SentencePieceModel& m) { m.algorithm = SentencePieceAlgorithm::kWord; });
    QVERIFY2(wordModel.rfind("unsupported", 0) == 0, wordModel.c_str());
    QCOMPARE(spoilt([](SentencePieceModel& m) { m.bosId = 4000; }),
             std::string());  // merely has no such token
  }

  void aNormalizerTableThatLeadsAstrayIsRefused() {
    SentencePieceModel model = SentencePieceModel::parse(goldenModel("sp-unigram"), "golden");
    QVERIFY(model.characterMap.size() > 1024);
    model.characterMap[4 + 3] = '\x7F';  // the root steps far outside
    model.characterMap[4 + 1] = '\x02';
    QVERIFY(errorOfModel(model).rfind("file_corrupt", 0) == 0);
  }

  void anyCutOfAGoodModelIsAnErrorNeverACrash() {
    for (const char* name : {"sp-unigram", "sp-bpe"}) {
      const std::string bytes = goldenModel(name);
      QVERIFY(bytes.size() > 1000);
      for (std::size_t length = 0; length < bytes.size() - 400; length += 97) {
        // A cut between two pieces leaves a sound but shorter message; what is then missing may not be
        // noticed.
        errorOf([&] { parseModel(bytes.substr(0, length))->encode("Hello the world 12", true); });
      }
      QVERIFY(errorOf([&] { parseModel(bytes.substr(0, 3)); }).rfind("file_corrupt", 0) == 0);
      QVERIFY(errorOf([&] { parseModel(""); }).rfind("file_corrupt", 0) == 0);
      QVERIFY(errorOf([&] { parseModel("this is not a model"); }).rfind("file_corrupt", 0) == 0);
    }
  }

  void flippedBytesNeverCrash() {
    std::mt19937 dice(11);
    int errors = 0;
    for (const char* name : {"sp-unigram", "sp-bpe"}) {
      const std::string bytes = goldenModel(name);
      for (int round = 0; round < 400; ++round) {
        std::string broken = bytes;
        for (unsigned flips = 1 + dice() % 4; flips > 0; --flips)
          broken[dice() % broken.size()] = static_cast<char>(dice());
        errors += !errorOf([&] {
                     const auto tokenizer = parseModel(broken);
                     tokenizer->decode(tokenizer->encode("Hello ＡＢﬁ\t the 日本 world 12", true));
                   }).empty();
      }
    }
    QVERIFY(errors > 100);
  }

  void varintsAndLengthsAreChecked() {
    for (const std::string& bytes :
         {std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"),
          std::string("\x0A\xFF\xFF\xFF\xFF\x7F"), std::string("\x0B"), std::string("\x05\x01"),
          std::string("\x00", 1), std::string("\x0D\x01")}) {
      protobuf::Reader reader(bytes);
      protobuf::Field field;
      while (reader.next(field)) {
      }
      QVERIFY(!reader.ok());
    }
  }
};

QTEST_APPLESS_MAIN(TestSentencePiece)
#include "tst_sentencepiece.moc"

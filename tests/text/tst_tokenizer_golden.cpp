// Ids and text identical to Hugging Face's, on the hard texts of tests/golden/tokenizers.
#include "text_support.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::test;

namespace {

QByteArray shown(const std::vector<TokenId>& ids) {
  QByteArray text;
  for (const TokenId id : ids) text += QByteArray::number(id) + ' ';
  return text;
}

QByteArray difference(const char* what, const std::string& text, const QByteArray& got,
                      const QByteArray& wanted) {
  const QString shownText = QString::fromStdString(nlohmann::json(text).dump(-1, ' ', true));
  return QStringLiteral("%1 of %2: got %3, wanted %4")
      .arg(what, shownText, QString::fromUtf8(got), QString::fromUtf8(wanted))
      .toUtf8();
}

}  // namespace

class TestTokenizerGolden : public QObject {
  Q_OBJECT

 private slots:
  void goldensAreThere() {
    const auto folders = goldenTokenizers();
    QVERIFY2(folders.size() >= 40, "tests/golden/tokenizers is missing; see tests/golden/README.md");
    for (const auto& folder : folders) {
      const auto golden = readGolden(folder / "expected.json");
      QVERIFY2(golden.contains("cases") && golden["cases"].size() >= 30, folder.c_str());
    }
  }

  void sameAsHuggingFace_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : goldenTokenizers())
      QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }

  void sameAsHuggingFace() {
    QFETCH(QString, folder);
    const std::filesystem::path path = folder.toStdString();
    const auto golden = readGolden(path / "expected.json");
    const auto tokenizer = loadTokenizer(path);
    for (const auto& item : golden["cases"]) {
      const auto text = item["text"].get<std::string>();
      const auto ids = item["ids"].get<std::vector<TokenId>>(),
                 idsSpecial = item["ids_special"].get<std::vector<TokenId>>();
      const auto got = tokenizer->encode(text, false), gotSpecial = tokenizer->encode(text, true);
      QVERIFY2(got == ids, difference("ids", text, shown(got), shown(ids)));
      QVERIFY2(gotSpecial == idsSpecial,
               difference("ids with special tokens", text, shown(gotSpecial), shown(idsSpecial)));
      for (const auto& [key, skip] : {std::pair("decoded", false), std::pair("decoded_skip", true)}) {
        if (!item.contains(key)) continue;
        const auto wanted = item[key].get<std::string>(), decoded = tokenizer->decode(idsSpecial, skip);
        QVERIFY2(decoded == wanted, difference(key, text, QByteArray::fromStdString(decoded),
                                               QByteArray::fromStdString(wanted)));
      }
      for (const TokenId id : idsSpecial) {
        QVERIFY(id < tokenizer->vocabularySize());
        QVERIFY(tokenizer->find(tokenizer->piece(id)) == id);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestTokenizerGolden)
#include "tst_tokenizer_golden.moc"

// The hub's list of files, and what of it makes a model.
#include <QTest>

#include "catalog/hub_choice.h"
#include "catalog/hub_listing.h"

using namespace vitrine;

namespace {

HubListing listingOf(const QList<std::pair<QString, qint64>>& files) {
  HubListing listing{"a/b", "main"};
  for (const auto& [path, bytes] : files) listing.files.append({path, bytes});
  return listing;
}

QStringList labelsOf(const QList<HubChoice>& choices) {
  QStringList labels;
  for (const HubChoice& choice : choices) labels.append((choice.isSuggested ? "*" : "") + choice.label);
  return labels;
}

QStringList pathsOf(const HubChoice& choice) {
  QStringList paths;
  for (const HubFile& file : choice.files) paths.append(file.path);
  return paths;
}

}  // namespace

class TestHubListing : public QObject {
  Q_OBJECT

 private slots:
  void aPageIsRead() {
    const QByteArray sha1(40, 'a'), sha256(64, 'B');
    const HubPage page = readHubPage(R"([{"type":"directory","path":"x","size":0,"oid":"1"},
        {"type":"file","path":"config.json","size":7,"oid":")" +
                                     sha1 + R"("},
        {"type":"file","path":"x/m.gguf","size":134,"oid":"1","lfs":{"oid":")" +
                                     sha256 + R"(","size":5000000000,"pointerSize":134}}])");
    QCOMPARE(page.problem, QString());
    QCOMPARE(page.files.size(), 2);
    QCOMPARE(page.files[0], (HubFile{"config.json", 7, {}, sha1}));
    QCOMPARE(page.files[1], (HubFile{"x/m.gguf", 5000000000, QByteArray(64, 'b'), {}}));
  }

  void brokenPagesAreRefusedWhole_data() {
    QTest::addColumn<QByteArray>("json");
    const auto file = [](const QByteArray& fields) {
      return QByteArray("[{\"type\":\"file\"," + fields + "}]");
    };
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("an object") << QByteArray("{}");
    QTest::newRow("half") << QByteArray("[{\"type\":\"file\"");
    QTest::newRow("deep") << QByteArray(100000, '[');
    QTest::newRow("no path") << file("\"size\":1");
    QTest::newRow("no size") << file("\"path\":\"a\"");
    QTest::newRow("less than nothing") << file("\"path\":\"a\",\"size\":-1");
    QTest::newRow("a part of a byte") << file("\"path\":\"a\",\"size\":1.5");
    QTest::newRow("beyond all disks") << file("\"path\":\"a\",\"size\":1e30");
    QTest::newRow("no checksum") << file("\"path\":\"a\",\"size\":1,\"lfs\":{\"size\":1}");
    QTest::newRow("half a checksum") << file(
        "\"path\":\"a\",\"size\":1,\"lfs\":{\"size\":1,\"oid\":\"abc\"}");
    QTest::newRow("a name upwards") << file("\"path\":\"../a\",\"size\":1");
  }
  void brokenPagesAreRefusedWhole() {
    QFETCH(QByteArray, json);
    const HubPage page = readHubPage(json);
    QVERIFY(!page.problem.isEmpty());
    QVERIFY(page.files.isEmpty());
  }

  void namesStayBelowTheirFolder_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("isSafe");
    for (const char* path :
         {"a", "model-00001-of-00002.gguf", "BF16/x y.gguf", ".gitattributes", "模型.gguf"})
      QTest::newRow(path) << path << true;
    for (const char* path : {"", "/etc/passwd", "../a", "a/../../b", "a/..", ".", "a//b", "a/", "./a",
                             "a\\..\\b", "C:/a", "a\nb", "a\x7f", "x.gguf.part", "x.gguf.part.json"})
      QTest::newRow(path) << QString::fromUtf8(path) << false;
    QTest::newRow("a zero") << QString("a") + QChar(0) + "b" << false;
    QTest::newRow("turned around") << QString("a") + QChar(0x202e) + "fugg" << false;
    QTest::newRow("long") << QString(300, 'a') << false;
    QTest::newRow("deep") << QString("a/").repeated(40) + "a" << false;
  }
  void namesStayBelowTheirFolder() {
    QFETCH(QString, path);
    QTEST(isSafeHubPath(path), "isSafe");
  }

  void ggufModelsAreChosenWithAllTheirParts() {
    const HubListing listing = listingOf({{"BF16/m-BF16-00001-of-00002.gguf", 90},
                                          {"BF16/m-BF16-00002-of-00002.gguf", 70},
                                          {"README.md", 1},
                                          {"m-Q4_K_M.gguf", 50},
                                          {"m-Q8_0.gguf", 80},
                                          {"m-Q2_K.gguf", 30},
                                          {"m-Q5_K_M-00001-of-00003.gguf", 20},
                                          {"mmproj-m-F16.gguf", 9}});
    const QList<HubChoice> choices = hubChoices(listing, {"a/b"});
    QCOMPARE(labelsOf(choices), (QStringList{"Q2_K", "*Q4_K_M", "Q8_0", "BF16"}));
    QCOMPARE(pathsOf(choices[3]),
             (QStringList{"BF16/m-BF16-00001-of-00002.gguf", "BF16/m-BF16-00002-of-00002.gguf"}));
    QCOMPARE(choices[3].bytes(), 160);
  }

  void aWishIsFollowed() {
    const HubListing listing = listingOf({{"m-Q4_K_M.gguf", 50}, {"m-Q8_0.gguf", 80}});
    QCOMPARE(labelsOf(hubChoices(listing, {"a/b", "main", "m-Q8_0.gguf"})), (QStringList{"Q4_K_M", "*Q8_0"}));
    QCOMPARE(labelsOf(hubChoices(listing, {"a/b", "main", {}, "Q8_0"})), (QStringList{"Q4_K_M", "*Q8_0"}));
    QCOMPARE(labelsOf(hubChoices(listing, {"a/b", "main", {}, "Q3_K"})), (QStringList{"*Q4_K_M", "Q8_0"}));
  }

  void whatIsNotReadIsMarked() {
    const HubListing listing = listingOf({{"m-IQ3_XXS.gguf", 1},
                                          {"m-UD-Q2_K_XL.gguf", 2},
                                          {"m-UD-Q4_K_XL.gguf", 3},
                                          {"m-IQ4_NL.gguf", 4},
                                          {"m.gguf", 5}});
    QStringList read;
    const QList<HubChoice> choices = hubChoices(listing, {"a/b"});
    for (const HubChoice& choice : choices)
      if (choice.isReadable) read.append((choice.isSuggested ? "*" : "") + choice.label);
    QCOMPARE(choices.size(), 5);
    QCOMPARE(read, (QStringList{"*UD-Q4_K_XL", "IQ4_NL", "m"}));
  }

  void lowBitsAreReadAndSuggestedLast() {
    const QList<HubChoice> choices = hubChoices(
        listingOf({{"m-Q2_K.gguf", 1}, {"m-Q3_K_M.gguf", 2}, {"m-IQ4_XS.gguf", 3}, {"m-F16.gguf", 9}}),
        {"a/b"});
    QCOMPARE(labelsOf(choices), (QStringList{"Q2_K", "Q3_K_M", "*IQ4_XS", "F16"}));
    for (const HubChoice& choice : choices) QVERIFY2(choice.isReadable, qPrintable(choice.label));
    QCOMPARE(labelsOf(hubChoices(listingOf({{"m-Q2_K.gguf", 1}, {"m-Q3_K_M.gguf", 2}}), {"a/b"})),
             (QStringList{"Q2_K", "*Q3_K_M"}));
  }

  void aFolderIsWhatTheEngineReads() {
    const HubListing listing = listingOf({{".gitattributes", 1},
                                          {"LICENSE", 1},
                                          {"README.md", 1},
                                          {"config.json", 1},
                                          {"consolidated.safetensors", 100},
                                          {"generation_config.json", 1},
                                          {"model-00001-of-00002.safetensors", 60},
                                          {"model-00002-of-00002.safetensors", 40},
                                          {"model.safetensors.index.json", 2},
                                          {"onnx/model.onnx", 100},
                                          {"original/config.json", 1},
                                          {"pytorch_model.bin", 100},
                                          {"tokenizer.json", 5},
                                          {"tokenizer_config.json", 1}});
    const QList<HubChoice> choices = hubChoices(listing, {"a/b"});
    QCOMPARE(labelsOf(choices), (QStringList{"*safetensors"}));
    QVERIFY(choices[0].isFolder);
    QCOMPARE(pathsOf(choices[0]),
             (QStringList{"LICENSE", "config.json", "generation_config.json",
                          "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                          "model.safetensors.index.json", "tokenizer.json", "tokenizer_config.json"}));
  }

  void whereThereIsNoModelThereIsNoChoice() {
    QVERIFY(hubChoices(listingOf({{"README.md", 1}}), {"a/b"}).isEmpty());
    QVERIFY(hubChoices(listingOf({{"config.json", 1}, {"pytorch_model.bin", 9}}), {"a/b"}).isEmpty());
    QVERIFY(hubChoices(listingOf({{"model.safetensors", 9}}), {"a/b"}).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestHubListing)
#include "tst_hub_listing.moc"

// What people type or paste to name a model.
#include <QTest>

#include "catalog/download_settings.h"
#include "catalog/hub_address.h"
#include "catalog/hub_lister.h"

using namespace vitrine;

class TestHubAddress : public QObject {
  Q_OBJECT

 private slots:
  void addressesAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("repository");
    QTest::addColumn<QString>("revision");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("quantization");
    const auto row = [](const char* text, const char* revision = "main", const char* file = "",
                        const char* quantization = "") {
      QTest::newRow(text) << text << "Owner/a-model_1.5B" << revision << file << quantization;
    };
    row("Owner/a-model_1.5B");
    row("  Owner/a-model_1.5B \n");
    row("Owner/a-model_1.5B:q4_k_m", "main", "", "Q4_K_M");
    row("https://huggingface.co/Owner/a-model_1.5B");
    row("https://huggingface.co/Owner/a-model_1.5B/");
    row("http://huggingface.co/Owner/a-model_1.5B?library=x#readme");
    row("huggingface.co/Owner/a-model_1.5B");
    row("https://hf.co/Owner/a-model_1.5B");
    row("https://huggingface.co/Owner/a-model_1.5B/tree/v2", "v2");
    row("https://huggingface.co/Owner/a-model_1.5B/tree/refs%2Fpr%2F1/folder", "refs/pr/1");
    row("https://huggingface.co/Owner/a-model_1.5B/blob/main/sub/m.gguf", "main", "sub/m.gguf");
    row("https://huggingface.co/Owner/a-model_1.5B/resolve/main/m%20n.gguf?download=true", "main",
        "m n.gguf");
    row("https://huggingface.co/Owner/a-model_1.5B/discussions/3");
  }
  void addressesAreRead() {
    QFETCH(QString, text);
    const auto [address, problem] = parseHubAddress(text, QUrl("https://huggingface.co"));
    QVERIFY2(address, qPrintable(problem));
    QTEST(address->repository, "repository");
    QTEST(address->revision, "revision");
    QTEST(address->file, "file");
    QTEST(address->quantization, "quantization");
  }

  void othersAreRefusedInWords_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "   ", "model", "a/b/c", "../b", "a/..", "a/b--c", "a/.", "a b/c",
                             "https://huggingface.co/", "https://", "https://huggingface.co/datasets/a/b",
                             "https://example.org/a/b", "ftp://huggingface.co/a/b", "file:///etc/passwd",
                             "https://huggingface.co/a/b/blob/main/..%2F..%2Fetc"})
      QTest::newRow(text) << text;
    QTest::newRow("long") << QString(5000, 'a') + "/b";
  }
  void othersAreRefusedInWords() {
    QFETCH(QString, text);
    const auto [address, problem] = parseHubAddress(text, QUrl("https://huggingface.co"));
    QVERIFY(!address);
    QVERIFY(!problem.isEmpty());
  }

  void anotherHubHasItsOwnAddresses() {
    const QUrl hub("http://hub.test:8080");
    QCOMPARE(parseHubAddress("http://hub.test:8080/a/b", hub).address->repository, "a/b");
    QVERIFY(!parseHubAddress("https://example.org/a/b", hub).address);
  }

  // A name in a path stays one step of it.
  void namesAreEncoded() {
    const QUrl hub("https://huggingface.co");
    QCOMPARE(hubListUrl(hub, {"a/b", "refs/pr/1"}).toEncoded(),
             "https://huggingface.co/api/models/a/b/tree/refs%2Fpr%2F1?recursive=true");
    QCOMPARE(hubFileUrl(hub, {"a/b", "main"}, "x y/q?#%.gguf").toEncoded(),
             "https://huggingface.co/a/b/resolve/main/x%20y/q%3F%23%25.gguf");
  }

  void theEnvironmentNamesHubAndToken() {
    QProcessEnvironment environment;
    environment.insert("HF_ENDPOINT", "http://hub.test:8080/");
    environment.insert("HF_TOKEN", " hf_1 \n");
    const DownloadSettings settings = downloadSettings(environment);
    QCOMPARE(settings.hub, QUrl("http://hub.test:8080"));
    QCOMPARE(settings.token, "hf_1");
    QVERIFY(mayRequest(QUrl("http://hub.test:1/"), settings));
    QVERIFY(!mayRequest(QUrl("http://other.test/"), settings));
    QVERIFY(isHub(QUrl("http://hub.test:8080/x"), settings));
    QVERIFY(!isHub(QUrl("http://hub.test/x"), settings));
    QVERIFY(!isHub(QUrl("https://hub.test:8080/x"), settings));

    const DownloadSettings usual = downloadSettings({});
    QCOMPARE(usual.hub, QUrl("https://huggingface.co"));
    QVERIFY(usual.token.isEmpty());
    QVERIFY(isHub(QUrl("https://huggingface.co:443/x"), usual));
    QVERIFY(!mayRequest(QUrl("http://huggingface.co/x"), usual));
    QVERIFY(!mayRequest(QUrl("file:///etc/passwd"), usual));
  }

  // It stands in a line of each request.
  void aTokenThatWouldBeginAnotherLineIsNone() {
    QProcessEnvironment environment;
    environment.insert("HF_TOKEN", "hf_1\r\nHost: example.org");
    QVERIFY(downloadSettings(environment).token.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestHubAddress)
#include "tst_hub_address.moc"

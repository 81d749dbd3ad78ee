// What a person writes as a proxy or as the address of a hub, and what comes of it.
#include "catalog/proxy_address.h"

#include <QTest>

#include "catalog/download_settings.h"

using namespace vitrine;

class TestProxyAddress : public QObject {
  Q_OBJECT

 private slots:
  void anEmptyOneIsTheSystems() {
    for (const char* text : {"", "  "}) {
      const ParsedProxy parsed = parseProxy(text);
      QVERIFY(!parsed.proxy && parsed.problem.isEmpty());
    }
  }

  void anAddressIsAProxy_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QNetworkProxy>("wanted");
    using Proxy = QNetworkProxy;
    QTest::newRow("http") << "http://proxy.example:8080" << Proxy(Proxy::HttpProxy, "proxy.example", 8080);
    QTest::newRow("no scheme") << " proxy.example:8080/ " << Proxy(Proxy::HttpProxy, "proxy.example", 8080);
    QTest::newRow("socks") << "socks5://localhost:1080" << Proxy(Proxy::Socks5Proxy, "localhost", 1080);
    QTest::newRow("IPv6") << "http://[::1]:3128" << Proxy(Proxy::HttpProxy, "::1", 3128);
    QTest::newRow("with a password") << "http://ann:p%40ss@proxy.example:1"
                                     << Proxy(Proxy::HttpProxy, "proxy.example", 1, "ann", "p@ss");
    QTest::newRow("none") << "None" << Proxy(Proxy::NoProxy);
  }
  void anAddressIsAProxy() {
    QFETCH(QString, text);
    QFETCH(QNetworkProxy, wanted);
    const ParsedProxy parsed = parseProxy(text);
    QVERIFY2(parsed.proxy.has_value(), qPrintable(parsed.problem));
    QVERIFY(parsed.problem.isEmpty());
    QCOMPARE(parsed.proxy->type(), wanted.type());
    QCOMPARE(parsed.proxy->hostName(), wanted.hostName());
    QCOMPARE(parsed.proxy->port(), wanted.port());
    QCOMPARE(parsed.proxy->user(), wanted.user());
    QCOMPARE(parsed.proxy->password(), wanted.password());
  }

  void whatIsNoProxyIsNamed_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"proxy.example", "http://proxy.example", "https://proxy.example:443", "ftp://proxy.example:21",
          "http://:8080", "proxy.example:99999", "http://proxy.example:8080/path", "http://a b:1",
          "proxy.example:8080?x", "socks5://"})
      QTest::newRow(text) << text;
  }
  void whatIsNoProxyIsNamed() {
    QFETCH(QString, text);
    const ParsedProxy parsed = parseProxy(text);
    QVERIFY(!parsed.proxy);
    QVERIFY2(parsed.problem.contains(text), qPrintable(parsed.problem));
  }

  void aHub() {
    QCOMPARE(hubFrom(" https://hub.example/ "), QUrl("https://hub.example"));
    QCOMPARE(hubFrom("http://hub.example:8080/mirror/?x#y"), QUrl("http://hub.example:8080/mirror"));
    for (const char* text : {"", "hub.example", "ftp://hub.example", "https://", "https://a b"})
      QVERIFY2(hubFrom(text).isEmpty(), text);
    QProcessEnvironment environment;
    environment.insert("HF_ENDPOINT", "ftp://hub.example");
    QCOMPARE(downloadSettings(environment).hub, DownloadSettings().hub);
  }
};

QTEST_GUILESS_MAIN(TestProxyAddress)
#include "tst_proxy_address.moc"

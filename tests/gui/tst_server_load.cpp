// The load of several servers side by side, asked over real connections: the figures are those of their
// pages, a server that is away or tells something else says so in its row and has a gap in its lines, and
// while the window is hidden no server is asked.
#include "gui/load/load_window.h"

#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTcpServer>
#include <QTcpSocket>
#include <cmath>
#include <functional>
#include <memory>

#include "gui/key_walk.h"
#include "gui/load/load_model.h"
#include "gui/load/load_opening.h"
#include "gui/load/load_plots.h"
#include "support/window_bench.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/formats.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

QByteArray fixture(const char* name) {
  QFile file(QStringLiteral(VITRINE_SOURCE_DIR "/tests/connect/fixtures/") + name);
  if (!file.open(QIODevice::ReadOnly)) qFatal("no fixture %s", name);
  return file.readAll();
}

// The page of vLLM after so many requests, each of 1,000 tokens of which 250 are in the prefix cache.
QByteArray vllmAfter(int requests) {
  QByteArray page = fixture("vllm.txt");
  const auto count = [&](const char* name, int from, int more) {
    const QByteArray before =
        QByteArray("vllm:") + name + "_total{engine=\"0\",model_name=\"Qwen/Qwen3-8B\"} ";
    const qsizetype at = page.indexOf(before);
    if (at < 0) qFatal("no %s", name);
    const qsizetype value = at + before.size();
    page.replace(value, page.indexOf('\n', value) - value, QByteArray::number(from + requests * more));
  };
  count("prefix_cache_queries", 180000, 1000);
  count("prefix_cache_hits", 90000, 250);
  count("prompt_tokens", 180000, 1000);
  count("generation_tokens", 1250000, 500);
  return page;
}

QByteArray answered(const char* status, const QByteArray& body, const char* type = "text/plain") {
  return QByteArray("HTTP/1.1 ") + status + "\r\nContent-Type: " + type +
         "\r\nConnection: close\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}
QByteArray page(const QByteArray& body) { return answered("200 OK", body); }

// Answers each request for metrics with `answer`, and others with `models`.
class MetricsServer : public QTcpServer {
 public:
  std::function<QByteArray()> answer;
  QByteArray models = answered("404 Not Found", "{}", "application/json");
  bool isEndless = false;  // behind the answer there are more bytes, as long as they are taken
  QList<QByteArray> keys;  // of each request for metrics; empty: it had none

  explicit MetricsServer(std::function<QByteArray()> makes = {}) : answer(std::move(makes)) {
    connect(this, &QTcpServer::newConnection, this, [this] {
      while (QTcpSocket* const socket = nextPendingConnection()) {
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
      }
    });
    if (!listen(QHostAddress::LocalHost)) qFatal("no port to listen on");
  }

  ApiAddress address(const QString& key = {}) const { return *apiAddress(text(), key); }
  QString text() const { return QStringLiteral("127.0.0.1:%1").arg(serverPort()); }
  int askedWith(const QByteArray& key) const { return static_cast<int>(keys.count(key)); }

 private:
  void read(QTcpSocket& socket) {
    QByteArray& head = m_heads[&socket];
    head += socket.readAll();
    if (!head.contains("\r\n\r\n")) return;
    const QByteArray request = std::exchange(head, {});
    m_heads.remove(&socket);
    if (!request.startsWith("GET /metrics ")) {
      socket.write(models);
      return socket.disconnectFromHost();
    }
    const qsizetype at = request.indexOf("Bearer ");
    keys << (at < 0 ? QByteArray() : request.mid(at + 7, request.indexOf('\r', at) - at - 7));
    if (answer) socket.write(answer());
    if (!isEndless) return answer ? socket.disconnectFromHost() : void();
    connect(&socket, &QTcpSocket::bytesWritten, &socket, [&socket] { flood(socket); });
    flood(socket);
  }
  static void flood(QTcpSocket& socket) {
    if (socket.bytesToWrite() < (1 << 20)) socket.write(QByteArray(1 << 20, '#'));
  }

  QHash<QTcpSocket*, QByteArray> m_heads;
};

struct Loads {
  LoadWindow window{Settings().loadServers};

  explicit Loads(QSize size = {1366, 768}) {
    failOnWarnings();
    window.resize(size);
    window.show();
  }
  QString text(int row, LoadModel::Column column) const {
    return window.model().index(row, column).data().toString();
  }
  QString tip(int row, LoadModel::Column column) const {
    return window.model().index(row, column).data(Qt::ToolTipRole).toString();
  }
  QString state(int row) const { return text(row, LoadModel::kState); }
  const std::deque<connect::LoadMoment>& moments(int row) const {
    return window.watcher().history(row).moments();
  }
  bool hasMoments(int row, std::size_t count) const {
    return waitUntil([&] { return moments(row).size() >= count; });
  }
  std::size_t gaps(LoadPlots::Plot plot, int row) const {
    const std::vector<double> heights = window.plots()->heights(plot, row);
    return static_cast<std::size_t>(
        std::ranges::count_if(heights, [](double one) { return std::isnan(one); }));
  }
  bool isDrawn(int servers) const {
    return waitUntil([&] { return window.plots()->lines() == servers; });
  }
};

// Labels, buttons and fields that are cut; empty: none is.
QString whatIsCut(LoadWindow& window) {
  for (const QWidget* part : window.findChildren<QWidget*>()) {
    const bool counts = qobject_cast<const QLabel*>(part) || qobject_cast<const QPushButton*>(part) ||
                        qobject_cast<const QLineEdit*>(part);
    if (!counts || !part->isVisible() || part->isWindow()) continue;
    const int needed =
        part->hasHeightForWidth() ? part->heightForWidth(part->width()) : part->minimumSizeHint().height();
    const QRect area(part->mapTo(&window, QPoint()), part->size());
    if (!window.rect().contains(area) || part->height() < needed)
      return QStringLiteral("%1 %2: %3 of %4")
          .arg(QLatin1String(part->metaObject()->className()), accessibleNameOf(*part))
          .arg(part->height())
          .arg(needed);
  }
  return {};
}

}  // namespace

class TestServerLoad : public QObject {
  Q_OBJECT

  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() {
    QVERIFY2(m_surroundings.prepare(), "the built-in model is not where the program looks for it");
  }
  void init() { QSettings().clear(); }

  void figuresAreThoseOfThePages() {
    int requests = 0;
    MetricsServer vllm([&requests] { return page(vllmAfter(requests++)); });
    MetricsServer sglang([] { return page(fixture("sglang.txt")); });
    MetricsServer llama([] { return page(fixture("llamacpp.txt")); });
    Loads loads;
    for (const MetricsServer* server : {&vllm, &sglang, &llama}) QVERIFY(loads.window.add(server->address()));
    QCOMPARE(loads.window.model().rowCount(), 3);
    for (int row = 0; row < 3; ++row) QVERIFY(loads.hasMoments(row, 3));
    using enum LoadModel::Column;
    QCOMPARE(loads.text(0, kServer), vllm.text());
    QCOMPARE(loads.text(0, kEngine), QString("vLLM"));
    QCOMPARE(loads.text(0, kRunning), QString("21"));
    QCOMPARE(loads.text(0, kWaiting), QString("3"));
    QCOMPARE(loads.text(0, kCache), formatPercent(0.5));
    QCOMPARE(loads.text(0, kHits), formatPercent(0.25));  // of what came since, not of all before
    QCOMPARE(loads.text(0, kPreemptions), QString("2"));
    QCOMPARE(loads.state(0), QString("answers"));
    const LoadFigures figures = loads.window.model().at(0).figures;
    QVERIFY(figures.generatedPerSecond && *figures.generatedPerSecond > 0);
    // Of each request there are twice as many tokens of the prompt as of the answer.
    QVERIFY(std::abs(*figures.promptPerSecond / *figures.generatedPerSecond - 2) < 1e-9);

    QCOMPARE(loads.text(1, kEngine), QString("SGLang"));
    QCOMPARE(loads.text(1, kRunning), QString("12"));
    QCOMPARE(loads.text(1, kCache), formatPercent(0.2));
    QCOMPARE(loads.text(1, kGenerated), QString("1,500"));  // as it says itself
    QCOMPARE(loads.text(1, kPreemptions), QString("4"));

    QCOMPARE(loads.text(2, kEngine), QString("llama.cpp"));
    QCOMPARE(loads.text(2, kRunning), QString("4"));
    for (const LoadModel::Column column : {kCache, kPreemptions}) {
      QCOMPARE(loads.text(2, column), QString("—"));
      QVERIFY(loads.tip(2, column).contains("not told by this server"));
    }
    QVERIFY2(loads.window.model().describe(0).startsWith(vllm.text() + ", vLLM, answers: Running 21"),
             qPrintable(loads.window.model().describe(0)));

    QVERIFY(loads.isDrawn(3));
    const LoadPlots& plots = *loads.window.plots();
    QTRY_VERIFY_WITH_TIMEOUT(plots.heights(LoadPlots::kRequests, 0).size() >= 3, kPatience);
    QCOMPARE(plots.heights(LoadPlots::kRequests, 0).back(), 24.0);
    QCOMPARE(plots.heights(LoadPlots::kCache, 0).back(), 50.0);
    QCOMPARE(plots.heights(LoadPlots::kHits, 0).back(), 25.0);
    QCOMPARE(plots.heights(LoadPlots::kGenerated, 1).back(), 1500.0);
    QVERIFY(std::isnan(plots.heights(LoadPlots::kCache, 2).back()));  // not told is not nothing
  }

  // Its metrics have vLLM's names.
  void aVitrineIsKnownByItsModels() {
    MetricsServer server([] { return page(fixture("vllm.txt")); });
    server.models =
        answered("200 OK", R"({"object":"list","data":[{"id":"a","object":"model","owned_by":"vitrine"}]})",
                 "application/json");
    Loads loads;
    QVERIFY(loads.window.add(server.address()));
    QTRY_COMPARE_WITH_TIMEOUT(loads.text(0, LoadModel::kEngine), QString("Vitrine"), kPatience);
  }

  void aServerThatGoesHasAGap() {
    int requests = 0;
    MetricsServer other([&requests] { return page(vllmAfter(requests++)); });
    auto gone = std::make_unique<MetricsServer>([] { return page(fixture("sglang.txt")); });
    const quint16 port = gone->serverPort();
    Loads loads;
    QVERIFY(loads.window.add(other.address()) && loads.window.add(gone->address()));
    QVERIFY(loads.hasMoments(1, 2));
    gone.reset();
    QTRY_VERIFY2_WITH_TIMEOUT(loads.state(1).startsWith("does not answer"), qPrintable(loads.state(1)),
                              kPatience);
    const std::size_t before = loads.moments(1).size();
    QCOMPARE(loads.text(1, LoadModel::kRunning), QString("—"));  // what was is no longer so
    QCOMPARE(loads.text(1, LoadModel::kEngine), QString("SGLang"));
    QVERIFY(loads.hasMoments(0, loads.moments(0).size() + 1));  // the other one goes on
    QCOMPARE(loads.moments(1).size(), before);
    MetricsServer back([] { return page(fixture("sglang.txt")); });
    back.close();
    QVERIFY(back.listen(QHostAddress::LocalHost, port));
    QVERIFY(loads.hasMoments(1, before + 2));
    QCOMPARE(loads.state(1), QString("answers"));
    QCOMPARE(loads.text(1, LoadModel::kRunning), QString("12"));
    QTRY_COMPARE_WITH_TIMEOUT(loads.gaps(LoadPlots::kRequests, 1), std::size_t{1}, kPatience);
    QCOMPARE(loads.gaps(LoadPlots::kRequests, 0), std::size_t{0});
  }

  void problemsStandInTheRow_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("words");
    QTest::newRow("no metrics") << answered("404 Not Found", "not here") << "--enable-metrics";
    QTest::newRow("turned off") << answered("501 Not Implemented", "{}") << "--metrics";
    QTest::newRow("no key") << answered("401 Unauthorized", "{}") << "asks for its key";
    QTest::newRow("broken") << answered("500 Internal Server Error", "") << "500";
    QTest::newRow("elsewhere") << answered("302 Found", "") << "302";
    QTest::newRow("a page for people") << page("<!doctype html><p>Hello</p>") << "no metrics in Prometheus";
    QTest::newRow("bytes") << page(QByteArray(4096, '\xfe')) << "no metrics in Prometheus";
    QTest::newRow("of something else") << page("process_cpu_seconds_total 5\n") << "none of vLLM";
    QTest::newRow("no HTTP") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n") << "does not answer";
  }
  void problemsStandInTheRow() {
    QFETCH(QByteArray, answer);
    QFETCH(QString, words);
    MetricsServer server([&answer] { return answer; });
    Loads loads;
    QVERIFY(loads.window.add(server.address()));
    QTRY_VERIFY2_WITH_TIMEOUT(loads.state(0).contains(words), qPrintable(loads.state(0)), kPatience);
    QVERIFY(loads.window.selected().contains(words));
    QCOMPARE(loads.text(0, LoadModel::kRunning), QString("—"));
    QVERIFY(loads.moments(0).empty());
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    // It is asked again.
    answer = page(fixture("vllm.txt"));
    QTRY_COMPARE_WITH_TIMEOUT(loads.state(0), QString("answers"), kPatience);
  }

  void anAnswerWithoutAnEndIsLeft() {
    MetricsServer endless([] { return QByteArray("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"); });
    endless.isEndless = true;
    Loads loads;
    QVERIFY(loads.window.add(endless.address()));
    QTRY_COMPARE_WITH_TIMEOUT(loads.state(0), QString("its answer has no end"), kPatience);
    MetricsServer silent;
    QVERIFY(loads.window.add(silent.address()));
    QTRY_COMPARE_WITH_TIMEOUT(loads.state(1), QString("does not answer in time"), kPatience);
  }

  // A second watcher of the same server tells that time has passed.
  void nothingIsAskedWhileHidden() {
    int requests = 0;
    MetricsServer server([&requests] { return page(vllmAfter(requests++)); });
    Loads loads;
    QVERIFY(loads.window.add(server.address("window")));
    QVERIFY(loads.hasMoments(0, 2));
    loads.window.hide();
    QVERIFY(!loads.window.watcher().isWatching());
    LoadWatcher other;
    other.add(server.address("other"));
    other.setWatching(true);
    QTRY_VERIFY_WITH_TIMEOUT(server.askedWith("other") >= 2, kPatience);  // what was on its way has come
    const int before = server.askedWith("window");
    QTRY_VERIFY_WITH_TIMEOUT(server.askedWith("other") >= 5, kPatience);
    QCOMPARE(server.askedWith("window"), before);
    const std::size_t moments = loads.moments(0).size();
    loads.window.show();
    QVERIFY(loads.hasMoments(0, moments + 2));
    QTRY_COMPARE_WITH_TIMEOUT(loads.gaps(LoadPlots::kRequests, 0), std::size_t{1}, kPatience);
  }

  void theKeyboardAddsAndRemoves() {
    MetricsServer one([] { return page(fixture("vllm.txt")); }), two(one.answer), three(one.answer);
    Loads loads;
    LoadWindow& window = loads.window;
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(window.address()->hasFocus());
    QTest::keyClick(window.address(), Qt::Key_Return);
    QVERIFY(window.problem().contains("no address"));
    QTest::keyClicks(window.address(), "two words");
    QVERIFY(window.problem().isEmpty());
    QTest::keyClick(window.address(), Qt::Key_Return);
    QVERIFY(window.problem().contains("no address") && window.isVisible());
    QCOMPARE(window.model().rowCount(), 0);
    window.address()->clear();
    for (const MetricsServer* server : {&one, &two, &three}) {
      QVERIFY(window.address()->hasFocus());
      QTest::keyClicks(window.address(), server->text());
      if (server == &two) {
        QTest::keyClick(window.address(), Qt::Key_Tab);
        QVERIFY(window.key()->hasFocus());
        QTest::keyClicks(window.key(), "secret");
      }
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
      QVERIFY(window.address()->text().isEmpty() && window.key()->text().isEmpty());
    }
    QCOMPARE(window.model().rowCount(), 3);
    QTRY_VERIFY_WITH_TIMEOUT(two.askedWith("secret") > 0, kPatience);
    QCOMPARE(one.askedWith("secret") + three.askedWith("secret"), 0);
    QCOMPARE(Settings().loadServers().size(), qsizetype{3});
    QVERIFY(!Settings().loadServers().join(u' ').contains("secret"));
    // The second one is removed; the third takes its place and has its colour.
    const int mark = window.watcher().mark(2);
    window.table()->setFocus();
    window.table()->selectRow(1);
    QTest::keyClick(window.table(), Qt::Key_Delete);
    QCOMPARE(window.model().rowCount(), 2);
    QCOMPARE(loads.text(1, LoadModel::kServer), three.text());
    QCOMPARE(window.watcher().mark(1), mark);
    QVERIFY(loads.isDrawn(2));
    QTest::keyClick(window.table(), Qt::Key_Delete);
    window.removeButton()->click();
    QCOMPARE(window.model().rowCount(), 0);
    QVERIFY(Settings().loadServers().isEmpty());
    QVERIFY(!window.removeButton()->isEnabled() && !window.plots()->isVisible());
    QTest::keyClick(&window, Qt::Key_Escape);
    QVERIFY(!window.isVisible());
  }

  // Round with Tab and back: each stop is in sight, framed and named, and no part is left out.
  void theKeyboardReachesEverything() {
    MetricsServer server([] { return page(fixture("vllm.txt")); });
    Loads loads;
    QVERIFY(loads.window.add(server.address()));
    QTRY_COMPARE_WITH_TIMEOUT(loads.state(0), QString("answers"), kPatience);
    QVERIFY(QTest::qWaitForWindowActive(&loads.window));
    KeyWalk walk(loads.window);
    const QStringList complaints = walk.complaints(loads.window.address());
    QVERIFY2(complaints.isEmpty(), qPrintable(complaints.join(u'\n')));
    QVERIFY2(walk.stops().contains(loads.window.table()) && walk.stops().contains(loads.window.plots()),
             qPrintable(walk.names().join(u'|')));
  }

  // An address that is there takes another key, and no second row.
  void aKeyIsGivenLater() {
    MetricsServer server;
    server.answer = [&server] {
      return server.keys.back() == "right" ? page(fixture("vllm.txt")) : answered("401 Unauthorized", "{}");
    };
    Loads loads;
    QVERIFY(loads.window.add(server.address()));
    QTRY_VERIFY_WITH_TIMEOUT(loads.state(0).contains("key"), kPatience);
    QVERIFY(loads.window.add(server.address("right")));
    QCOMPARE(loads.window.model().rowCount(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(loads.state(0), QString("answers"), kPatience);
    QVERIFY(loads.window.add(server.address()));  // without one the key stays
    QCOMPARE(loads.window.watcher().server(0).key, QString("right"));
  }

  void thereIsAnEndOfServers() {
    Loads loads;
    for (int port = 1; port <= LoadWatcher::kMostServers; ++port)
      QVERIFY(loads.window.add(*apiAddress(QStringLiteral("127.0.0.1:%1").arg(port), {})));
    QVERIFY(!loads.window.add(*apiAddress(QStringLiteral("127.0.0.1:99"), {})));
    QVERIFY(!loads.window.problem().isEmpty());
    QCOMPARE(loads.window.model().rowCount(), LoadWatcher::kMostServers);
  }

  // With the servers of before, and the one whose model answers chats, once each.
  void theMenuOpensOneWindow() {
    MetricsServer kept([] { return page(fixture("vllm.txt")); }), connected(kept.answer);
    Settings().loadServers.set({kept.address().text(), QStringLiteral("no address")});
    ShownWindow w;
    const auto actions = w.window.findChildren<QAction*>();
    const auto found =
        std::ranges::find_if(actions, [](const QAction* one) { return one->text().contains("&Load of"); });
    QVERIFY(found != actions.end());
    for (int i = 0; i < 2; ++i) (*found)->trigger();
    const auto windows = w.window.findChildren<LoadWindow*>();
    QCOMPARE(windows.size(), qsizetype{1});
    QVERIFY(windows.front()->isVisible() && !windows.front()->isModal());
    QCOMPARE(windows.front()->watcher().count(), 1);
    windows.front()->close();
    auto* const opening = w.window.findChild<LoadOpening*>();
    QVERIFY(opening != nullptr);
    for (int i = 0; i < 2; ++i) QCOMPARE(opening->open(connected.address("key")), windows.front());
    QVERIFY(windows.front()->isVisible());
    QCOMPARE(windows.front()->watcher().count(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(connected.askedWith("key") > 0, kPatience);
    QCOMPARE(Settings().loadServers(), QStringList({kept.address().text(), connected.address().text()}));
  }

  void itFits_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(800, 700), QSize(1024, 700), QSize(1366, 768), QSize(1920, 1080)})
      QTest::newRow(qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height()))) << size;
  }
  // No part is cut, each has a name, and a long name of a host changes nothing.
  void itFits() {
    QFETCH(QSize, size);
    MetricsServer server([] { return page(fixture("vllm.txt")); });
    Loads loads(size);
    QTRY_COMPARE_WITH_TIMEOUT(whatIsCut(loads.window), QString(), kPatience);
    QVERIFY(loads.window.add(server.address()));
    QVERIFY(loads.window.add(*apiAddress(QStringLiteral("127.0.0.1:1/a/base"), {})));
    QVERIFY(loads.window.add(*apiAddress(QString(60, u'a') + QStringLiteral(".invalid:8000"), {})));
    QTRY_VERIFY_WITH_TIMEOUT(loads.state(1).startsWith("does not answer"), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(loads.state(0), QString("answers"), kPatience);
    QVERIFY(loads.isDrawn(3));
    QTRY_COMPARE_WITH_TIMEOUT(whatIsCut(loads.window), QString(), kPatience);
    QCOMPARE(loads.window.size(), size);
    QVERIFY(loads.window.plots()->columns() >= (size.width() >= 1366 ? 2 : 1));
    QVERIFY(loads.window.table()->columnWidth(LoadModel::kServer) < size.width() / 2);
    const QStringList nameless = namelessParts(loads.window);
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
  }
};

QTEST_MAIN(TestServerLoad)
#include "tst_server_load.moc"

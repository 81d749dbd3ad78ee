// A feed against publishers that lose batches, begin anew, stay silent, or are none.
#include "connect/kv_feed.h"

#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <atomic>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "connect/kv_publisher.h"

using namespace vitrine;
using namespace vitrine::connect;
using namespace vitrine::test;

namespace {

// What the feed said, in order: a batch by its time, which is the number that a test gave it.
class Listener final : public KvListener {
 public:
  void connected(bool isConnected) override { add(isConnected ? "connected" : "gone"); }
  void came(std::vector<KvEventBatch> batches) override {
    for (const KvEventBatch& batch : batches) add(QString::number(batch.time));
  }
  void missed(std::int64_t batches) override { add(QStringLiteral("missed %1").arg(batches)); }
  void restarted() override { add("restarted"); }
  void noticed(const EngineError& what) override {
    add(QStringLiteral("noticed ") + errorCodeName(what.code()));
  }
  void ended(const EngineError& why) override { add(QStringLiteral("ended ") + errorCodeName(why.code())); }

  // Without what tells of the connection: how often it is tried is the network's.
  QStringList said() {
    const std::lock_guard lock(m_mutex);
    QStringList said = m_said;
    said.removeAll("connected");
    said.removeAll("gone");
    return said;
  }
  QStringList connections() {
    const std::lock_guard lock(m_mutex);
    return m_said.filter(QRegularExpression("^(connected|gone)$"));
  }

 private:
  void add(const QString& text) {
    const std::lock_guard lock(m_mutex);
    m_said += text;
  }

  std::mutex m_mutex;
  QStringList m_said;
};

QStringList numbers(int from, int to) {
  QStringList all;
  for (int i = from; i < to; ++i) all += QString::number(i);
  return all;
}

}  // namespace

#define SAYS(listener, ...) \
  QTRY_COMPARE_WITH_TIMEOUT((listener).said(), (QStringList __VA_ARGS__), kPublisherPatienceMs)

class TestKvFeed : public QObject {
  Q_OBJECT

 private slots:
  void batchesComeInOrder() {
    Publisher publisher(std::nullopt);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    for (int i = 0; i < 500; ++i) publisher.publish(i);
    SAYS(listener, (numbers(0, 500)));
    QCOMPARE(listener.connections(), QStringList{"connected"});
  }

  void onlyTheTopicIsHeard() {
    Publisher publisher(std::nullopt);
    Listener listener;
    KvFeed feed(publisher.place("kv@"), listener);
    QVERIFY(publisher.waitForSubscriber());
    publisher.publish(0, packed(7), "other");
    publisher.publish(0, packed(8), "kv@host");
    SAYS(listener, {"8"});
  }

  void whatHappenedBeforeIsAskedFor() {
    Publisher publisher(Again::kAll);
    for (int i = 0; i < 300; ++i) publisher.lose(i);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    SAYS(listener, (numbers(0, 300)));
    publisher.publish(300);
    SAYS(listener, (numbers(0, 301)));
  }

  void whatHappenedBeforeAndIsForgottenIsMissed() {
    Publisher publisher(Again::kAll);
    for (int i = 0; i < 9; ++i) publisher.lose(i);
    publisher.forgetBefore(6);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    SAYS(listener, {"missed 6", "6", "7", "8"});
  }

  void aGapIsFilled() {
    Publisher publisher(Again::kAll);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    publisher.publish(0);
    SAYS(listener, {"0"});
    for (int i = 1; i < 5; ++i) publisher.lose(i);
    for (int i = 5; i < 9; ++i) publisher.publish(i);
    SAYS(listener, (numbers(0, 9)));
  }

  void aGapThatCannotBeFilledIsMissed() {
    Publisher publisher(std::nullopt);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    publisher.publish(2);
    publisher.publish(3);
    publisher.publish(7);
    SAYS(listener, {"missed 2", "2", "3", "missed 3", "7"});
  }

  void aGapThatIsForgottenIsMissed() {
    Publisher publisher(Again::kAll);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    publisher.publish(0);
    SAYS(listener, {"0"});
    publisher.forgetBefore(9);
    publisher.publish(9);
    SAYS(listener, {"0", "missed 8", "9"});
  }

  // A server's socket drops what finds no room.
  void anAnswerWithHolesIsAskedForAgain() {
    Publisher publisher(Again::kHoles);
    for (int i = 0; i < 60; ++i) publisher.lose(i);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    SAYS(listener, (numbers(0, 60)));
    QVERIFY(publisher.timesAsked() >= 2);
  }

  void aReplayThatDoesNotAnswerIsSaid() {
    Publisher publisher(Again::kSilent);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    SAYS(listener, {"noticed unavailable"});
    publisher.publish(3);
    publisher.publish(5);
    SAYS(listener, {"noticed unavailable", "missed 3", "3", "missed 1", "5"});
    QCOMPARE(publisher.timesAsked(), 1);
  }

  void anAnswerWithoutAnEndIsUsed() {
    Publisher publisher(Again::kNoEnd);
    for (int i = 0; i < 4; ++i) publisher.lose(i);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    SAYS(listener, {"0", "1", "2", "3", "noticed unavailable"});
    publisher.publish(4);
    SAYS(listener, {"0", "1", "2", "3", "noticed unavailable", "4"});
  }

  // Between the two lives the feed connects again; the second has fewer batches than the first, or more.
  void aServerThatBeginsAnewIsSaid_data() {
    QTest::addColumn<bool>("replays");
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::newRow("fewer, replay") << true << 5 << 2;
    QTest::newRow("more, replay") << true << 2 << 5;
    QTest::newRow("none, replay") << true << 3 << 0;
    QTest::newRow("fewer") << false << 5 << 1;
  }
  void aServerThatBeginsAnewIsSaid() {
    QFETCH(bool, replays);
    QFETCH(int, before);
    QFETCH(int, after);
    const auto again = replays ? std::optional(Again::kAll) : std::nullopt;
    auto publisher = std::make_unique<Publisher>(again);
    Listener listener;
    // All but the first comes by the replay, where there is one.
    for (int i = 0; replays && i < before; ++i) publisher->lose(i);
    KvFeed feed(publisher->place(), listener);
    QVERIFY(publisher->waitForSubscriber());
    for (int i = 0; !replays && i < before; ++i) publisher->publish(i);
    SAYS(listener, (numbers(0, before)));
    const QString endpoint = publisher->endpoint(), replayEndpoint = publisher->replayEndpoint();
    publisher.reset();
    QTRY_VERIFY_WITH_TIMEOUT(listener.connections().endsWith("gone"), kPublisherPatienceMs);
    publisher = std::make_unique<Publisher>(again, endpoint, replayEndpoint);
    for (int i = 0; replays && i < after; ++i) publisher->keep(i, packed(100 + i));
    QVERIFY(publisher->waitForSubscriber());
    for (int i = 0; !replays && i < after; ++i) publisher->publish(i, 100 + i);
    SAYS(listener, (numbers(0, before) + QStringList{"restarted"} + numbers(100, 100 + after)));
    publisher->publish(after, 100 + after);
    SAYS(listener, (numbers(0, before) + QStringList{"restarted"} + numbers(100, 101 + after)));
  }

  void aLostConnectionLosesNothing() {
    auto publisher = std::make_unique<Publisher>(Again::kAll);
    Listener listener;
    KvFeed feed(publisher->place(), listener);
    QVERIFY(publisher->waitForSubscriber());
    for (int i = 0; i < 3; ++i) publisher->publish(i);
    SAYS(listener, {"0", "1", "2"});
    const QString endpoint = publisher->endpoint(), replayEndpoint = publisher->replayEndpoint();
    publisher.reset();
    QTRY_VERIFY_WITH_TIMEOUT(listener.connections().endsWith("gone"), kPublisherPatienceMs);
    publisher = std::make_unique<Publisher>(Again::kAll, endpoint, replayEndpoint);
    for (int i = 0; i < 6; ++i) publisher->lose(i);
    SAYS(listener, (numbers(0, 6)));
  }

  void whatIsNoBatchEndsTheFeed_data() {
    QTest::addColumn<QList<QByteArray>>("parts");
    const QByteArray number(8, '\0');
    QTest::newRow("payload") << QList<QByteArray>{"kv", number, "garbage"};
    QTest::newRow("empty payload") << QList<QByteArray>{"kv", number, ""};
    QTest::newRow("number") << QList<QByteArray>{"kv", "1", "x"};
    QTest::newRow("the last number") << QList<QByteArray>{"kv", '\x7f' + QByteArray(7, '\xff'), "x"};
    QTest::newRow("negative number") << QList<QByteArray>{"kv", QByteArray(8, '\xff'), "x"};
    QTest::newRow("one part") << QList<QByteArray>{"kv"};
    QTest::newRow("many parts") << QList<QByteArray>(1000, number);
  }
  void whatIsNoBatchEndsTheFeed() {
    QFETCH(QList<QByteArray>, parts);
    Publisher publisher(std::nullopt);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    std::vector<std::string> all;
    for (const QByteArray& part : parts) all.push_back(part.toStdString());
    publisher.sendRaw(all);
    SAYS(listener, {"ended file_corrupt"});
  }

  void aPartThatIsTooLongEndsTheFeed() {
    Publisher publisher(std::nullopt);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    publisher.sendRaw({"kv", bytesOf(0), std::string((std::size_t{64} << 20) + 1, 'x')});
    SAYS(listener, {"ended file_corrupt"});
  }

  void garbageOfAReplayEndsTheFeed() {
    Publisher publisher(Again::kGarbage);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    SAYS(listener, {"ended file_corrupt"});
  }

  // What has come before the fault is handed on.
  void whatCameBeforeAFaultIsTold() {
    Publisher publisher(std::nullopt);
    Listener listener;
    KvFeed feed(publisher.place(), listener);
    QVERIFY(publisher.waitForSubscriber());
    publisher.publish(0);
    publisher.publish(1, std::string("garbage"));
    SAYS(listener, {"0", "ended file_corrupt"});
  }

  void aServerThatIsNotThereIsSaid() {
    QString endpoint;
    {
      Publisher publisher(std::nullopt);
      endpoint = publisher.endpoint();
    }
    Listener listener;
    KvFeed feed({endpoint.toStdString(), "", "", std::chrono::seconds(5)}, listener);
    QTRY_COMPARE_WITH_TIMEOUT(listener.connections(), QStringList{"gone"}, kPublisherPatienceMs);
    Publisher publisher(std::nullopt, endpoint);
    QVERIFY(publisher.waitForSubscriber());
    publisher.publish(0);
    SAYS(listener, {"0"});
    QCOMPARE(listener.connections(), (QStringList{"gone", "connected"}));
  }

  void anotherServerIsSaidToBeNone_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("said");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                          << "noticed unsupported";
    QTest::newRow("another mechanism")
        << QByteArray::fromHex("ff00000000000000017f0300") + QByteArray("OTHER") + QByteArray(47, '\0')
        << "ended unsupported";
  }
  void anotherServerIsSaidToBeNone() {
    QFETCH(QByteArray, answer);
    QFETCH(QString, said);
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    Listener listener;
    KvFeed feed({"tcp://127.0.0.1:" + std::to_string(other.serverPort()), "", "", std::chrono::seconds(5)},
                listener);
    QVERIFY(other.waitForNewConnection(kPublisherPatienceMs));
    QTcpSocket* const socket = other.nextPendingConnection();
    QVERIFY(socket->waitForReadyRead(kPublisherPatienceMs));
    socket->write(answer);
    QVERIFY(socket->waitForBytesWritten(kPublisherPatienceMs));
    socket->disconnectFromHost();
    other.close();
    SAYS(listener, {said});
  }

  void anAddressThatIsNoneIsRefused_data() {
    QTest::addColumn<bool>("isOne");
    for (const char* one : {"tcp://host:5557", "tcp://10.0.0.5:1", "tcp://[::1]:65535",
                            "tcp://[fe80::1%eth0]:5557", "tcp://gpu-1.my_lab.example:5557"})
      QTest::newRow(one) << true;
    for (const char* one : {"", "host:5557", "ipc:///tmp/feed", "inproc://feed", "tcp://host", "tcp://host:",
                            "tcp://:5557", "tcp://*:5557", "tcp://host:*", "tcp://host:0", "tcp://host:65536",
                            "tcp://host:-1", "tcp://host:5557/path", "tcp://eth0;host:5557", "tcp://a b:5557",
                            "tcp://::1:5557", "tcp://[]:5557", "udp://host:5557", "TCP://host:5557"})
      QTest::newRow(*one == '\0' ? "empty" : one) << false;
  }
  void anAddressThatIsNoneIsRefused() {
    QFETCH(bool, isOne);
    const std::string endpoint =
        QTest::currentDataTag() == QByteArray("empty") ? std::string() : QTest::currentDataTag();
    if (isOne) return checkKvEndpoint(endpoint);
    Listener listener;
    try {
      const KvFeed feed({endpoint, "", "", std::chrono::seconds(5)}, listener);
      QFAIL("it was taken");
    } catch (const EngineError& error) {
      QCOMPARE(error.code(), ErrorCode::kInvalidArgument);
      QVERIFY(!error.hint().empty());
    }
  }

  // It hangs up while it connects, listens, or waits for a replay.
  void itHangsUpAtAnyMoment() {
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    Publisher publisher(Again::kSilent);
    for (int i = 0; i < 10; ++i) {
      Listener listener;
      const KvFeed one(
          {"tcp://127.0.0.1:" + std::to_string(silent.serverPort()), "", "", std::chrono::hours(1)},
          listener);
      KvFeedPlace place = publisher.place();
      place.patience = std::chrono::hours(1);
      const KvFeed two(place, listener);
      QTest::qSleep(5 * i);
    }
  }
};

QTEST_GUILESS_MAIN(TestKvFeed)
#include "tst_kv_feed.moc"

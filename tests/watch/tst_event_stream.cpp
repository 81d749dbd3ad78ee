// A stream against real servers, servers that are none, and servers that go.
#include "watch/event_stream.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "server/model_service.h"
#include "server/stand_in.h"
#include "vitrine/state_digest.h"

using namespace vitrine;
using namespace vitrine::test;
using watch::EventStream;
using watch::ServerPlace;

namespace {

class Listener final : public watch::StreamListener {
 public:
  void came(std::vector<Event> events) override {
    const std::lock_guard lock(m_mutex);
    for (const Event& event : events) {
      if (isA<EngineLoaded>(event)) m_state = {};
      m_state.apply(event);
      m_forgotten += isA<RequestForgotten>(event);
    }
    m_changed.notify_all();
  }
  void ended(const EngineError& why) override {
    const std::lock_guard lock(m_mutex);
    m_end = why.code();
    m_what = why.what();
    m_changed.notify_all();
  }
  bool waitForForgotten(int count) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(20), [&] { return m_forgotten >= count; });
  }
  bool waitForBlocks() {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(20), [&] { return !m_state.blocks.empty(); });
  }
  std::optional<ErrorCode> waitForEnd() {
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, std::chrono::seconds(20), [&] { return m_end.has_value(); });
    return m_end;
  }
  std::uint64_t digest() {
    const std::lock_guard lock(m_mutex);
    return stateDigest(m_state);
  }
  std::string what() {
    const std::lock_guard lock(m_mutex);
    return m_what;
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  MachineState m_state;
  int m_forgotten = 0;
  std::optional<ErrorCode> m_end;
  std::string m_what;
};

}  // namespace

class TestEventStream : public QObject {
  Q_OBJECT

 private slots:
  void twoStreamsShowOneMachine() {
    Service service;
    Listener first, second;
    EventStream one({"127.0.0.1", service.port(), ""}, first);
    QVERIFY(first.waitForBlocks());
    QCOMPARE(service.post("/v1/completions", R"({"prompt":"A block is","max_tokens":20,"n":3})").status, 200);
    QVERIFY(first.waitForForgotten(1));
    EventStream two({"localhost", service.port(), ""}, second);
    QVERIFY(second.waitForBlocks());
    QCOMPARE(second.digest(), first.digest());
    QCOMPARE(service.post("/v1/completions", R"({"prompt":"And now","max_tokens":9})").status, 200);
    QVERIFY(first.waitForForgotten(2) && second.waitForForgotten(1));
    QCOMPARE(second.digest(), first.digest());
  }

  // A viewer that goes in the middle of a run changes nothing for the engine.
  void aStreamThatGoesDisturbsNothing() {
    const std::string body = R"({"prompt":"A block is","max_tokens":80,"ignore_eos":true,"seed":4})";
    Service service;
    const std::string alone = service.post("/v1/completions", body)
                                  .json()["choices"]
                                  .toArray()
                                  .at(0)
                                  .toObject()["text"]
                                  .toString()
                                  .toStdString();
    RawClient busy(service.port());
    QVERIFY(busy.send(postText("/v1/completions", body)));
    for (int i = 0; i < 5; ++i) {
      Listener listener;
      EventStream stream({"127.0.0.1", service.port(), ""}, listener);
      QVERIFY(listener.waitForBlocks());
    }
    const std::string watched =
        busy.readAnswer().json()["choices"].toArray().at(0).toObject()["text"].toString().toStdString();
    QCOMPARE(watched, alone);
  }

  void tokensAreSaidToBeWanted() {
    const std::string steers(20, 's'), watches(20, 'w');
    StandInService service(steers, watches);
    for (const std::string& token : {std::string(), std::string(20, 'x')}) {
      Listener listener;
      EventStream stream({"127.0.0.1", service.port(), token}, listener);
      QCOMPARE(listener.waitForEnd(), ErrorCode::kInvalidArgument);
      QVERIFY(listener.what().find("token") != std::string::npos);
    }
    Listener listener;
    EventStream stream({"127.0.0.1", service.port(), watches}, listener);
    QVERIFY(listener.waitForBlocks());
  }

  void aServerThatEndsIsSaidToBeGone() {
    auto service = std::make_unique<StandInService>();
    Listener listener;
    const int port = service->port();
    EventStream stream({"127.0.0.1", port, ""}, listener);
    QVERIFY(listener.waitForBlocks());
    service.reset();
    QCOMPARE(listener.waitForEnd(), ErrorCode::kUnavailable);
    Listener nothing;
    EventStream none({"127.0.0.1", port, ""}, nothing);
    QCOMPARE(nothing.waitForEnd(), ErrorCode::kUnavailable);
  }

  void whatIsNoServerOfOursIsSaid() {
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    Listener listener;
    EventStream stream({"127.0.0.1", other.serverPort(), ""}, listener);
    QVERIFY(other.waitForNewConnection(10000));
    QTcpSocket* const socket = other.nextPendingConnection();
    QVERIFY(socket->waitForReadyRead(10000));
    socket->write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    QVERIFY(socket->waitForBytesWritten(10000));
    QCOMPARE(listener.waitForEnd(), ErrorCode::kUnsupported);
  }

  // It hangs up while it connects, shakes hands, or reads.
  void itHangsUpAtAnyMoment() {
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    for (int i = 0; i < 10; ++i) {
      Listener listener;
      EventStream stream({"127.0.0.1", silent.serverPort(), ""}, listener);
      QTest::qSleep(i);
    }
  }
};

QTEST_GUILESS_MAIN(TestEventStream)
#include "tst_event_stream.moc"

// The transport: what is answered, what is refused, and what becomes of clients that are slow or gone.
#include "server/http_server.h"

#include <QTest>
#include <map>
#include <mutex>
#include <semaphore>
#include <thread>

#include "server/raw_client.h"
#include "vitrine/error.h"

using namespace vitrine::server;
using namespace vitrine::test;
using namespace std::chrono_literals;

namespace {

// /echo answers with what it was asked; /keep leaves the answer to the test.
class EchoHandler final : public HttpHandler {
 public:
  std::optional<HttpAnswer> refuse(const HttpRequest& head) override {
    if (head.path == "/refused") return HttpAnswer{403, "no"};
    return std::nullopt;
  }
  void handle(HttpRequest request, const std::shared_ptr<Responder>& responder) override {
    if (request.path == "/throw") throw std::runtime_error("a fault");
    if (request.path == "/drop") return;
    if (request.path == "/keep") {
      responder->onGone([this] { gone.release(); });
      const std::lock_guard lock(m_mutex);
      m_kept = responder;
      kept.release();
      return;
    }
    responder->answer({200, request.method + " " + request.path + " " + request.query + " " + request.body +
                                std::string(request.header("x-more"))});
  }
  HttpAnswer explain(int status, const std::string& message) override { return {status, message}; }

  std::shared_ptr<Responder> take() {
    kept.acquire();
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_kept, nullptr);
  }

  std::counting_semaphore<> kept{0}, gone{0};

 private:
  std::mutex m_mutex;
  std::shared_ptr<Responder> m_kept;
};

// A server with a handler of its own.
struct Service {
  explicit Service(const HttpLimits& limits = {}) : http(handler, limits) { http.listen("127.0.0.1", 0); }
  int port() const { return http.port(); }

  EchoHandler handler;
  HttpServer http;
};

}  // namespace

class TestHttpServer : public QObject {
  Q_OBJECT

 private slots:
  void answersInTurnOverOneConnection() {
    const Service service;
    RawClient client(service.port());
    for (const char* body : {"one", "two", ""}) {
      QVERIFY(client.send(postText("/echo?a=b", body, "X-More: !\r\n")));
      const RawAnswer answer = client.readAnswer();
      QCOMPARE(answer.status, 200);
      QVERIFY(answer.whole);
      QCOMPARE(QString::fromStdString(answer.body), QString("POST /echo a=b %1!").arg(body));
      QCOMPARE(QString::fromStdString(answer.headers.at("connection")), QString("keep-alive"));
    }
  }

  void requestsThatComeEarlyAreAnsweredInOrder() {
    Service service;
    RawClient client(service.port());
    QVERIFY(client.send(getText("/keep") + getText("/echo?2") + getText("/echo?3")));
    const auto first = service.handler.take();
    first->answer({200, "first"});
    QCOMPARE(client.readAnswer().body, std::string("first"));
    QCOMPARE(client.readAnswer().body, std::string("GET /echo 2 "));
    QCOMPARE(client.readAnswer().body, std::string("GET /echo 3 "));
    first->answer({200, "again"});  // too late
    QVERIFY(client.send(getText("/echo?4")));
    QCOMPARE(client.readAnswer().body, std::string("GET /echo 4 "));
  }

  void aRequestMayComeByteByByte() {
    const Service service;
    RawClient client(service.port());
    for (const char c : postText("/echo", "slow")) QVERIFY(client.send(std::string(1, c)));
    QCOMPARE(client.readAnswer().body, std::string("POST /echo  slow"));
  }

  void aChunkedBodyIsRead() {
    const Service service;
    const RawAnswer answer =
        ask(service.port(),
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde"
            "\r\n0\r\n\r\n");
    QCOMPARE(answer.body, std::string("POST /echo  abcde"));
  }

  void anOldClientGetsTheEndOfTheConnection() {
    Service service;
    RawClient client(service.port());
    QVERIFY(client.send("GET /keep HTTP/1.0\r\nHost: a\r\n\r\n"));
    const auto reply = service.handler.take();
    reply->begin({200, "a", "text/plain"});
    reply->piece("b");
    reply->end();
    const RawAnswer answer = client.readAnswer();
    QCOMPARE(answer.body, std::string("ab"));
    QVERIFY(!answer.headers.contains("transfer-encoding"));
    QCOMPARE(answer.headers.at("connection"), std::string("close"));
  }

  void headGetsNoBody() {
    const Service service;
    RawClient client(service.port());
    QVERIFY(client.send("HEAD /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    QVERIFY(client.readUntil("\r\n\r\n"));
    QVERIFY(!client.readUntil("HEAD"));
  }

  void aClientThatAsksFirstIsToldToSendItsBody() {
    const Service service;
    RawClient client(service.port());
    const std::string whole = postText("/echo", "body", "Expect: 100-continue\r\n");
    QVERIFY(client.send(whole.substr(0, whole.size() - 4)));
    QCOMPARE(client.readAnswer().status, 100);
    QVERIFY(client.send("body"));
    QCOMPARE(client.readAnswer().body, std::string("POST /echo  body"));
  }

  void aRefusedRequestNeedNotSendItsBody() {
    const Service service;
    RawClient client(service.port());
    const std::string whole = postText("/refused", "body", "Expect: 100-continue\r\n");
    QVERIFY(client.send(whole.substr(0, whole.size() - 4)));
    QCOMPARE(client.readAnswer().status, 403);
    QVERIFY(client.isClosedByServer());
  }

  void whatIsNoRequestIsRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("status");
    QTest::newRow("noise") << QByteArray("\x16\x03\x01\x02 \r\n\r\n") << 400;
    QTest::newRow("no version") << QByteArray("GET /\r\n\r\n") << 400;
    QTest::newRow("another version") << QByteArray("GET / HTTP/3.0\r\n\r\n") << 400;
    QTest::newRow("a length that is none")
        << QByteArray("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n") << 400;
    QTest::newRow("two lengths") << QByteArray(
                                        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
                                 << 400;
    QTest::newRow("a chunk without a size")
        << QByteArray("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") << 400;
    QTest::newRow("long headers") << QByteArray("GET / HTTP/1.1\r\nX: ") + QByteArray(20000, 'x') + "\r\n\r\n"
                                  << 431;
    QTest::newRow("a long target") << QByteArray("GET /") + QByteArray(20000, 'x') + " HTTP/1.1\r\n\r\n"
                                   << 431;
    QTest::newRow("a long body") << QByteArray("POST / HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n") << 413;
    QTest::newRow("a longer body") << QByteArray("POST / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n")
                                   << 413;
    QTest::newRow("another expectation")
        << QByteArray("POST / HTTP/1.1\r\nExpect: more\r\nContent-Length: 1\r\n\r\n") << 417;
  }
  void whatIsNoRequestIsRefused() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, status);
    const Service service;
    RawClient client(service.port());
    QVERIFY(client.send(bytes.toStdString()));
    const RawAnswer answer = client.readAnswer();
    QCOMPARE(answer.status, status);
    QVERIFY(answer.whole && !answer.body.empty());
    QVERIFY(client.isClosedByServer());
    QCOMPARE(ask(service.port(), getText("/echo")).status, 200);
  }

  void aBodyThatGrowsTooLongIsRefused() {
    HttpLimits limits;
    limits.bodyBytes = 100;
    const Service service(limits);
    RawClient client(service.port());
    QVERIFY(client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    for (int i = 0; i < 20; ++i) client.send("a\r\n0123456789\r\n");
    QCOMPARE(client.readAnswer().status, 413);
  }

  void aRequestThatDoesNotArriveIsRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("headers") << QByteArray("GET /echo HTTP/1.1\r\nHost: a\r\n");
    QTest::newRow("body") << QByteArray("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc");
  }
  void aRequestThatDoesNotArriveIsRefused() {
    QFETCH(QByteArray, bytes);
    HttpLimits limits;
    limits.header = limits.body = 50ms;
    const Service service(limits);
    RawClient client(service.port());
    QVERIFY(client.send(bytes.toStdString()));
    QCOMPARE(client.readAnswer().status, 408);
    QVERIFY(client.isClosedByServer());
  }

  // A byte now and then does not extend the time.
  void aDrippingHeaderIsRefused() {
    HttpLimits limits;
    limits.header = 100ms;
    const Service service(limits);
    RawClient client(service.port());
    std::thread drips([&] {
      for (bool takes = client.send("GET /echo HTTP/1.1\r\nX: "); takes; takes = client.send("x"))
        std::this_thread::sleep_for(10ms);
    });
    QCOMPARE(client.readAnswer().status, 408);
    drips.join();
  }

  void anIdleConnectionIsClosed() {
    HttpLimits limits;
    limits.idle = 50ms;
    const Service service(limits);
    RawClient silent(service.port()), spoke(service.port());
    QVERIFY(spoke.send(getText("/echo")));
    QCOMPARE(spoke.readAnswer().status, 200);
    QVERIFY(silent.isClosedByServer());
    QVERIFY(spoke.isClosedByServer());
  }

  void aConnectionTooManyIsTold() {
    HttpLimits limits;
    limits.connections = 2;
    const Service service(limits);
    RawClient first(service.port()), second(service.port());
    for (RawClient* client : {&first, &second}) {
      QVERIFY(client->send(getText("/echo")));
      QCOMPARE(client->readAnswer().status, 200);
    }
    QCOMPARE(ask(service.port(), getText("/echo")).status, 503);
    QVERIFY(first.send(getText("/echo")));
    QCOMPARE(first.readAnswer().status, 200);
  }

  void aStreamArrivesPieceByPiece() {
    Service service;
    RawClient client(service.port());
    QVERIFY(client.send(getText("/keep")));
    const auto reply = service.handler.take();
    reply->begin({200, "", "text/event-stream"});
    QVERIFY(client.readUntil("\r\n\r\n"));
    reply->piece("first;");
    QVERIFY(client.readUntil("first;"));
    reply->piece("");
    reply->piece("second;");
    reply->end();
    reply->piece("late");
    const RawAnswer answer = client.readAnswer();
    QVERIFY(answer.whole);
    QCOMPARE(answer.body, std::string("first;second;"));
    QVERIFY(client.send(getText("/echo")));  // and the connection goes on
    QCOMPARE(client.readAnswer().status, 200);
  }

  void aLargeAnswerIsSentWhole() {
    Service service;
    RawClient client(service.port());
    QVERIFY(client.send(getText("/keep")));
    const std::string large(std::size_t{20} << 20, 'x');
    service.handler.take()->answer({200, large});
    const RawAnswer answer = client.readAnswer();
    QVERIFY(answer.whole && answer.body == large);
  }

  void aClientThatIsGoneIsHeardOf() {
    Service service;
    RawClient waiting(service.port()), streaming(service.port());
    QVERIFY(waiting.send(getText("/keep")));
    const auto first = service.handler.take();
    QVERIFY(streaming.send(getText("/keep")));
    const auto second = service.handler.take();
    second->begin({200, "begun", "text/plain"});
    QVERIFY(streaming.readUntil("begun"));
    waiting.close();
    service.handler.gone.acquire();
    streaming.close();
    service.handler.gone.acquire();
    first->answer({});  // into the void
    second->piece("more");
    second->end();
    QCOMPARE(ask(service.port(), getText("/echo")).status, 200);
  }

  // piece() never waits: this thread would hang in it otherwise.
  void aSlowReaderIsGivenUp() {
    Service service;
    RawClient slow(service.port(), 4096);
    QVERIFY(slow.send(getText("/keep")));
    const auto reply = service.handler.take();
    reply->begin({200, "", "text/plain"});
    const std::string piece(65536, 'x');
    std::size_t pieces = 0;
    for (; !service.handler.gone.try_acquire(); ++pieces) reply->piece(piece);
    QVERIFY(pieces > 0);
    QCOMPARE(ask(service.port(), getText("/echo")).status, 200);
    const RawAnswer torn = slow.readAnswer();
    QVERIFY(!torn.whole);
  }

  void aReaderThatTakesNothingIsGivenUp() {
    HttpLimits limits;
    limits.stall = 50ms;
    Service service(limits);
    RawClient stalled(service.port(), 4096);
    QVERIFY(stalled.send(getText("/keep")));
    service.handler.take()->answer({200, std::string(std::size_t{64} << 20, 'x')});
    service.handler.gone.acquire();
    QVERIFY(!stalled.readAnswer().whole);
  }

  void whatIsNotAnsweredIsAnError() {
    Service service;
    QCOMPARE(ask(service.port(), getText("/throw")).status, 500);
    QCOMPARE(ask(service.port(), getText("/drop")).status, 500);
    RawClient client(service.port());
    QVERIFY(client.send(getText("/keep")));
    service.handler.take()->begin({200, "part", "text/plain"});
    const RawAnswer torn = client.readAnswer();
    QCOMPARE(torn.status, 200);
    QVERIFY(!torn.whole);
  }

  void closingWaitsForWhatIsUnderWay() {
    Service service;
    RawClient idle(service.port()), busy(service.port());
    QVERIFY(idle.send(getText("/echo")));
    QCOMPARE(idle.readAnswer().status, 200);
    QVERIFY(busy.send(getText("/keep")));
    const auto reply = service.handler.take();
    service.http.stopListening();
    QVERIFY(idle.isClosedByServer());
    std::thread closes([&] { service.http.close(1h); });
    reply->answer({200, "the last"});
    const RawAnswer answer = busy.readAnswer();
    QCOMPARE(answer.body, std::string("the last"));
    QVERIFY(busy.isClosedByServer());
    closes.join();
    QVERIFY(!RawClient(service.port()).isConnected());
  }

  void anAnswerMayOutliveTheServer() {
    std::shared_ptr<Responder> reply;
    {
      Service service;
      RawClient client(service.port());
      QVERIFY(client.send(getText("/keep")));
      reply = service.handler.take();
      reply->begin({200, "", "text/plain"});
      service.http.close(0ms);
      reply->piece("late");
      reply->end();
      reply.reset();
    }
  }

  void aPortThatIsTakenIsAnError() {
    const Service service;
    EchoHandler handler;
    HttpServer second(handler);
    QVERIFY_EXCEPTION_THROWN(second.listen("127.0.0.1", service.port()), vitrine::EngineError);
    QVERIFY_EXCEPTION_THROWN(second.listen("nowhere", 0), vitrine::EngineError);
  }

  void addressesAreTold() {
    QVERIFY(HttpServer::isLoopback("127.0.0.1") && HttpServer::isLoopback("127.3.4.5") &&
            HttpServer::isLoopback("::1"));
    QVERIFY(!HttpServer::isLoopback("0.0.0.0") && !HttpServer::isLoopback("::") &&
            !HttpServer::isLoopback("192.168.0.1") && !HttpServer::isLoopback("localhost"));
    QVERIFY(HttpServer::isAddress("10.0.0.1") && !HttpServer::isAddress("localhost"));
  }
};

QTEST_APPLESS_MAIN(TestHttpServer)
#include "tst_http_server.moc"

// WebSockets as a transport: handshakes, frames, limits, and clients that are silent, slow or gone.
#include "server/web_socket.h"

#include <QTest>
#include <chrono>
#include <semaphore>
#include <thread>

#include "server/http_server.h"
#include "server/raw_socket.h"

using namespace vitrine::server;
using namespace vitrine::test;
using namespace std::chrono_literals;

namespace {

// Sends back what it gets.
class Echo final : public SocketHandler {
 public:
  Echo(std::shared_ptr<WebSocket> socket, std::counting_semaphore<>& gone)
      : m_socket(std::move(socket)), m_gone(gone) {}
  void onMessage(std::string_view text) override {
    if (text == "throw") throw std::runtime_error("a fault");
    m_socket->send(std::make_shared<const std::string>(text));
  }
  void onEnding() override { m_socket->close(SocketEnd::kGoingAway, "the end"); }
  void onGone() override { m_gone.release(); }

 private:
  const std::shared_ptr<WebSocket> m_socket;
  std::counting_semaphore<>& m_gone;
};

// Below /echo WebSockets are taken.
class SocketServer final : public HttpHandler {
 public:
  std::optional<HttpAnswer> refuse(const HttpRequest& head) override {
    if (head.path == "/echo/refused") return HttpAnswer{403, "no"};
    return std::nullopt;
  }
  void handle(HttpRequest request, const std::shared_ptr<Responder>& responder) override {
    responder->answer({200, request.path});
  }
  bool takesSocket(const HttpRequest& request) override { return request.path.starts_with("/echo"); }
  std::shared_ptr<SocketHandler> openSocket(const HttpRequest& request,
                                            const std::shared_ptr<WebSocket>& socket) override {
    if (request.path == "/echo/fault") return nullptr;
    socketOfTest = socket;
    opened.release();
    return std::make_shared<Echo>(socket, gone);
  }
  HttpAnswer explain(int status, const std::string& message) override { return {status, message}; }

  std::shared_ptr<WebSocket> take() {
    opened.acquire();
    return socketOfTest;
  }

  std::counting_semaphore<> opened{0}, gone{0};
  std::shared_ptr<WebSocket> socketOfTest;
};

struct Service {
  explicit Service(const HttpLimits& limits = {}) : http(handler, limits) { http.listen("127.0.0.1", 0); }
  int port() const { return http.port(); }

  SocketServer handler;
  HttpServer http;
};

}  // namespace

class TestWebSocket : public QObject {
  Q_OBJECT

 private slots:
  void aHandshakeIsAnswered() {
    const Service service;
    RawSocket socket(service.port(), "/echo",
                     "Sec-WebSocket-Protocol: vitrine.token.secret, vitrine.v1\r\n"
                     "Sec-WebSocket-Extensions: permessage-deflate\r\n");
    QCOMPARE(socket.answer.status, 101);
    QCOMPARE(socket.answer.headers.at("sec-websocket-accept"), std::string("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    QCOMPARE(socket.answer.headers.at("sec-websocket-protocol"), std::string("vitrine.v1"));
    QVERIFY(!socket.answer.headers.contains("sec-websocket-extensions"));
    QVERIFY(socket.send("hello"));
    QCOMPARE(socket.read().value(), std::string("hello"));
    RawSocket plain(service.port(), "/echo");
    QCOMPARE(plain.answer.status, 101);
    QVERIFY(!plain.answer.headers.contains("sec-websocket-protocol"));
  }

  void aHandshakeIsRefused_data() {
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    const QByteArray key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                     wish = "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                     version = "Sec-WebSocket-Version: 13\r\n",
                     get = "GET /echo HTTP/1.1\r\nHost: localhost\r\n";
    QTest::newRow("another version") << get + wish + key + "Sec-WebSocket-Version: 8\r\n\r\n" << 426;
    QTest::newRow("no version") << get + wish + key + "\r\n" << 426;
    QTest::newRow("no key") << get + wish + version + "\r\n" << 400;
    QTest::newRow("a short key") << get + wish + version + "Sec-WebSocket-Key: abcd\r\n\r\n" << 400;
    QTest::newRow("two keys") << get + wish + version + key + key + "\r\n" << 400;
    QTest::newRow("another method") << "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n" + wish +
                                           version + key + "\r\n"
                                    << 400;
    QTest::newRow("a body") << get + wish + version + key + "Content-Length: 1\r\n\r\na" << 400;
    QTest::newRow("frames before the answer") << get + wish + version + key + "\r\n\x81\x80" << 400;
    QTest::newRow("by the handler") << "GET /echo/refused HTTP/1.1\r\nHost: a\r\n" + wish + version + key +
                                           "\r\n"
                                    << 403;
    // On other routes, and for older clients, the wish is passed over.
    QTest::newRow("another route") << "GET /plain HTTP/1.1\r\nHost: a\r\n" + wish + version + key + "\r\n"
                                   << 200;
    QTest::newRow("HTTP/1.0") << "GET /echo HTTP/1.0\r\nHost: a\r\n" + wish + version + key + "\r\n" << 200;
  }
  void aHandshakeIsRefused() {
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    const Service service;
    const RawAnswer answer = ask(service.port(), request.toStdString());
    QCOMPARE(answer.status, status);
    if (status == 426) QCOMPARE(answer.headers.at("sec-websocket-version"), std::string("13"));
  }

  void messagesComeInAnyFrames() {
    const Service service;
    RawSocket socket(service.port(), "/echo");
    // A ping between the parts of a message, one of which is empty; a character is cut by the second.
    QVERIFY(socket.client.send(frameOf(kTextFrame, "a\xc3", 0) + frameOf(kPing, "now") +
                               frameOf(kContinued, "", 0) + frameOf(kContinued, "\xa4z")));
    const RawSocket::Frame pong = socket.readFrame();
    QCOMPARE(pong.opcode, int(kPong));
    QCOMPARE(pong.payload, std::string("now"));
    QCOMPARE(socket.read().value(), std::string("a\xc3\xa4z"));
    QVERIFY(socket.send(""));
    QCOMPARE(socket.read().value(), std::string());
    const std::string large(std::size_t{1} << 20, 'x');
    QVERIFY(socket.send(large));
    QVERIFY(socket.read() == large);
    for (const char c : frameOf(kTextFrame, "slow")) QVERIFY(socket.client.send(std::string(1, c)));
    QCOMPARE(socket.read().value(), std::string("slow"));
  }

  void framesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, const std::string& bytes, int code) {
      QTest::newRow(name) << QByteArray::fromStdString(bytes) << code;
    };
    row("without a mask", frameOf(kTextFrame, "a", 0x80, false), 1002);
    row("a reserved bit", frameOf(kTextFrame, "a", 0xC0), 1002);
    row("a reserved opcode", frameOf(3, "a"), 1002);
    row("a part of nothing", frameOf(kContinued, "a"), 1002);
    row("two beginnings", frameOf(kTextFrame, "a", 0) + frameOf(kTextFrame, "b"), 1002);
    row("a ping in parts", frameOf(kPing, "a", 0), 1002);
    row("a long ping", frameOf(kPing, std::string(126, 'a')), 1002);
    row("a close with one byte", frameOf(kCloseFrame, "a"), 1002);
    row("bytes that are no UTF-8", frameOf(kTextFrame, "\xc3("), 1007);
    row("a character that is cut", frameOf(kTextFrame, "\xe2\x82"), 1007);
    row("a surrogate", frameOf(kTextFrame, "\xed\xa0\x80"), 1007);
    row("binary", frameOf(kBinaryFrame, "a"), 1003);
    row("a long message", frameOf(kTextFrame, std::string(2000, 'a')), 1009);
    std::string parts = frameOf(kTextFrame, "a", 0);
    for (int i = 0; i < 200; ++i) parts += frameOf(kContinued, "0123456789", 0);
    row("a long message in parts", parts, 1009);
    row("a message that throws", frameOf(kTextFrame, "throw"), 1011);
  }
  void framesAreRefused() {
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    HttpLimits limits;
    limits.bodyBytes = 1000;
    Service service(limits);
    RawSocket socket(service.port(), "/echo");
    QVERIFY(socket.client.send(bytes.toStdString()));
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, code);
    if (code == 1009) QCOMPARE(socket.closeReason, std::string("a message has at most 1000 bytes"));
    socket.client.close();
    service.handler.gone.acquire();
  }

  // The length alone costs the server nothing.
  void aLengthThatIsClaimedIsNotBelieved() {
    HttpLimits limits;
    limits.bodyBytes = 1000;
    limits.body = 50ms;
    const Service service(limits);
    RawSocket socket(service.port(), "/echo");
    std::string head = "\x81\xff\x7f";
    head += std::string(7, '\xff') + "\x12\x34\x56\x78" + "abc";
    QVERIFY(socket.client.send(head));
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1008);
  }

  void aMessageThatDoesNotArriveIsRefused() {
    HttpLimits limits;
    limits.body = 50ms;
    const Service service(limits);
    RawSocket socket(service.port(), "/echo");
    QVERIFY(socket.client.send(frameOf(kTextFrame, "a", 0)));
    std::thread drips([&] {
      while (socket.client.send(frameOf(kContinued, "", 0))) std::this_thread::sleep_for(5ms);
    });
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1008);
    drips.join();
  }

  void aSilentClientIsAskedAndThenClosed() {
    HttpLimits limits;
    limits.silence = 200ms;
    Service service(limits);
    RawSocket alive(service.port(), "/echo"), dead(service.port(), "/echo");
    for (int i = 0; i < 5; ++i) {
      QCOMPARE(alive.readFrame().opcode, int(kPing));
      QVERIFY(alive.client.send(frameOf(kPong, "")));
    }
    QVERIFY(!dead.read());
    QCOMPARE(dead.pings, 1);
    service.handler.gone.acquire();
    QVERIFY(alive.send("still there"));
    QCOMPARE(alive.read().value(), std::string("still there"));
  }

  void aClientMayClose() {
    Service service;
    RawSocket socket(service.port(), "/echo");
    QVERIFY(socket.client.send(frameOf(kCloseFrame,
                                       "\x03\xe8"
                                       "bye")));
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1000);
    service.handler.gone.acquire();
    RawSocket torn(service.port(), "/echo");
    torn.client.close();
    service.handler.gone.acquire();
  }

  // send() never waits: this thread would hang in it otherwise.
  void aSlowReaderIsGivenUp() {
    Service service;
    RawSocket slow(service.port(), "/echo", {}, 4096);
    const auto socket = service.handler.take();
    const auto message = std::make_shared<const std::string>(65536, 'x');
    while (!service.handler.gone.try_acquire()) {
      socket->send(message);
      QVERIFY(socket->waiting() <= socket->mostWaiting() + message->size());
    }
    QCOMPARE(ask(service.port(), getText("/plain")).status, 200);
  }

  // A message that is larger than the limit of what waits is sent all the same.
  void aLargeMessageIsSentWhole() {
    Service service;
    RawSocket socket(service.port(), "/echo");
    const auto large = std::make_shared<const std::string>(std::size_t{8} << 20, 'x');
    service.handler.take()->send(large);
    QVERIFY(socket.read() == *large);
  }

  void aCloseComesBehindWhatWasSent() {
    Service service;
    RawSocket socket(service.port(), "/echo");
    const auto server = service.handler.take();
    for (int i = 0; i < 3; ++i) server->send(std::make_shared<const std::string>(std::to_string(i)));
    server->close(SocketEnd::kPolicy, "enough");
    server->send(std::make_shared<const std::string>("late"));
    for (int i = 0; i < 3; ++i) QCOMPARE(socket.read().value(), std::to_string(i));
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1008);
    QCOMPARE(socket.closeReason, std::string("enough"));
  }

  void aServerThatEndsSaysSo() {
    Service service;
    RawSocket socket(service.port(), "/echo");
    service.http.stopListening();
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1001);
    QCOMPARE(socket.closeReason, std::string("the end"));
    QVERIFY(socket.client.send(frameOf(kCloseFrame, "\x03\xe9")));
    service.handler.gone.acquire();
    service.http.close(1h);  // nothing is left to wait for
  }

  void aClientThatDoesNotConfirmIsClosedAllTheSame() {
    Service service;
    const RawSocket socket(service.port(), "/echo");
    service.http.close(50ms);
    service.handler.gone.acquire();
  }

  void aSocketMayOutliveTheServer() {
    std::shared_ptr<WebSocket> socket;
    {
      Service service;
      const RawSocket client(service.port(), "/echo");
      socket = service.handler.take();
      service.handler.socketOfTest = nullptr;
    }
    socket->send(std::make_shared<const std::string>("late"));
    socket->close(SocketEnd::kPolicy, "late");
  }

  void aHandlerThatFailsClosesTheConnection() {
    const Service service;
    RawSocket socket(service.port(), "/echo/fault");
    QVERIFY(!socket.read());
    QCOMPARE(socket.closeCode, 1011);
  }
};

QTEST_APPLESS_MAIN(TestWebSocket)
#include "tst_web_socket.moc"

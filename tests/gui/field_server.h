// A server of OpenAI's API as a test writes it: what it answers to a chat, byte for byte, and what it was
// asked. Thread: the test's.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <QTcpServer>
#include <QTcpSocket>
#include <functional>

namespace vitrine::test {

class FieldServer : public QTcpServer {
 public:
  explicit FieldServer(QByteArray owner = "vllm") : m_owner(std::move(owner)) {
    listen(QHostAddress::LocalHost);
    connect(this, &QTcpServer::newConnection, this, &FieldServer::accept);
  }

  QString address() const { return QStringLiteral("127.0.0.1:%1").arg(serverPort()); }
  // The bytes behind a request to chat with this body. Empty: it keeps silent.
  std::function<QByteArray(const QByteArray& body)> answer = [](const QByteArray&) { return QByteArray(); };
  QList<QByteArray> bodies;  // of chats, in the order in which they came
  bool closes = true;        // the connection, behind an answer
  int gone = 0;              // connections that clients have closed

  static QByteArray refusal(int status, const QByteArray& body) {
    return "HTTP/1.1 " + QByteArray::number(status) +
           " No\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\n\r\n" + body;
  }
  static QByteArray stream(const QList<QByteArray>& messages) {
    QByteArray text = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    for (const QByteArray& message : messages) text += "data: " + message + "\n\n";
    return text;
  }
  // A chunk with a token, and another one that was likely.
  static QByteArray token(const QByteArray& text, double logprob = -0.5) {
    return R"({"choices":[{"delta":{"content":")" + text + R"("},"logprobs":{"content":[{"token":")" + text +
           R"(","logprob":)" + QByteArray::number(logprob) + R"(,"top_logprobs":[{"token":")" + text +
           R"(","logprob":)" + QByteArray::number(logprob) + R"(},{"token":"other","logprob":-3}]}]}}]})";
  }
  static QByteArray text(const QByteArray& text) {
    return R"({"choices":[{"delta":{"content":")" + text + R"("}}]})";
  }
  static QByteArray end() { return R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"; }
  static QByteArray usage() {
    return R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,)"
           R"("prompt_tokens_details":{"cached_tokens":4}}})";
  }

 private:
  void accept() {
    QTcpSocket* const socket = nextPendingConnection();
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { take(*socket); });
    connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
      ++gone;
      socket->deleteLater();
    });
  }

  void take(QTcpSocket& socket) {
    QByteArray got = socket.property("got").toByteArray() + socket.readAll();
    const qsizetype head = got.indexOf("\r\n\r\n");
    const qsizetype length = got.toLower().indexOf("content-length:");
    const qsizetype size =
        length < 0 ? 0 : got.mid(length + 15, got.indexOf('\r', length) - length - 15).toInt();
    if (head < 0 || got.size() < head + 4 + size) {
      socket.setProperty("got", got);
      return;
    }
    socket.setProperty("got", QByteArray());
    if (got.startsWith("GET ")) return say(socket, models());
    bodies << got.mid(head + 4);
    if (const QByteArray said = answer(bodies.last()); !said.isEmpty()) say(socket, said);
  }
  void say(QTcpSocket& socket, const QByteArray& bytes) {
    socket.write(bytes);
    if (closes) socket.disconnectFromHost();
  }
  QByteArray models() const {
    const QByteArray body = R"({"data":[{"id":"first","owned_by":")" + m_owner +
                            R"(","max_model_len":4096},{"id":"second","owned_by":")" + m_owner + R"("}]})";
    return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\n\r\n" + body;
  }

  const QByteArray m_owner;
};

}  // namespace vitrine::test

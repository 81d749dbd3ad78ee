// HttpServer: takes HTTP/1.1 requests on one port and hands each to a handler, which answers at once or in
// pieces, or turns its connection into a WebSocket.
//
// One thread of the server's own reads and writes all connections, asynchronously, so a slow client costs
// memory within HttpLimits and no time. It knows nothing of what is asked for. Boost.Beast parses requests;
// its types stay in the three sources behind this header. Read next: http_message.h, web_socket.h,
// api_server.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "server/http_message.h"
#include "server/web_socket.h"

namespace vitrine::server {

// Answers one request: by answer(), or by begin(), any number of piece(), and end(). What comes after the
// client is gone, or behind the end, is dropped. One that is destroyed unanswered answers 500, and one that
// is destroyed within a stream closes the connection, so that a client never waits in vain and takes no torn
// stream for a whole one.
// Thread: any, but one at a time. No method waits for the client.
class Responder {
 public:
  virtual ~Responder() = default;

  virtual void answer(const HttpAnswer& answer) = 0;
  // The body of `head` is the first piece; it may be empty.
  virtual void begin(const HttpAnswer& head) = 0;
  virtual void piece(std::string_view bytes) = 0;
  virtual void end() = 0;

  // Called at most once, on the server's thread, when the client is gone before it has the whole answer: it
  // closed the connection, took nothing for HttpLimits::stall, or left more than HttpLimits::queuedBytes of a
  // stream waiting. To be set within HttpHandler::handle().
  virtual void onGone(std::function<void()> gone) = 0;
};

// Thread: the server's, and for explain() any. An exception from handle() is answered 500; the others must
// not throw.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  // Looks at a request before its body is read. What it returns is sent, and the connection closed.
  virtual std::optional<HttpAnswer> refuse(const HttpRequest& head) = 0;
  virtual void handle(HttpRequest request, const std::shared_ptr<Responder>& responder) = 0;

  // Whether the route of a request that was not refused takes a WebSocket. Elsewhere the wish for one is
  // passed over, as HTTP has it, and handle() answers.
  virtual bool takesSocket(const HttpRequest&) { return false; }
  // A client's WebSocket is open. What is returned lives until its onGone(); null, or an exception, closes
  // it.
  virtual std::shared_ptr<SocketHandler> openSocket(const HttpRequest&, const std::shared_ptr<WebSocket>&) {
    return nullptr;
  }
  // The body of an answer that the server itself gives: 400, 408, 413, 417, 426, 431, 500, 503.
  virtual HttpAnswer explain(int status, const std::string& message) = 0;
};

class HttpServer {
 public:
  // The handler must outlive the server.
  explicit HttpServer(HttpHandler& handler, const HttpLimits& limits = {});
  ~HttpServer();  // as close() without patience
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens on an address ("127.0.0.1", "::1", "0.0.0.0") and serves from then on; port 0 takes a free one.
  // Once. Throws EngineError(kUnavailable) naming the address when it cannot be had.
  void listen(const std::string& address, int port);
  int port() const { return m_port; }               // the one that is listened on
  const std::string& url() const { return m_url; }  // "http://127.0.0.1:8000"; empty before listen()
  std::size_t connections() const;                  // that are open now; any thread
  // Whether only programs of this machine can connect; also false for what is no address.
  static bool isLoopback(const std::string& address);
  static bool isAddress(const std::string& text);

  // Takes no new connection, closes those without a request, closes each other behind its answer, and tells
  // each WebSocket's handler. Any thread.
  void stopListening();
  // The same; waits until all connections are closed, at most for `patience`; then closes what is left, and
  // ends the thread. Not on the server's thread.
  void close(std::chrono::milliseconds patience);

 private:
  struct Network;
  std::unique_ptr<Network> m_network;
  int m_port = 0;
  std::string m_url;
};

}  // namespace vitrine::server

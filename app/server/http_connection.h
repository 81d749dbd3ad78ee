// HttpConnection: one client's connection, from its first byte to its last; see http_server.h.
//
// Idle, it waits for bytes. Then it reads one request within the limits, has it answered, and is idle again.
// While an answer is under way it goes on reading: the end of what the client sends means that the client is
// gone, and a request that comes early waits in the buffer. What other threads write is collected under a
// lock (Outbox), and the server's thread sends it. A connection that becomes a WebSocket hands its socket on
// (socket_connection.h), and only passes on that it shall end. Thread: the server's, but for the methods of
// Outbox.
// Only http_server.cpp and http_connection.cpp include this. Read next: http_server.cpp.
#pragma once

#include <utility>  // Boost 1.74 lacks it

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <mutex>

#include "server/http_server.h"
#include "server/socket_connection.h"

namespace vitrine::server {

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Context = boost::asio::io_context;
  using Socket = boost::asio::ip::tcp::socket;
  using Closed = std::function<void(const std::shared_ptr<HttpConnection>&)>;

  // `closed` is called once. The context lives as long as a connection, since a late answer may hold one.
  HttpConnection(std::shared_ptr<Context> context, Socket socket, HttpHandler& handler,
                 const HttpLimits& limits, Closed closed);

  void start();
  void refuseAll();  // in place of start(): 503 to whatever it asks, one connection being too many
  void windDown();   // closes now when idle, else behind the answer, or as the WebSocket's handler says
  void close();

 private:
  class Reply;
  enum class State { kIdle, kReading, kAnswering, kLingering, kUpgraded, kClosed };
  using Error = boost::system::error_code;

  // Written by a Responder on any thread.
  struct Outbox {
    std::mutex mutex;
    std::string pending;        // framed bytes that are not being sent yet
    std::size_t sending = 0;    // bytes that are
    std::uint64_t request = 0;  // the request that is being answered; others' bytes are dropped
    bool scheduled = false;     // the server's thread will look at it
    bool begun = false, ended = false, overflowed = false, closed = false;
    bool chunked = false, bodiless = false, keepAlive = false;  // of the answer
  };

  void readMore();
  void onBytes(Error error, std::size_t bytes);
  void nextRequest();
  void readHeader();
  void onHeader(Error error);
  void upgrade();
  void readBody();
  void onRequest(Error error);
  std::uint64_t startAnswering(bool keepAlive);
  void handle();
  void fail(Error error);
  void sendAndClose(const HttpAnswer& answer);
  void linger();
  void gone();

  void arm(std::chrono::milliseconds time);
  void onDeadline();

  // On any thread.
  void send(std::uint64_t request, const HttpAnswer& answer, bool whole);
  void sendPiece(std::uint64_t request, std::string_view bytes);
  void sendEnd(std::uint64_t request);
  void abandon(std::uint64_t request);
  void schedule(std::unique_lock<std::mutex> lock);
  std::string headOf(const HttpAnswer& answer, bool whole) const;

  void flush();
  void write();
  void onWritten(Error error, std::size_t bytes);

  const std::shared_ptr<Context> m_context;
  Socket m_socket;
  HttpHandler& m_handler;
  const HttpLimits& m_limits;
  const Closed m_closed;

  State m_state = State::kIdle;
  bool m_reading = false;   // readMore() waits for bytes
  bool m_winding = false;   // no further request
  bool m_timedOut = false;  // the request that is being read
  bool m_refusesAll = false;
  bool m_lingers = false;  // behind the answer, what the client still sends is read and dropped
  boost::beast::flat_buffer m_buffer;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> m_parser;
  HttpRequest m_request;
  std::function<void()> m_gone;
  std::shared_ptr<UpgradedConnection> m_upgraded;  // once it is a WebSocket
  boost::asio::steady_timer m_deadline;            // of reading, idling and lingering
  std::uint64_t m_deadlines = 0;  // armed so far: an older one that fires late is passed over
  boost::asio::steady_timer m_stall;
  std::uint64_t m_stalls = 0;
  Outbox m_outbox;
  std::string m_writing;
  std::size_t m_written = 0;
  bool m_isWriting = false;
};

}  // namespace vitrine::server

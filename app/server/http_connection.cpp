#include <utility>  // Boost 1.74 lacks it

#include "server/http_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <cctype>
#include <cstdio>

namespace vitrine::server {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr std::size_t kReadBytes = 4096;
constexpr std::chrono::milliseconds kLinger{2000};

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

template <class Message>
HttpRequest headOfRequest(const Message& message) {
  const auto text = [](const auto& view) { return std::string(view.data(), view.size()); };
  HttpRequest request;
  request.method = text(message.method_string());
  const std::string target = text(message.target());
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  for (const auto& field : message)
    request.headers.emplace_back(lowered(text(field.name_string())), text(field.value()));
  return request;
}

std::string chunkOf(std::string_view bytes) {
  char size[24];
  const int length = std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  std::string chunk(size, static_cast<std::size_t>(length));
  chunk.append(bytes).append("\r\n");
  return chunk;
}

}  // namespace

class HttpConnection::Reply final : public Responder {
 public:
  Reply(std::shared_ptr<HttpConnection> connection, std::uint64_t request)
      : m_connection(std::move(connection)), m_request(request) {}
  ~Reply() override { m_connection->abandon(m_request); }

  void answer(const HttpAnswer& answer) override { m_connection->send(m_request, answer, true); }
  void begin(const HttpAnswer& head) override { m_connection->send(m_request, head, false); }
  void piece(std::string_view bytes) override { m_connection->sendPiece(m_request, bytes); }
  void end() override { m_connection->sendEnd(m_request); }
  void onGone(std::function<void()> gone) override { m_connection->m_gone = std::move(gone); }

 private:
  const std::shared_ptr<HttpConnection> m_connection;
  const std::uint64_t m_request;
};

HttpConnection::HttpConnection(std::shared_ptr<Context> context, Socket socket, HttpHandler& handler,
                               const HttpLimits& limits, Closed closed)
    : m_context(std::move(context)),
      m_socket(std::move(socket)),
      m_handler(handler),
      m_limits(limits),
      m_closed(std::move(closed)),
      m_deadline(*m_context),
      m_stall(*m_context) {
  Error ignored;
  m_socket.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void HttpConnection::start() { nextRequest(); }

void HttpConnection::refuseAll() {
  m_refusesAll = true;
  nextRequest();
}

void HttpConnection::windDown() {
  m_winding = true;
  {
    const std::lock_guard lock(m_outbox.mutex);
    m_outbox.keepAlive = false;
  }
  if (m_state == State::kIdle) close();
  if (m_upgraded) m_upgraded->windDown();
}

void HttpConnection::close() {
  if (m_state == State::kClosed) return;
  m_state = State::kClosed;
  {
    const std::lock_guard lock(m_outbox.mutex);
    m_outbox.closed = true;
    m_outbox.pending.clear();
  }
  Error ignored;
  m_deadline.cancel();
  m_stall.cancel();
  m_socket.close(ignored);
  m_gone = nullptr;
  if (const auto upgraded = std::exchange(m_upgraded, nullptr)) upgraded->drop();
  m_closed(shared_from_this());
}

// Reading.

void HttpConnection::readMore() {
  if (m_reading) return;
  m_reading = true;
  m_socket.async_read_some(m_buffer.prepare(kReadBytes),
                           [self = shared_from_this()](Error error, std::size_t bytes) {
                             self->m_reading = false;
                             self->onBytes(error, bytes);
                           });
}

void HttpConnection::onBytes(Error error, std::size_t bytes) {
  if (m_state == State::kClosed) return;
  if (!error) m_buffer.commit(bytes);
  const bool interrupted = error == asio::error::operation_aborted;  // by nextRequest()
  if (error && !interrupted) return m_state == State::kAnswering ? gone() : close();
  if (m_state == State::kIdle) return m_buffer.size() > 0 ? readHeader() : readMore();
  if (m_state == State::kLingering) m_buffer.consume(m_buffer.size());
  // A client that sends far ahead waits; that it is gone is then noticed when it is written to.
  if (m_buffer.size() < m_limits.headerBytes) readMore();
}

void HttpConnection::nextRequest() {
  m_state = State::kIdle;
  if (m_winding) return close();
  arm(m_limits.idle);
  if (m_buffer.size() == 0) return readMore();
  if (!m_reading) return readHeader();
  Error ignored;
  m_socket.cancel(ignored);  // the parser reads from here on; onBytes() begins it
}

void HttpConnection::readHeader() {
  m_state = State::kReading;
  m_timedOut = false;
  m_parser.emplace();
  m_parser->header_limit(static_cast<std::uint32_t>(m_limits.headerBytes));
  m_parser->body_limit(m_limits.bodyBytes);
  arm(m_limits.header);
  http::async_read_header(m_socket, m_buffer, *m_parser,
                          [self = shared_from_this()](Error error, std::size_t) { self->onHeader(error); });
}

void HttpConnection::onHeader(Error error) {
  if (m_state == State::kClosed) return;
  if (error) return fail(error);
  m_request = headOfRequest(m_parser->get());
  if (m_refusesAll)
    return sendAndClose(m_handler.explain(503, "too many connections are open; try again later"));
  if (const std::optional<HttpAnswer> refusal = m_handler.refuse(m_request)) return sendAndClose(*refusal);
  // An older client's wish is passed over (RFC 9110, 7.8).
  if (m_parser->get().version() >= 11 && asksForSocket(m_request) && m_handler.takesSocket(m_request))
    return upgrade();
  if (m_parser->is_done()) return onRequest({});
  if (m_request.count("expect") == 0) return readBody();
  if (lowered(std::string(m_request.header("expect"))) != "100-continue")
    return sendAndClose(m_handler.explain(417, "the only expectation that is met is 100-continue"));
  m_writing = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(m_socket, asio::buffer(m_writing),
                    [self = shared_from_this()](Error failure, std::size_t) {
                      if (self->m_state == State::kClosed) return;
                      self->m_writing.clear();
                      failure ? self->close() : self->readBody();
                    });
}

void HttpConnection::upgrade() {
  if (const auto wrong = handshakeError(m_request)) {
    HttpAnswer answer = m_handler.explain(wrong->status, wrong->message);
    if (wrong->status == 426) answer.headers.emplace_back("Sec-WebSocket-Version", kSocketVersion);
    return sendAndClose(answer);
  }
  if (!m_parser->is_done() || m_buffer.size() > 0)
    return sendAndClose(
        m_handler.explain(400, "a WebSocket begins without a body, and waits for the answer"));
  if (m_winding) return sendAndClose(m_handler.explain(503, "the server is shutting down"));
  m_state = State::kUpgraded;
  m_deadline.cancel();
  ++m_deadlines;
  m_parser.reset();
  m_upgraded = upgraded(m_context, std::move(m_socket), std::exchange(m_request, {}), m_handler, m_limits,
                        [self = shared_from_this()] { self->close(); });
}

void HttpConnection::readBody() {
  arm(m_limits.body);
  http::async_read(m_socket, m_buffer, *m_parser,
                   [self = shared_from_this()](Error error, std::size_t) { self->onRequest(error); });
}

void HttpConnection::onRequest(Error error) {
  if (m_state == State::kClosed) return;
  if (error) return fail(error);
  m_request.body = std::move(m_parser->get().body());
  handle();
}

// The number of the answer that begins.
std::uint64_t HttpConnection::startAnswering(bool keepAlive) {
  m_deadline.cancel();
  ++m_deadlines;
  m_state = State::kAnswering;
  const std::lock_guard lock(m_outbox.mutex);
  m_outbox.begun = m_outbox.ended = m_outbox.overflowed = false;
  m_outbox.keepAlive = keepAlive;
  m_outbox.chunked = m_parser && m_parser->get().version() >= 11;
  m_outbox.bodiless = m_request.method == "HEAD";
  return ++m_outbox.request;
}

void HttpConnection::handle() {
  const std::uint64_t number = startAnswering(m_parser->get().keep_alive() && !m_winding);
  m_parser.reset();
  readMore();
  const auto reply = std::make_shared<Reply>(shared_from_this(), number);
  try {
    m_handler.handle(std::exchange(m_request, {}), reply);
  } catch (const std::exception&) {
    abandon(number);
  }
}

// What was read is no request, or not all of one.
void HttpConnection::fail(Error error) {
  if (error == http::error::end_of_stream) return close();
  if (error == asio::error::operation_aborted && m_timedOut)
    return sendAndClose(m_handler.explain(408, "the request did not arrive in time"));
  if (error == http::error::header_limit)
    return sendAndClose(m_handler.explain(
        431, "the request's headers are larger than " + std::to_string(m_limits.headerBytes) + " bytes"));
  if (error == http::error::body_limit)
    return sendAndClose(m_handler.explain(
        413, "the request's body is larger than " + std::to_string(m_limits.bodyBytes) + " bytes"));
  if (error.category() == make_error_code(http::error::bad_method).category() &&
      error != http::error::partial_message)
    return sendAndClose(m_handler.explain(400, "this is no HTTP request: " + error.message()));
  close();
}

// The rest of the request is not read as one, so the connection ends with this answer.
void HttpConnection::sendAndClose(const HttpAnswer& answer) {
  m_lingers = true;
  const std::uint64_t number = startAnswering(false);
  send(number, answer, true);
}

// A connection that is closed with unread bytes is reset, and the reset may overtake the answer (RFC 9112,
// 9.6). So what still comes is read and dropped, for a while.
void HttpConnection::linger() {
  if (!m_lingers) return close();
  m_state = State::kLingering;
  m_buffer.consume(m_buffer.size());
  Error ignored;
  m_socket.shutdown(Socket::shutdown_send, ignored);
  arm(kLinger);
  readMore();
}

void HttpConnection::gone() {
  const std::function<void()> tell = std::exchange(m_gone, nullptr);
  close();
  if (tell) tell();
}

void HttpConnection::arm(std::chrono::milliseconds time) {
  m_deadline.expires_after(time);
  m_deadline.async_wait([self = shared_from_this(), number = ++m_deadlines](Error error) {
    if (!error && number == self->m_deadlines) self->onDeadline();
  });
}

void HttpConnection::onDeadline() {
  if (m_state == State::kReading) {
    m_timedOut = true;
    Error ignored;
    m_socket.cancel(ignored);  // fail() answers
  } else if (m_state == State::kIdle || m_state == State::kLingering) {
    close();
  }
}

// Writing.

std::string HttpConnection::headOf(const HttpAnswer& answer, bool whole) const {
  const auto reason = http::obsolete_reason(static_cast<http::status>(answer.status));
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  head.append(reason.data(), reason.size());
  head += "\r\nContent-Type: " + answer.type + "\r\nCache-Control: no-store\r\n";
  head += "X-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : answer.headers) head += name + ": " + value + "\r\n";
  if (whole) head += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  if (!whole && m_outbox.chunked) head += "Transfer-Encoding: chunked\r\n";
  head += m_outbox.keepAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

void HttpConnection::send(std::uint64_t request, const HttpAnswer& answer, bool whole) {
  std::unique_lock lock(m_outbox.mutex);
  if (request != m_outbox.request || m_outbox.begun || m_outbox.closed) return;
  m_outbox.begun = true;
  m_outbox.ended = whole;
  if (!whole && !m_outbox.chunked)
    m_outbox.keepAlive = false;  // the end of the connection is that of the body
  m_outbox.pending += headOf(answer, whole);
  if (!m_outbox.bodiless && !answer.body.empty())
    m_outbox.pending += whole || !m_outbox.chunked ? answer.body : chunkOf(answer.body);
  schedule(std::move(lock));
}

void HttpConnection::sendPiece(std::uint64_t request, std::string_view bytes) {
  std::unique_lock lock(m_outbox.mutex);
  Outbox& box = m_outbox;
  if (request != box.request || !box.begun || box.ended || box.overflowed || box.closed) return;
  if (bytes.empty() || box.bodiless) return;
  if (box.chunked)
    box.pending += chunkOf(bytes);
  else
    box.pending += bytes;
  if (box.pending.size() + box.sending > m_limits.queuedBytes) {
    box.overflowed = true;
    box.pending = {};
  }
  schedule(std::move(lock));
}

void HttpConnection::sendEnd(std::uint64_t request) {
  std::unique_lock lock(m_outbox.mutex);
  if (request != m_outbox.request || !m_outbox.begun || m_outbox.ended || m_outbox.closed) return;
  if (m_outbox.chunked && !m_outbox.bodiless) m_outbox.pending += "0\r\n\r\n";
  m_outbox.ended = true;
  schedule(std::move(lock));
}

void HttpConnection::abandon(std::uint64_t request) {
  std::unique_lock lock(m_outbox.mutex);
  if (request != m_outbox.request || m_outbox.ended || m_outbox.closed) return;
  if (m_outbox.begun) {
    m_outbox.ended = true;  // without the mark of its end: a torn stream
    m_outbox.keepAlive = false;
    return schedule(std::move(lock));
  }
  lock.unlock();
  send(request, m_handler.explain(500, "the request was not answered"), true);
}

void HttpConnection::schedule(std::unique_lock<std::mutex> lock) {
  if (std::exchange(m_outbox.scheduled, true)) return;
  lock.unlock();
  asio::post(*m_context, [self = shared_from_this()] { self->flush(); });
}

void HttpConnection::flush() {
  bool overflowed = false, ended = false, keepAlive = false;
  {
    const std::lock_guard lock(m_outbox.mutex);
    m_outbox.scheduled = false;
    if (m_outbox.closed) return;
    overflowed = m_outbox.overflowed;
    if (!overflowed) {
      if (m_isWriting) return;  // onWritten() comes here again
      m_writing.clear();
      m_writing.swap(m_outbox.pending);
      m_outbox.sending = m_writing.size();
      ended = m_outbox.ended && m_writing.empty() && m_state == State::kAnswering;
      keepAlive = m_outbox.keepAlive;
      if (ended) ++m_outbox.request;  // nothing more of this answer counts
    }
  }
  if (overflowed) return gone();
  if (!m_writing.empty()) {
    m_isWriting = true;
    m_written = 0;
    return write();
  }
  if (!ended) return;
  m_gone = nullptr;
  keepAlive ? nextRequest() : linger();
}

void HttpConnection::write() {
  m_stall.expires_after(m_limits.stall);
  m_stall.async_wait([self = shared_from_this(), number = ++m_stalls](Error error) {
    if (!error && number == self->m_stalls && self->m_isWriting) self->gone();
  });
  m_socket.async_write_some(
      asio::buffer(m_writing.data() + m_written, m_writing.size() - m_written),
      [self = shared_from_this()](Error error, std::size_t bytes) { self->onWritten(error, bytes); });
}

void HttpConnection::onWritten(Error error, std::size_t bytes) {
  if (m_state == State::kClosed) return;
  if (error) return gone();
  m_written += bytes;
  if (m_written < m_writing.size()) return write();
  m_isWriting = false;
  m_stall.cancel();
  flush();
}

}  // namespace vitrine::server

#include <utility>  // Boost 1.74 lacks it

#include "server/socket_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>
#include <mutex>

namespace vitrine::server {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

constexpr std::size_t kReadBytes = std::size_t{16} << 10;
constexpr std::size_t kFrameBytes = std::size_t{64}
                                    << 10;             // of a message that is sent; pings go between them
constexpr std::chrono::milliseconds kCloseTime{2000};  // for the client to confirm a close, and to hang up
constexpr std::size_t kLongestReason = 123;            // bytes, by RFC 6455

http::request<http::empty_body> forBeast(const HttpRequest& request) {
  http::request<http::empty_body> message(http::verb::get, request.path, 11);
  for (const auto& [name, value] : request.headers) message.insert(name, value);
  return message;
}

class SocketConnection final : public UpgradedConnection,
                               public WebSocket,
                               public std::enable_shared_from_this<SocketConnection> {
 public:
  using Socket = asio::ip::tcp::socket;

  SocketConnection(std::shared_ptr<asio::io_context> context, Socket socket, HttpRequest request,
                   HttpHandler& handler, const HttpLimits& limits, std::function<void()> closed)
      : m_context(std::move(context)),
        m_stream(std::move(socket)),
        m_request(std::move(request)),
        m_message(forBeast(m_request)),
        m_server(handler),
        m_limits(limits),
        m_deadline(*m_context),
        m_closed(std::move(closed)) {}

  void start();
  void windDown() override;
  void drop() override;

  // WebSocket, on any thread.
  void send(SocketText message) override;
  void close(SocketEnd end, std::string_view reason) override;
  std::size_t waiting() const override;
  std::size_t mostWaiting() const override { return m_limits.queuedBytes; }

 private:
  using Error = boost::system::error_code;

  void onAccepted(Error error);
  void read();
  void onRead(Error error);
  void refuse(SocketEnd end, std::string_view reason);
  void arm(std::chrono::milliseconds time, void (SocketConnection::*then)());
  void refuseLate() { close(SocketEnd::kPolicy, "the message did not arrive in time"); }
  void schedule(std::unique_lock<std::mutex> lock);
  void flush();
  void onWritten(Error error);

  const std::shared_ptr<asio::io_context> m_context;
  websocket::stream<Socket, false> m_stream;  // without compression
  const HttpRequest m_request;
  const http::request<http::empty_body> m_message;
  HttpHandler& m_server;
  const HttpLimits& m_limits;

  // The server's thread alone.
  boost::beast::flat_buffer m_buffer;  // the message that is being read
  bool m_inMessage = false;
  asio::steady_timer m_deadline;  // of that message, or of the end
  std::uint64_t m_deadlines = 0;  // armed or disarmed so far: an older one that fires late is passed over
  std::shared_ptr<SocketHandler> m_handler;  // from the handshake on
  std::function<void()> m_closed;
  bool m_winding = false, m_closeBegun = false, m_isGone = false;
  SocketText m_writing;

  mutable std::mutex m_mutex;  // of what follows
  std::deque<SocketText> m_queue;
  std::size_t m_queued = 0;  // bytes
  std::optional<SocketEnd> m_end;
  std::string m_reason;
  bool m_scheduled = false;  // the server's thread will look at it
  bool m_overflowed = false, m_isOver = false;
};

void SocketConnection::start() {
  m_stream.set_option(websocket::stream_base::timeout{kCloseTime, m_limits.silence, true});
  const auto offered = offeredProtocols(m_request);
  const bool chooses = std::ranges::find(offered, kSocketProtocol) != offered.end();
  m_stream.set_option(websocket::stream_base::decorator([chooses](websocket::response_type& answer) {
    answer.set(http::field::server, "vitrine");  // in place of Beast's name and version
    if (chooses)
      answer.set(http::field::sec_websocket_protocol,
                 boost::beast::string_view(kSocketProtocol.data(), kSocketProtocol.size()));
  }));
  // Beast answers a client's close, and waits until the client hangs up.
  m_stream.control_callback([this](websocket::frame_type kind, boost::beast::string_view) {
    if (kind == websocket::frame_type::close) arm(kCloseTime, &SocketConnection::drop);
  });
  m_stream.read_message_max(0);  // onRead() has the limit, and says it
  m_stream.write_buffer_bytes(kFrameBytes);
  m_stream.text(true);
  m_stream.async_accept(m_message, [self = shared_from_this()](Error error) { self->onAccepted(error); });
}

void SocketConnection::onAccepted(Error error) {
  if (m_isGone) return;
  if (error) return drop();
  try {
    m_handler = m_server.openSocket(m_request, shared_from_this());
  } catch (const std::exception&) {
  }
  if (!m_handler) return refuse(SocketEnd::kFault, "the server failed");
  if (m_winding) m_handler->onEnding();
  read();
}

void SocketConnection::windDown() {
  m_winding = true;
  if (m_handler) m_handler->onEnding();
}

void SocketConnection::drop() {
  if (std::exchange(m_isGone, true)) return;
  {
    const std::lock_guard lock(m_mutex);
    m_isOver = true;
    m_queue.clear();
    m_queued = 0;
  }
  m_deadline.cancel();
  // Beast's timer: the server's thread would wait for it as long as a late answer holds this.
  m_stream.set_option(
      websocket::stream_base::timeout{websocket::stream_base::none(), websocket::stream_base::none(), false});
  Error ignored;
  m_stream.next_layer().close(ignored);
  if (const auto handler = std::exchange(m_handler, nullptr)) handler->onGone();
  std::exchange(m_closed, nullptr)();
}

// Reading.

void SocketConnection::read() {
  m_stream.async_read_some(m_buffer, kReadBytes,
                           [self = shared_from_this()](Error error, std::size_t) { self->onRead(error); });
}

void SocketConnection::onRead(Error error) {
  if (m_isGone) return;
  if (error)
    return drop();  // Beast has closed with the code that fits: 1002, or 1007 for bytes that are no UTF-8
  if (m_closeBegun) return;  // what still comes is dropped
  if (m_stream.got_binary()) return refuse(SocketEnd::kNotText, "messages are text");
  if (m_buffer.size() > m_limits.bodyBytes)
    return refuse(SocketEnd::kTooLarge,
                  "a message has at most " + std::to_string(m_limits.bodyBytes) + " bytes");
  if (!m_stream.is_message_done()) {
    // However small its parts are, a message has no more time than another.
    if (!std::exchange(m_inMessage, true)) arm(m_limits.body, &SocketConnection::refuseLate);
    return read();
  }
  m_inMessage = false;
  ++m_deadlines;
  m_deadline.cancel();
  const auto bytes = m_buffer.cdata();
  try {
    m_handler->onMessage({static_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const std::exception&) {
    return refuse(SocketEnd::kFault, "the server failed");
  }
  m_buffer.consume(m_buffer.size());
  read();
}

// Nothing more is read, but for the client's answer to the close.
void SocketConnection::refuse(SocketEnd end, std::string_view reason) {
  m_buffer.clear();
  ++m_deadlines;
  m_deadline.cancel();
  close(end, reason);
}

void SocketConnection::arm(std::chrono::milliseconds time, void (SocketConnection::*then)()) {
  m_deadline.expires_after(time);
  m_deadline.async_wait([self = shared_from_this(), number = ++m_deadlines, then](Error error) {
    if (!error && number == self->m_deadlines) ((*self).*then)();
  });
}

// Writing.

void SocketConnection::send(SocketText message) {
  std::unique_lock lock(m_mutex);
  if (m_isOver || m_end || m_overflowed) return;
  if (m_queued > m_limits.queuedBytes) {
    m_overflowed = true;
    m_queue.clear();
    m_queued = 0;
  } else {
    m_queued += message->size();
    m_queue.push_back(std::move(message));
  }
  schedule(std::move(lock));
}

void SocketConnection::close(SocketEnd end, std::string_view reason) {
  std::unique_lock lock(m_mutex);
  if (m_isOver || m_end || m_overflowed) return;
  m_end = end;
  m_reason = reason.substr(0, kLongestReason);
  schedule(std::move(lock));
}

std::size_t SocketConnection::waiting() const {
  const std::lock_guard lock(m_mutex);
  return m_queued;
}

void SocketConnection::schedule(std::unique_lock<std::mutex> lock) {
  if (std::exchange(m_scheduled, true)) return;
  lock.unlock();
  asio::post(*m_context, [self = shared_from_this()] { self->flush(); });
}

void SocketConnection::flush() {
  if (m_isGone) return;
  bool overflowed = false;
  std::optional<websocket::close_reason> end;
  {
    const std::lock_guard lock(m_mutex);
    m_scheduled = false;
    overflowed = m_overflowed;
    if (!overflowed) {
      if (m_writing) return;  // onWritten() comes here again
      if (!m_queue.empty()) {
        m_writing = std::move(m_queue.front());
        m_queue.pop_front();
        m_queued -= m_writing->size();
      } else if (m_end && !m_closeBegun) {
        end.emplace(static_cast<websocket::close_code>(*m_end),
                    boost::beast::string_view(m_reason.data(), m_reason.size()));
      }
    }
  }
  if (overflowed) return drop();
  if (m_writing) {
    m_stream.async_write(asio::buffer(*m_writing),
                         [self = shared_from_this()](Error error, std::size_t) { self->onWritten(error); });
  } else if (end) {
    m_closeBegun = true;
    m_stream.async_close(*end, [self = shared_from_this()](Error) { self->drop(); });
  }
}

void SocketConnection::onWritten(Error error) {
  if (m_isGone) return;
  if (error) return drop();
  m_writing.reset();
  flush();
  if (!m_writing && m_handler) m_handler->onTaken();
}

}  // namespace

std::shared_ptr<UpgradedConnection> upgraded(std::shared_ptr<asio::io_context> context,
                                             asio::ip::tcp::socket socket, HttpRequest request,
                                             HttpHandler& handler, const HttpLimits& limits,
                                             std::function<void()> closed) {
  const auto connection = std::make_shared<SocketConnection>(
      std::move(context), std::move(socket), std::move(request), handler, limits, std::move(closed));
  connection->start();
  return connection;
}

}  // namespace vitrine::server

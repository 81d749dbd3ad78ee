#include <utility>  // Boost 1.74 lacks it

#include "watch/event_stream.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <thread>

#include "vitrine/message_text.h"
#include "watch/event_lines.h"

namespace vitrine::watch {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

constexpr std::chrono::seconds kConnectTime{10}, kSilence{60};
constexpr std::size_t kMostMessage = std::size_t{256} << 20;  // bytes: a snapshot of a large pool
constexpr std::size_t kGathered = 500;                        // events that are handed on at once

}  // namespace

std::string serverText(const ServerPlace& place) {
  const bool isV6 = place.host.find(':') != std::string::npos;
  return (isV6 ? "[" + place.host + "]" : place.host) + ":" + std::to_string(place.port);
}

class EventStream::Connection {
 public:
  Connection(ServerPlace place, StreamListener& listener)
      : m_place(std::move(place)),
        m_listener(listener),
        m_resolver(m_context),
        m_stream(m_context),
        m_thread([this] { work(); }) {}
  ~Connection() {
    m_context.stop();
    m_thread.join();
  }

 private:
  using Error = boost::system::error_code;
  using Endpoints = asio::ip::tcp::resolver::results_type;

  void work();
  void connect(const Endpoints& endpoints);
  void shakeHands();
  void onShaken(Error error);
  void read();
  void onRead(Error error);
  void hand();
  void end(const EngineError& why);
  std::string server() const { return serverText(m_place); }

  const ServerPlace m_place;
  StreamListener& m_listener;
  asio::io_context m_context{1};
  asio::ip::tcp::resolver m_resolver;
  websocket::stream<beast::tcp_stream, false> m_stream;  // without compression
  websocket::response_type m_answer;
  beast::flat_buffer m_buffer;
  EventLines m_lines;
  std::vector<Event> m_events;  // not handed on yet
  bool m_hasEnded = false;
  std::thread m_thread;  // the last to be made
};

void EventStream::Connection::end(const EngineError& why) {
  hand();
  m_hasEnded = true;
  m_listener.ended(why);
}

void EventStream::Connection::work() {
  m_resolver.async_resolve(m_place.host, std::to_string(m_place.port), [this](Error error, Endpoints found) {
    if (!error) return connect(found);
    end(EngineError(ErrorCode::kUnavailable, "there is no computer called " + forMessage(m_place.host, 100),
                    "Check the address."));
  });
  try {
    m_context.run();
  } catch (const EngineError& error) {
    end(error);
  } catch (const std::exception& error) {  // of the library, or out of memory
    end(EngineError(ErrorCode::kUnavailable, server() + " cannot be watched: " + error.what()));
  }
}

void EventStream::Connection::connect(const Endpoints& endpoints) {
  auto& socket = beast::get_lowest_layer(m_stream);
  socket.expires_after(kConnectTime);
  socket.async_connect(endpoints, [this](Error error, const auto&) {
    if (!error) return shakeHands();
    end(EngineError(ErrorCode::kUnavailable, "no server answers at " + server() + ": " + error.message(),
                    "Check the address, and that the server is on."));
  });
}

void EventStream::Connection::shakeHands() {
  beast::get_lowest_layer(m_stream).expires_never();  // the WebSocket has times of its own
  m_stream.set_option(websocket::stream_base::timeout{kConnectTime, kSilence, true});
  m_stream.set_option(websocket::stream_base::decorator([this](websocket::request_type& request) {
    if (!m_place.token.empty()) request.set(beast::http::field::authorization, "Bearer " + m_place.token);
  }));
  m_stream.read_message_max(kMostMessage);
  m_stream.async_handshake(m_answer, server(), "/v1/events", [this](Error error) { onShaken(error); });
}

void EventStream::Connection::onShaken(Error error) {
  if (!error) return read();
  const int status = m_answer.result_int();
  if (error != websocket::error::upgrade_declined)
    return end(EngineError(ErrorCode::kUnavailable, server() + " does not answer: " + error.message(),
                           "Check that a server of Vitrine listens there."));
  if (status == 401 || status == 403)
    return end(EngineError(
        ErrorCode::kInvalidArgument,
        m_place.token.empty() ? server() + " asks for a token" : server() + " does not take this token",
        "Its watch token is enough."));
  end(EngineError(ErrorCode::kUnsupported,
                  server() + " is no server of Vitrine: it answers " + std::to_string(status),
                  "Name one that vitrine-cli serve or the window's Serve has started."));
}

void EventStream::Connection::read() {
  m_stream.async_read(m_buffer, [this](Error error, std::size_t) { onRead(error); });
}

void EventStream::Connection::onRead(Error error) {
  if (error) {
    const std::string reason(m_stream.reason().reason.data(), m_stream.reason().reason.size());
    return end(EngineError(ErrorCode::kUnavailable, reason.empty()
                                                        ? "the connection to " + server() + " was lost"
                                                        : server() + ": " + forMessage(reason, 123)));
  }
  const auto bytes = m_buffer.cdata();
  for (Event& event : m_lines.take({static_cast<const char*>(bytes.data()), bytes.size()}))
    m_events.push_back(std::move(event));
  m_buffer.consume(m_buffer.size());
  // What has arrived already comes with it.
  if (m_events.size() >= kGathered || beast::get_lowest_layer(m_stream).socket().available() == 0) hand();
  read();
}

void EventStream::Connection::hand() {
  if (!m_events.empty() && !m_hasEnded) m_listener.came(std::exchange(m_events, {}));
}

EventStream::EventStream(ServerPlace place, StreamListener& listener)
    : m_connection(std::make_unique<Connection>(std::move(place), listener)) {}

EventStream::~EventStream() = default;

}  // namespace vitrine::watch

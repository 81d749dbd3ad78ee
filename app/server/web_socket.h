// WebSocket: a connection over which client and server send text messages at any time (RFC 6455), as the
// routes see it; and the headers with which one begins.
//
// Thread: as each says. Read next: socket_connection.h, stream_session.h, event_feed.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http_message.h"

namespace vitrine::server {

// Why a connection ends, as RFC 6455 numbers it.
enum class SocketEnd {
  kGoingAway = 1001,
  kNotText = 1003,
  kPolicy = 1008,
  kTooLarge = 1009,
  kFault = 1011,
};

// A message that several clients may get.
using SocketText = std::shared_ptr<const std::string>;
inline SocketText socketText(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// Thread: any. No method waits for the client.
class WebSocket {
 public:
  virtual ~WebSocket() = default;

  // Queues a message in UTF-8. It is dropped when the connection ends. A client that has left more than
  // mostWaiting() bytes waiting before it counts as gone.
  virtual void send(SocketText message) = 0;
  // Closes the connection behind the messages that were sent. The reason has at most 123 bytes.
  virtual void close(SocketEnd end, std::string_view reason) = 0;

  virtual std::size_t waiting() const = 0;      // bytes behind the message that is being sent
  virtual std::size_t mostWaiting() const = 0;  // HttpLimits::queuedBytes
};

// Takes a client's messages. Thread: the server's. onMessage() may throw, which closes the connection.
class SocketHandler {
 public:
  virtual ~SocketHandler() = default;

  virtual void onMessage(std::string_view text) = 0;  // UTF-8
  virtual void onTaken() {}                           // the client has taken all that was sent
  // The server ends: to be closed with kGoingAway, at once or behind what is under way.
  virtual void onEnding() = 0;
  virtual void onGone() = 0;  // once, and the last call
};

inline constexpr const char* kSocketVersion = "13";
// Of the protocols that a client offers the server chooses the first. The second has a token in it, for
// pages, which cannot send Authorization with a WebSocket; it is not sent back.
inline constexpr std::string_view kSocketProtocol = "vitrine.v1", kTokenProtocol = "vitrine.token.";

// Whether a request asks for its connection to become a WebSocket.
bool asksForSocket(const HttpRequest& request);
// What is wrong with such a request: 400, or 426 for another version than kSocketVersion.
struct HandshakeError {
  int status = 400;
  std::string message;
};
std::optional<HandshakeError> handshakeError(const HttpRequest& request);
// Sec-WebSocket-Protocol.
std::vector<std::string> offeredProtocols(const HttpRequest& request);

}  // namespace vitrine::server

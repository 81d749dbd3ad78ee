// The connection of a client as a WebSocket, from its handshake to its last byte; see web_socket.h.
//
// Boost.Beast reads and writes the frames, checks UTF-8, answers pings, and asks a silent client with one.
// What other threads send is queued under a lock, and the server's thread sends one message after the other.
// Compression is not offered: a small message could become a large one. Thread: the server's.
// Only http_connection includes this. Read next: socket_connection.cpp.
#pragma once

#include <utility>  // Boost 1.74 lacks it

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>

#include "server/http_server.h"

namespace vitrine::server {

class UpgradedConnection {
 public:
  virtual ~UpgradedConnection() = default;
  virtual void windDown() = 0;  // tells the handler that the server ends
  virtual void drop() = 0;      // closes without a word
};

// Answers the handshake of a request without a handshakeError(), and serves the connection. `closed` is
// called once, later. Handler and limits outlive it.
std::shared_ptr<UpgradedConnection> upgraded(std::shared_ptr<boost::asio::io_context> context,
                                             boost::asio::ip::tcp::socket socket, HttpRequest request,
                                             HttpHandler& handler, const HttpLimits& limits,
                                             std::function<void()> closed);

}  // namespace vitrine::server

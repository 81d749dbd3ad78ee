// What a client asks for and what it gets, as plain values, and the limits between them.
//
// Thread: values. Read next: http_server.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::server {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;       // "GET"
  std::string path, query;  // of the target as it was sent, nothing decoded; query without its '?'
  HttpFields headers;       // in their order, names in lower case
  std::string body;

  // The first value of the header, whose name is in lower case; empty when there is none.
  std::string_view header(std::string_view name) const;
  std::size_t count(std::string_view name) const;
};

struct HttpAnswer {
  int status = 200;
  std::string body = {};
  std::string type = "application/json";  // Content-Type
  HttpFields headers = {};                // others; their values hold no line break
};

// What a client may take of the server. A message of a WebSocket has the limits of a body. The figures are
// those of vitrine-cli serve; README.md says why.
struct HttpLimits {
  std::size_t headerBytes = std::size_t{16} << 10;  // request line and headers; beyond: 431
  std::size_t bodyBytes = std::size_t{4} << 20;     // beyond: 413
  // Bytes of a stream, or of a WebSocket's messages, that wait for a slow reader; beyond, the client counts
  // as gone. An answer that is sent at once has no such limit: it is there already.
  std::size_t queuedBytes = std::size_t{1} << 20;
  std::size_t connections = 512;            // at once; one more is answered 503 and closed
  std::chrono::milliseconds header{10000};  // from a request's first byte to the end of its headers; then 408
  std::chrono::milliseconds body{60000};    // from there to the end of its body; then 408
  std::chrono::milliseconds idle{75000};    // of a connection between two requests; then it is closed
  std::chrono::milliseconds stall{30000};   // without a byte of an answer taken; then the client is gone
  std::chrono::milliseconds silence{
      60000};  // of a WebSocket, with a ping at its half; then the client is gone
};

}  // namespace vitrine::server

#include "server/web_socket.h"

#include <algorithm>
#include <cctype>

namespace vitrine::server {
namespace {

// The items of a header that is a list, which may stand in several lines.
std::vector<std::string> itemsOf(const HttpRequest& request, std::string_view header) {
  std::vector<std::string> items;
  for (const auto& [name, value] : request.headers) {
    if (name != header) continue;
    for (std::size_t at = 0; at <= value.size();) {
      const std::size_t end = std::min(value.find(',', at), value.size());
      std::string_view item = std::string_view(value).substr(at, end - at);
      const std::size_t begin = std::min(item.find_first_not_of(" \t"), item.size());
      item.remove_prefix(begin);
      item = item.substr(0, item.find_last_not_of(" \t") + 1);
      if (!item.empty()) items.emplace_back(item);
      at = end + 1;
    }
  }
  return items;
}

bool hasItem(const HttpRequest& request, std::string_view header, std::string_view wanted) {
  const auto isWanted = [&](const std::string& item) {
    return std::ranges::equal(
        item, wanted, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
  };
  return std::ranges::any_of(itemsOf(request, header), isWanted);
}

// 16 bytes in base64.
bool isSocketKey(std::string_view key) {
  const auto isDigit = [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '/'; };
  return key.size() == 24 && key.ends_with("==") && std::ranges::all_of(key.substr(0, 22), isDigit);
}

}  // namespace

bool asksForSocket(const HttpRequest& request) {
  return hasItem(request, "upgrade", "websocket") && hasItem(request, "connection", "upgrade");
}

std::optional<HandshakeError> handshakeError(const HttpRequest& request) {
  if (request.method != "GET") return HandshakeError{400, "a WebSocket begins with GET"};
  if (request.count("sec-websocket-version") != 1 ||
      request.header("sec-websocket-version") != kSocketVersion)
    return HandshakeError{426, std::string("this server knows version ") + kSocketVersion + " of WebSocket"};
  if (request.count("sec-websocket-key") != 1 || !isSocketKey(request.header("sec-websocket-key")))
    return HandshakeError{400, "Sec-WebSocket-Key must be 16 bytes in base64"};
  return std::nullopt;
}

std::vector<std::string> offeredProtocols(const HttpRequest& request) {
  return itemsOf(request, "sec-websocket-protocol");
}

}  // namespace vitrine::server

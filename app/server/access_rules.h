// AccessRules: which requests are served at all, by their headers.
//
// A page in the user's browser can send requests to this machine, so being on loopback is no protection by
// itself. A page of another site is known by its Origin; one that gave its own name this machine's address
// (DNS rebinding) by the name in Host. Thread: values. Read next: api_server.h.
#pragma once

#include <optional>
#include <vector>

#include "server/api_error.h"

namespace vitrine::server {

// Which clients a route serves: all; those that watch (figures, events, the model); those that steer
// (requests too).
enum class Access { kOpen, kWatch, kSteer };

struct AccessRules {
  std::string token = {};               // steers and watches; asked for as "Authorization: Bearer TOKEN", or
                                        // with a WebSocket as a protocol (web_socket.h); empty: none is
  std::vector<std::string> hosts = {};  // names and addresses in Host, in lower case, IPv6 in brackets
  bool anyAddress = false;              // and any numeric address, which no rebinding can give
  std::string watchToken = {};          // watches alone; empty: there is none. Requires a token

  // Those of a server on `address`; `names` are other names of it. Requires an address (HttpServer).
  static AccessRules forAddress(const std::string& address, const std::vector<std::string>& names,
                                std::string token, std::string watchToken = {});

  // Why the request is not served by a route for `needed`. kOpen asks for no token.
  std::optional<ApiError> refusal(const HttpRequest& request, Access needed) const;
};

// Whether the texts are the same, in a time that says nothing about where they differ.
bool equalInConstantTime(std::string_view given, std::string_view secret);

// Throws UsageError for a token that is too short (under 16 characters), too long (over 512), or has other
// characters than visible ASCII. The message does not show it.
void requireToken(const std::string& token);

}  // namespace vitrine::server

#include "server/access_rules.h"

#include <algorithm>
#include <cctype>

#include "server/http_server.h"
#include "server/web_socket.h"

namespace vitrine::server {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "localhost:8000" without its port. A tunnel of SSH has another one, and a port gives no name away.
std::string nameIn(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool hasPort =
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos &&
      std::ranges::all_of(host.substr(colon + 1), [](unsigned char c) { return std::isdigit(c) != 0; });
  return lower(hasPort ? host.substr(0, colon) : host);
}

bool isNumeric(const std::string& name) {
  const bool bracketed = name.size() > 2 && name.front() == '[' && name.back() == ']';
  return HttpServer::isAddress(bracketed ? name.substr(1, name.size() - 2) : name);
}

std::string asHost(const std::string& address) {
  return address.find(':') == std::string::npos ? lower(address) : '[' + lower(address) + ']';
}

std::string_view bearerOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (lower(authorization.substr(0, kScheme.size())) != kScheme) return {};
  const std::size_t begin = authorization.find_first_not_of(' ', kScheme.size());
  return begin == std::string_view::npos ? std::string_view() : authorization.substr(begin);
}

// What the client gives as its token; empty when that is nothing, or twice something.
std::string tokenIn(const HttpRequest& request) {
  if (request.count("authorization") == 1) return std::string(bearerOf(request.header("authorization")));
  std::string given;
  if (request.count("authorization") > 0 || !asksForSocket(request)) return given;
  for (const std::string& protocol : offeredProtocols(request)) {
    if (!protocol.starts_with(kTokenProtocol)) continue;
    if (!given.empty()) return {};
    given = protocol.substr(kTokenProtocol.size());
  }
  return given;
}

}  // namespace

AccessRules AccessRules::forAddress(const std::string& address, const std::vector<std::string>& names,
                                    std::string token, std::string watchToken) {
  AccessRules rules{std::move(token), {"localhost", "127.0.0.1", "[::1]", asHost(address)}};
  rules.watchToken = std::move(watchToken);
  rules.anyAddress = !HttpServer::isLoopback(address);
  for (const std::string& name : names) rules.hosts.push_back(lower(name));
  return rules;
}

std::optional<ApiError> AccessRules::refusal(const HttpRequest& request, Access needed) const {
  const std::string_view host = request.header("host");
  if (request.count("host") != 1) return ApiError(400, "a request needs one Host header", "", "bad_host");
  const std::string name = nameIn(host);
  if (std::ranges::find(hosts, name) == hosts.end() && !(anyAddress && isNumeric(name)))
    return ApiError(403, "this server is not known by the name in Host (--allow-host adds one)", "",
                    "bad_host");
  if (request.count("origin") > 0 && lower(request.header("origin")) != "http://" + lower(host))
    return ApiError(403, "pages of other sites may not use this server", "", "bad_origin");
  if (token.empty() || needed == Access::kOpen) return std::nullopt;
  // Two comparisons each time, so that the time does not say which token a text is nearer to.
  const std::string given = tokenIn(request);
  const bool steers = equalInConstantTime(given, token);
  const bool watches = equalInConstantTime(given, watchToken.empty() ? token : watchToken);
  if (steers || (watches && needed == Access::kWatch)) return std::nullopt;
  if (watches) return ApiError(403, "this token may watch, and make no requests", "", "watch_only");
  return ApiError(401, "this server asks for its token: Authorization: Bearer TOKEN", "", "invalid_api_key");
}

bool equalInConstantTime(std::string_view given, std::string_view secret) {
  if (secret.empty()) return given.empty();
  unsigned different = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i)
    different |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i % secret.size()]);
  return different == 0;
}

void requireToken(const std::string& token) {
  const auto isVisible = [](unsigned char c) { return c > ' ' && c < 127; };
  if (token.size() < 16 || token.size() > 512 || !std::ranges::all_of(token, isVisible))
    throw UsageError("a token has 16 to 512 visible ASCII characters, and no spaces",
                     "Make one with: openssl rand -hex 24");
}

}  // namespace vitrine::server

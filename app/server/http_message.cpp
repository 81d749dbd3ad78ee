#include "server/http_message.h"

#include <algorithm>

namespace vitrine::server {

std::string_view HttpRequest::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &HttpFields::value_type::first);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count(headers, name, &HttpFields::value_type::first));
}

}  // namespace vitrine::server

// The escapes of a string literal, as Python reads them: "\n", "\u20ac".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::jinja {

struct LiteralError {
  std::size_t at;  // in bytes, from the beginning of the literal
  std::string problem;
};

// `inner` stands between the quotation marks. Throws LiteralError.
std::string unescapedLiteral(std::string_view inner);

}  // namespace vitrine::jinja

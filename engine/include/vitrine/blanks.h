// Blanks of ASCII around a text. Thread: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace vitrine {

inline constexpr std::string_view kBlanks = " \t\r\n";

inline std::string_view withoutBlanksBefore(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

inline std::string_view withoutBlanksBehind(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kBlanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

inline std::string_view trimmed(std::string_view text) {
  return withoutBlanksBehind(withoutBlanksBefore(text));
}

}  // namespace vitrine

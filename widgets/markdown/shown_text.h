// How a byte of a message is shown: text that cannot disguise itself.
//
// A model's output may hold characters that hide text, turn its direction, or mean something to a text
// document: control characters, bidirectional overrides and isolates, separators of lines and paragraphs,
// noncharacters, tags. Each is shown as one visible mark: U+2400 and up for a control character, U+2424 for a
// separator, U+FFFD otherwise. So is each byte that is no UTF-8, surrogates among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine {

struct ShownCharacter {
  char32_t code = 0;
  std::uint8_t sourceBytes = 1;  // 1 to 4
  bool replaced = false;

  bool operator==(const ShownCharacter&) const = default;
};

// The character at `at`, which lies in the text. Line feed and tab are shown as they are.
ShownCharacter shownCharacter(std::string_view utf8, std::size_t at);
// The same rules for a code point that was written as an entity.
ShownCharacter shownCode(char32_t code);

void appendUtf8(std::string& out, char32_t code);
std::string shownText(std::string_view utf8);

inline int utf16Units(char32_t code) { return code >= 0x10000 ? 2 : 1; }

// The end of a part of at most `most` bytes from `begin` that cuts no character; `most` is at least 4.
std::size_t cutAtCharacter(std::string_view utf8, std::size_t begin, std::size_t most);

}  // namespace vitrine

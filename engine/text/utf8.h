// UTF-8 by hand: the few operations that a tokenizer needs, on arbitrary bytes.
//
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::utf8 {

inline constexpr char32_t kReplacement = 0xFFFD;
inline constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

// One step through a text: the code point at the front and how many bytes it takes. Where the bytes are not
// UTF-8 the step is the longest beginning of a sequence (at least one byte) and the code point kReplacement,
// which is how Unicode recommends to count replacement characters.
struct Step {
  char32_t codePoint = 0;
  std::size_t length = 0;  // 0 only at the end of the text
  bool valid = true;
};
Step decode(std::string_view text);

// The code point that ends at the end of a valid UTF-8 text.
Step decodeLast(std::string_view text);

void append(std::string& text, char32_t codePoint);
bool isValid(std::string_view text);

// The same bytes with everything that is not UTF-8 replaced by U+FFFD.
std::string repaired(std::string_view bytes);

}  // namespace vitrine::utf8

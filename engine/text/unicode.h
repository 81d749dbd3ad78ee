// Unicode properties and normal forms, as the tokenizers of Hugging Face use them (utf8proc underneath).
//
// Thread: pure functions. Texts must be valid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace vitrine::unicode {

enum class Form { kNfc, kNfd, kNfkc, kNfkd };

std::string normalized(std::string_view text, Form form);

// Character by character, without regard to neighbours: a final sigma stays as it is.
std::string lowercased(std::string_view text);

bool isWhitespace(char32_t codePoint);   // the property White_Space
bool isNumeric(char32_t codePoint);      // categories Nd, Nl, No
bool isPunctuation(char32_t codePoint);  // ASCII punctuation and symbols, and the categories P*

}  // namespace vitrine::unicode

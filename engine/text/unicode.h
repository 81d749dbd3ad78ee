// Unicode properties and normal forms, as the tokenizers of Hugging Face use them (utf8proc underneath).
//
// Thread: pure functions. Texts must be valid UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::unicode {

enum class Form { kNfc, kNfd, kNfkc, kNfkd };

// Time and memory are linear in the text, but for the sorting of marks.
std::string normalized(std::string_view text, Form form);

// The canonical order of decomposed text: each run of combining marks sorted by their classes, equal ones as
// they stood (Unicode 3.11, D109). Returns how many comparisons it took: n log n where utf8proc's own
// exchange of neighbours takes n * n.
std::size_t orderMarks(std::span<std::int32_t> codePoints);

// Character by character, without regard to neighbours: a final sigma stays as it is.
std::string lowercased(std::string_view text);

const char* categoryOf(char32_t codePoint);  // "Lu": the general category by its short name

bool isWhitespace(char32_t codePoint);   // the property White_Space
bool isNumeric(char32_t codePoint);      // categories Nd, Nl, No
bool isPunctuation(char32_t codePoint);  // ASCII punctuation and symbols, and the categories P*

}  // namespace vitrine::unicode

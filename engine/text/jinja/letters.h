// What Python's str knows about letters: classes, and other cases with all their letters.
//
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::jinja::letters {

bool isSpace(char32_t letter);    // str.isspace, and what strip() and split() remove
bool isLineEnd(char32_t letter);  // str.splitlines
bool isAlphabetic(char32_t letter);
bool isDecimal(char32_t letter);
bool isDigit(char32_t letter);    // superscripts and circled digits too
bool isNumeric(char32_t letter);  // fractions and Chinese numerals too
bool isLower(char32_t letter);
bool isUpper(char32_t letter);
bool isTitle(char32_t letter);  // the few that are both, such as U+01C5
bool isCased(char32_t letter);
bool isPrintable(char32_t letter);  // else repr() escapes it
bool isWord(char32_t letter);       // \w of a regular expression
bool startsName(char32_t letter);   // str.isidentifier
bool continuesName(char32_t letter);

// Append the letter in another case, which may take up to three letters.
void appendUpper(std::string& text, char32_t letter);
void appendTitle(std::string& text, char32_t letter);
// Of the letter at `byte` of `text`: a sigma depends on its neighbours.
void appendLower(std::string& result, std::string_view text, std::size_t byte);

}  // namespace vitrine::jinja::letters

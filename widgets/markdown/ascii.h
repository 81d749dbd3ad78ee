// Kinds of ASCII characters, whatever the locale.
#pragma once

namespace vitrine {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool isLetter(char c) { return isUpper(c) || (c >= 'a' && c <= 'z'); }
inline bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace vitrine

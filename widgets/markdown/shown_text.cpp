#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// 0 where no well-formed character begins: overlong forms, surrogates and codes past U+10FFFF are none.
std::uint8_t wellFormed(std::string_view utf8, std::size_t at, char32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[at + i]); };
  const unsigned char first = byte(0);
  const std::uint8_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || utf8.size() - at < length) return 0;
  code = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!isContinuation(utf8[at + i])) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF ? std::uint8_t{0} : length;
}

bool isBidiControl(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// No characters, or characters with a meaning to a text document (Qt's frames begin at U+FDD0), or unseen
// ones that carry letters (tags).
bool isUnfit(char32_t code) {
  return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE ||
         (code >= 0xFFF9 && code <= 0xFFFC) || code == 0xFEFF || (code >= 0xE0000 && code <= 0xE007F);
}

}  // namespace

ShownCharacter shownCode(char32_t code) {
  if (code == U'\n' || code == U'\t') return {code, 1, false};
  if (code < 0x20) return {0x2400 + code, 1, true};
  if (code == 0x7F) return {0x2421, 1, true};
  if (code == 0x2028 || code == 0x2029) return {0x2424, 1, true};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if ((code >= 0x80 && code < 0xA0) || isBidiControl(code) || isUnfit(code) || surrogate || code > 0x10FFFF)
    return {kReplacement, 1, true};
  return {code, 1, false};
}

ShownCharacter shownCharacter(std::string_view utf8, std::size_t at) {
  char32_t code = 0;
  const std::uint8_t length = wellFormed(utf8, at, code);
  if (length == 0) return {kReplacement, 1, true};
  ShownCharacter shown = shownCode(code);
  shown.sourceBytes = length;
  return shown;
}

void appendUtf8(std::string& out, char32_t code) {
  const auto add = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return add(code);
  if (code < 0x800) return add(0xC0 | code >> 6), add(0x80 | (code & 0x3F));
  if (code < 0x10000)
    return add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F)), add(0x80 | (code >> 6 & 0x3F)),
      add(0x80 | (code & 0x3F));
}

std::string shownText(std::string_view utf8) {
  std::string shown;
  shown.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const ShownCharacter character = shownCharacter(utf8, at);
    appendUtf8(shown, character.code);
    at += character.sourceBytes;
  }
  return shown;
}

std::size_t cutAtCharacter(std::string_view utf8, std::size_t begin, std::size_t most) {
  if (utf8.size() - begin <= most) return utf8.size();
  std::size_t end = begin + most;
  for (int back = 0; back < 3 && isContinuation(utf8[end]); ++back) --end;
  return isContinuation(utf8[end]) ? begin + most : end;
}

}  // namespace vitrine

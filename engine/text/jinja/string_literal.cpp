#include "text/jinja/string_literal.h"

#include <array>
#include <charconv>
#include <cstdio>

#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

class LiteralReader {
 public:
  explicit LiteralReader(std::string_view inner) : m_inner(inner) {}

  std::string run() {
    while (m_at < m_inner.size()) {
      const std::size_t slash = m_inner.find('\\', m_at);
      m_result += m_inner.substr(m_at, slash - m_at);
      if (slash == std::string_view::npos) break;
      m_at = slash + 1;
      takeEscape();
    }
    return std::move(m_result);
  }

 private:
  // A code point of exactly or at most so many digits.
  void takeCode(std::size_t digits, int base, bool exactly) {
    const std::size_t begin = m_at;
    std::uint32_t code = 0;
    const std::string_view text = m_inner.substr(m_at, digits);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), code, base);
    const auto length = static_cast<std::size_t>(read.ptr - text.data());
    if (length == 0 || (exactly && length < digits)) throw LiteralError{begin, "An escape lacks digits."};
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
      throw LiteralError{begin, "An escape names no letter of Unicode."};
    utf8::append(m_result, code);
    m_at += length;
  }

  void takeEscape() {
    static constexpr std::string_view kNames = "\\'\"abfnrtv", kMeanings = "\\'\"\a\b\f\n\r\t\v";
    if (m_at == m_inner.size()) throw LiteralError{m_at, "A text ends with a backslash."};
    const char letter = m_inner[m_at];
    if (const std::size_t known = kNames.find(letter); known != std::string_view::npos) {
      m_result += kMeanings[known];
      ++m_at;
    } else if (letter == '\n') {
      ++m_at;  // the line goes on
    } else if (letter >= '0' && letter <= '7') {
      takeCode(3, 8, false);
    } else if (letter == 'x' || letter == 'u' || letter == 'U') {
      ++m_at;
      takeCode(letter == 'x' ? 2 : letter == 'u' ? 4 : 8, 16, true);
    } else if (letter == 'N') {
      throw LiteralError{m_at, "An escape by a letter's name, '\\N', is not supported."};
    } else {
      m_result += '\\';
      if (static_cast<unsigned char>(letter) >= 0x80) takeForeign();
    }
  }

  // Jinja escapes all letters outside ASCII before it reads the escapes, so that a backslash before one of
  // them escapes that escape.
  void takeForeign() {
    const utf8::Step step = utf8::decode(m_inner.substr(m_at));
    std::array<char, 16> text{};
    const char* form = step.codePoint < 0x100 ? "x%02x" : step.codePoint < 0x10000 ? "u%04x" : "U%08x";
    std::snprintf(text.data(), text.size(), form, static_cast<unsigned>(step.codePoint));
    m_result += text.data();
    m_at += step.length;
  }

  std::string_view m_inner;
  std::string m_result;
  std::size_t m_at = 0;
};

}  // namespace

std::string unescapedLiteral(std::string_view inner) { return LiteralReader(inner).run(); }

}  // namespace vitrine::jinja

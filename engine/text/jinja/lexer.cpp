#include "text/jinja/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

#include "text/jinja/letters.h"
#include "text/jinja/number_text.h"
#include "text/jinja/string_literal.h"
#include "text/jinja/template_error.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

using Type = Token::Type;

// All line ends become \n, and one at the end of the template is dropped.
std::string withPlainLines(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      text += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    } else {
      text += source[i];
    }
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

bool isDigitByte(char byte) { return byte >= '0' && byte <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : m_source(withPlainLines(source)), m_text(m_source) {}

  std::vector<Token> run() {
    while (m_at < m_text.size()) lexText();
    put(Type::kEnd, m_at);
    return std::move(m_tokens);
  }

 private:
  // Goes on from the place that was asked for last, unless that lies behind.
  Place placeOf(std::size_t at) {
    if (at < m_placed) m_placed = 0, m_place = {1, 1};
    for (; m_placed < at; ++m_placed) {
      if (m_text[m_placed] == '\n')
        m_place = {m_place.line + 1, 1};
      else if ((static_cast<unsigned char>(m_text[m_placed]) & 0xC0u) != 0x80u)
        ++m_place.column;
    }
    return m_place;
  }

  [[noreturn]] void fail(std::size_t at, const std::string& problem) {
    throw TemplateError(ErrorKind::kSyntax, placeOf(at), problem);
  }

  Token& put(Type type, std::size_t at, std::string_view text = {}) {
    m_tokens.push_back({.type = type, .place = placeOf(at), .text = std::string(text)});
    return m_tokens.back();
  }

  bool has(std::string_view text) const { return m_text.substr(m_at, text.size()) == text; }
  bool take(std::string_view text) {
    if (!has(text)) return false;
    m_at += text.size();
    return true;
  }
  void skipSpace() {
    while (m_at < m_text.size()) {
      const utf8::Step step = utf8::decode(m_text.substr(m_at));
      if (!letters::isSpace(step.codePoint)) break;
      m_at += step.length;
    }
  }

  // The sign behind the opening of a tag: '-', '+' or none.
  char takeSign() {
    if (m_at < m_text.size() && (m_text[m_at] == '-' || m_text[m_at] == '+')) return m_text[m_at++];
    return 0;
  }

  // Text up to the next tag, and that tag.
  void lexText() {
    const std::size_t begin = m_at;
    std::size_t tag = begin;
    while (true) {
      tag = m_text.find('{', tag);
      if (tag == std::string_view::npos || tag + 1 >= m_text.size()) {
        m_at = m_text.size();
        return putText(begin, m_at);
      }
      const char second = m_text[tag + 1];
      if (second == '{' || second == '%' || second == '#') break;
      ++tag;
    }
    const char kind = m_text[tag + 1];
    m_at = tag + 2;
    const char sign = takeSign();
    putTextBefore(begin, tag, sign, kind != '{');
    if (kind == '#') {
      lexComment(tag);
    } else if (kind == '{') {
      put(Type::kVariableBegin, tag);
      lexTag(false);
    } else if (takeRawBegin()) {
      lexRaw(tag);
    } else {
      put(Type::kBlockBegin, tag);
      lexTag(true);
    }
  }

  void putText(std::size_t begin, std::size_t end) {
    if (begin < end) put(Type::kText, begin, m_text.substr(begin, end - begin));
  }

  // The text before a tag, without the white space that the tag takes away.
  void putTextBefore(std::size_t begin, std::size_t end, char sign, bool isBlock) {
    const auto spaceBefore = [&](std::size_t limit) {
      std::size_t at = end;
      while (at > limit) {
        const utf8::Step step = utf8::decodeLast(m_text.substr(limit, at - limit));
        if (!letters::isSpace(step.codePoint)) break;
        at -= step.length;
      }
      return at;
    };
    if (sign == '-') return putText(begin, spaceBefore(begin));
    if (sign != '+' && isBlock) {
      // lstrip_blocks: a block that is the first thing on its line.
      const std::string_view text = m_text.substr(begin, end - begin);
      const std::size_t lineEnd = text.rfind('\n');
      const std::size_t line = lineEnd == std::string_view::npos ? begin : begin + lineEnd + 1;
      if ((line > begin || m_lineBegins) && spaceBefore(line) == line) return putText(begin, line);
    }
    putText(begin, end);
  }

  // The end of a block or comment at m_at, with the space behind it that it takes: trim_blocks, or '-'.
  bool takeBlockEnd(std::string_view end) {
    const std::size_t before = m_at;
    if (m_at < m_text.size() && m_text[m_at] == '+' && m_text.substr(m_at + 1, 2) == end) {
      m_at += 3;
    } else if (m_at < m_text.size() && m_text[m_at] == '-' && m_text.substr(m_at + 1, 2) == end) {
      m_at += 3;
      skipSpace();
    } else if (take(end)) {
      take("\n");
    } else {
      return false;
    }
    m_lineBegins = m_at > before && m_text[m_at - 1] == '\n';
    return true;
  }

  bool takeVariableEnd() {
    if (take("-}}"))
      skipSpace();
    else if (!take("}}"))
      return false;
    m_lineBegins = m_text[m_at - 1] == '\n';
    return true;
  }

  void lexComment(std::size_t tag) {
    const std::size_t end = m_text.find("#}", m_at);
    if (end == std::string_view::npos) fail(tag, "The comment has no end: '#}' is missing.");
    const bool sign = end > m_at && (m_text[end - 1] == '-' || m_text[end - 1] == '+');
    m_at = sign ? end - 1 : end;
    takeBlockEnd("#}");
  }

  // "raw %}" behind the opening of a block.
  bool takeRawBegin() {
    const std::size_t before = m_at;
    skipSpace();
    if (take("raw")) {
      skipSpace();
      if (take("-%}")) {
        skipSpace();
        m_lineBegins = m_text[m_at - 1] == '\n';
        return true;
      }
      if (take("%}")) {
        m_lineBegins = false;
        return true;
      }
    }
    m_at = before;
    return false;
  }

  // Text that holds no tags, up to its end tag.
  void lexRaw(std::size_t tag) {
    const std::size_t begin = m_at;
    for (std::size_t at = m_text.find("{%", begin); at != std::string_view::npos;
         at = m_text.find("{%", at + 1)) {
      m_at = at + 2;
      const char sign = takeSign();
      skipSpace();
      if (!take("endraw")) continue;
      skipSpace();
      const bool lineBegan = m_lineBegins;
      if (!takeBlockEnd("%}")) continue;
      const bool lineBegins = std::exchange(m_lineBegins, lineBegan);
      putTextBefore(begin, at, sign, true);
      m_lineBegins = lineBegins;
      return;
    }
    fail(tag, "The raw block has no end: '{% endraw %}' is missing.");
  }

  void lexTag(bool isBlock) {
    m_open.clear();
    while (m_at < m_text.size()) {
      // Inside brackets "}}" closes two of them.
      const std::size_t at = m_at;
      if (m_open.empty() && (isBlock ? takeBlockEnd("%}") : takeVariableEnd())) {
        put(isBlock ? Type::kBlockEnd : Type::kVariableEnd, at);
        return;
      }
      skipSpace();
      if (m_at == at) lexToken();
    }
  }

  void lexToken() {
    if (isDigitByte(m_text[m_at])) return lexNumber();
    const utf8::Step step = utf8::decode(m_text.substr(m_at));
    if (letters::isWord(step.codePoint)) return lexName();
    if (m_text[m_at] == '\'' || m_text[m_at] == '"') return lexString();
    lexOperator();
  }

  // Digits with single underscores between; returns where they end.
  template <typename IsDigit>
  std::size_t endOfDigits(std::size_t at, IsDigit isDigit) const {
    while (at < m_text.size()) {
      if (isDigit(m_text[at]))
        ++at;
      else if (m_text[at] == '_' && at + 1 < m_text.size() && isDigit(m_text[at + 1]) &&
               isDigit(m_text[at - 1]))
        at += 2;
      else
        break;
    }
    return at;
  }

  // Where a float at m_at ends; m_at when there is none.
  std::size_t endOfReal() const {
    if (m_at > 0 && m_text[m_at - 1] == '.') return m_at;
    const std::size_t whole = endOfDigits(m_at, isDigitByte);
    std::size_t end = whole;
    if (end + 1 < m_text.size() && m_text[end] == '.' && isDigitByte(m_text[end + 1]))
      end = endOfDigits(end + 1, isDigitByte);
    if (end < m_text.size() && (m_text[end] == 'e' || m_text[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < m_text.size() && (m_text[exponent] == '+' || m_text[exponent] == '-')) ++exponent;
      if (exponent < m_text.size() && isDigitByte(m_text[exponent]))
        return endOfDigits(exponent, isDigitByte);
    }
    return end > whole ? end : m_at;
  }

  void lexNumber() {
    const std::size_t begin = m_at;
    if (const std::size_t end = endOfReal(); end > begin) {
      const double real = realIn(m_text.substr(begin, end - begin)).value_or(0);
      m_at = end;
      put(Type::kReal, begin).real = real;
      return;
    }
    int base = 10;
    std::size_t digitsBegin = begin;
    const char letter = begin + 1 < m_text.size() ? static_cast<char>(m_text[begin + 1] | 0x20) : '\0';
    if (m_text[begin] == '0' && (letter == 'x' || letter == 'o' || letter == 'b')) {
      const int wanted = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
      std::size_t first = begin + 2;
      if (first < m_text.size() && m_text[first] == '_') ++first;
      if (first < m_text.size() && isDigitOf(m_text[first], wanted)) {
        base = wanted;
        digitsBegin = first;
      }
    }
    const auto isDigit = [&](char byte) { return isDigitOf(byte, base); };
    // A decimal number with a leading zero is zero, and another number behind it.
    const bool zero = base == 10 && m_text[begin] == '0';
    m_at =
        zero ? endOfDigits(begin, [](char byte) { return byte == '0'; }) : endOfDigits(digitsBegin, isDigit);
    const std::string digits = digitsBetween(digitsBegin, m_at);
    std::int64_t whole = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), whole, base);
    if (read.ec != std::errc()) fail(begin, "The number does not fit into 64 bits.");
    put(Type::kInteger, begin).whole = whole;
  }

  static bool isDigitOf(char byte, int base) {
    if (base == 16) return isDigitByte(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
    return byte >= '0' && byte < '0' + base;
  }

  std::string digitsBetween(std::size_t begin, std::size_t end) const {
    std::string digits(m_text.substr(begin, end - begin));
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    return digits;
  }

  void lexName() {
    const std::size_t begin = m_at;
    bool isName = letters::startsName(utf8::decode(m_text.substr(begin)).codePoint);
    while (m_at < m_text.size()) {
      const utf8::Step step = utf8::decode(m_text.substr(m_at));
      if (!letters::isWord(step.codePoint)) break;
      isName = isName && letters::continuesName(step.codePoint);
      m_at += step.length;
    }
    if (!isName) fail(begin, "A name has a letter that names may not have.");
    put(Type::kName, begin, m_text.substr(begin, m_at - begin));
  }

  void lexString() {
    const std::size_t begin = m_at;
    const char quote = m_text[m_at++];
    while (m_at < m_text.size() && m_text[m_at] != quote) m_at += m_text[m_at] == '\\' ? 2 : 1;
    if (m_at >= m_text.size()) fail(begin, "The text has no closing quotation mark.");
    const std::string_view inner = m_text.substr(begin + 1, m_at - begin - 1);
    ++m_at;
    try {
      put(Type::kString, begin, unescapedLiteral(inner));
    } catch (const LiteralError& error) {
      fail(begin + 1 + error.at, error.problem);
    }
  }

  void lexOperator() {
    static constexpr std::array<std::string_view, 25> kOperators = {
        "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
        "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ","};
    const auto found =
        std::find_if(kOperators.begin(), kOperators.end(), [&](std::string_view sign) { return has(sign); });
    if (found == kOperators.end()) {
      const std::size_t length = utf8::decode(m_text.substr(m_at)).length;
      fail(m_at, "'" + std::string(m_text.substr(m_at, length)) + "' means nothing here.");
    }
    balance(found->front());
    put(Type::kOperator, m_at, *found);
    m_at += found->size();
  }

  void balance(char sign) {
    if (sign == '(') m_open += ')';
    if (sign == '[') m_open += ']';
    if (sign == '{') m_open += '}';
    if (sign != ')' && sign != ']' && sign != '}') return;
    if (m_open.empty()) fail(m_at, std::string("'") + sign + "' closes nothing.");
    if (m_open.back() != sign)
      fail(m_at, std::string("'") + sign + "' stands where '" + m_open.back() + "' is missing.");
    m_open.pop_back();
  }

  const std::string m_source;
  const std::string_view m_text;
  std::vector<Token> m_tokens;
  std::size_t m_at = 0;
  std::size_t m_placed = 0;  // where m_place is
  Place m_place = {1, 1};
  bool m_lineBegins = true;  // nothing but blocks and white space stands before m_at on its line
  std::string m_open;        // the brackets that must still be closed
};

}  // namespace

std::vector<Token> tokensOf(std::string_view source) {
  if (!utf8::isValid(source)) throw TemplateError(ErrorKind::kSyntax, {1, 1}, "The template is not UTF-8.");
  return Lexer(source).run();
}

}  // namespace vitrine::jinja

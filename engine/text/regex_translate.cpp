#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "text/regex.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

// Oniguruma's word characters; PCRE2's \w leaves out some marks and takes in all numbers.
constexpr std::string_view kWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";

// Scripts by which tokenizers cut. PCRE2's \p{Han} has Script_Extensions too, such as the full stop of
// Chinese and Japanese; Oniguruma's has the letters alone.
constexpr std::array<std::string_view, 14> kScripts = {
    "Han",    "Hiragana", "Katakana", "Hangul", "Bopomofo",   "Latin",   "Greek",
    "Arabic", "Hebrew",   "Cyrillic", "Thai",   "Devanagari", "Bengali", "Tamil"};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : m_pattern(pattern) {}

  std::string run() {
    while (m_at < m_pattern.size()) {
      const char c = m_pattern[m_at];
      if (c == '\\') {
        escape(false);
      } else if (c == '[') {
        characterClass();
      } else if (c == '{') {
        interval();
      } else if (m_pattern.substr(m_at, 2) == "(?") {
        group();
      } else {
        m_out += c;
        ++m_at;
      }
    }
    return std::move(m_out);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw EngineError(ErrorCode::kUnsupported,
                      "the regular expression \"" + std::string(m_pattern) + "\" uses " + what,
                      "Vitrine knows the patterns of the GPT-2, Llama, Qwen and Mistral families.");
  }

  void escape(bool inClass) {
    if (m_at + 1 >= m_pattern.size()) refuse("a backslash with nothing after it");
    const char c = m_pattern[m_at + 1];
    m_at += 2;
    if ((c == 'p' || c == 'P') && script(c)) return;
    switch (c) {
      case 's':
        m_out += R"(\p{White_Space})";
        return;  // PCRE2's \s has U+180E besides
      case 'S':
        m_out += R"(\P{White_Space})";
        return;
      case 'h':
        m_out += inClass ? "0-9a-fA-F" : "[0-9a-fA-F]";
        return;  // a hexadecimal digit there, a blank here
      case 'w':
        m_out += inClass ? std::string(kWord) : "[" + std::string(kWord) + "]";
        return;
      case 'W':
        if (inClass) refuse("\\W inside a class");
        m_out += "[^" + std::string(kWord) + "]";
        return;
      default:
        break;
    }
    if (std::string_view("HRXKGOyYgkMCc").find(c) != std::string_view::npos) refuse(std::string("\\") + c);
    m_out += '\\';
    m_out += c;
  }

  // The name in braces behind \p or \P, when it is a script's.
  bool script(char letter) {
    for (const std::string_view name : kScripts) {
      const std::string braced = "{" + std::string(name) + "}";
      if (!m_pattern.substr(m_at).starts_with(braced)) continue;
      m_out += std::string("\\") + letter + "{sc:" + std::string(name) + "}";
      m_at += braced.size();
      return true;
    }
    return false;
  }

  void characterClass() {
    const std::size_t begin = m_out.size();
    m_out += '[';
    ++m_at;
    if (next() == '^') take();
    if (next() == ']') {  // a bracket right at the front is itself
      m_out += "\\]";
      ++m_at;
    }
    while (m_at < m_pattern.size() && m_pattern[m_at] != ']') {
      const std::string_view two = m_pattern.substr(m_at, 2);
      if (two == "&&") return intersection(begin);
      if (two == "[:") {
        posixClass();
      } else if (two[0] == '[') {
        refuse("a class inside a class");
      } else if (two[0] == '\\') {
        escape(true);
      } else {
        take();
      }
    }
    if (m_at >= m_pattern.size()) refuse("a class without an end");
    take();
  }

  // [a&&[b]]: a character of the first class, which is written from `begin` on, where one of the second
  // stands. PCRE2 of before 10.45 has no such classes.
  void intersection(std::size_t begin) {
    const std::string first = m_out.substr(begin) + "]";
    m_at += 2;
    if (next() != '[' || first == "[]" || first[1] == '^') refuse("such an intersection of classes");
    m_out.resize(begin);
    characterClass();
    if (next() != ']') refuse("such an intersection of classes");
    ++m_at;
    m_out = m_out.substr(0, begin) + "(?:(?=" + m_out.substr(begin) + ")" + first + ")";
  }

  void posixClass() {
    const std::size_t end = m_pattern.find(":]", m_at);
    if (end == std::string_view::npos) refuse("a class inside a class");
    m_out += m_pattern.substr(m_at, end + 2 - m_at);
    m_at = end + 2;
  }

  // {n,m} reads the same in both, but {,m} and {n,m}+ do not.
  void interval() {
    std::size_t end = m_at + 1;
    while (end < m_pattern.size() &&
           (std::isdigit(static_cast<unsigned char>(m_pattern[end])) || m_pattern[end] == ','))
      ++end;
    const bool isInterval = end < m_pattern.size() && m_pattern[end] == '}' && end > m_at + 1;
    if (isInterval && m_pattern[m_at + 1] == ',') refuse("an interval without a lower bound");
    if (isInterval && m_pattern.substr(end + 1, 1) == "+") refuse("a plus sign after an interval");
    take();
  }

  // In (?m) a dot matches a newline there, while ^ and $ always match at lines.
  void group() {
    m_out += "(?";
    m_at += 2;
    bool on = true;
    for (std::size_t i = m_at;
         i < m_pattern.size() &&
         (std::isalpha(static_cast<unsigned char>(m_pattern[i])) || m_pattern[i] == '-');
         ++i) {
      if (m_pattern[i] == '-') on = false;
      if (m_pattern[i] == 'P' || m_pattern[i] == 'R') refuse("a Perl group");
      if (m_pattern[i] != 'i' && m_pattern[i] != 'x' && m_pattern[i] != '-')
        refuse(std::string("the option ") + (on ? "" : "-") + m_pattern[i]);
    }
  }

  char next() const { return m_at < m_pattern.size() ? m_pattern[m_at] : '\0'; }
  void take() { m_out += m_pattern[m_at++]; }

  std::string_view m_pattern;
  std::string m_out;
  std::size_t m_at = 0;
};

}  // namespace

std::string translatedFromOniguruma(std::string_view pattern) { return Translator(pattern).run(); }

}  // namespace vitrine

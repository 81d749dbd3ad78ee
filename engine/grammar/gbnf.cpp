#include "grammar/gbnf.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "grammar/code_ranges.h"
#include "text/utf8.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

bool isNameLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

int digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class GbnfReader {
 public:
  explicit GbnfReader(std::string_view source) : m_source(source) {}

  Grammar read() {
    if (m_source.size() > kLongestGrammar)
      throw EngineError(ErrorCode::kInvalidArgument, "the grammar has " + std::to_string(m_source.size()) +
                                                         " bytes, more than " +
                                                         std::to_string(kLongestGrammar));
    if (!utf8::isValid(m_source)) throw EngineError(ErrorCode::kInvalidArgument, "the grammar is not UTF-8");
    for (skipBlanks(); m_at < m_source.size(); skipBlanks()) readRule();
    requireRules();
    return std::move(m_grammar);
  }

 private:
  struct Rule {
    int number = 0, usedAtLine = 0;  // 0: not used yet
    bool defined = false;
  };

  [[noreturn]] void fail(const std::string& message) const { failAt(line(), message); }
  [[noreturn]] static void failAt(int line, const std::string& message) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      "line " + std::to_string(line) + " of the grammar: " + message);
  }
  int line() const {
    const auto end = m_source.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_source.size()));
    return 1 + static_cast<int>(std::count(m_source.begin(), end, '\n'));
  }

  char peek() const { return m_at < m_source.size() ? m_source[m_at] : '\0'; }
  bool takes(std::string_view text) {
    if (!m_source.substr(m_at).starts_with(text)) return false;
    m_at += text.size();
    return true;
  }

  // Blanks, line ends and comments: none of them has a meaning of its own.
  void skipBlanks() {
    while (m_at < m_source.size()) {
      const char c = m_source[m_at];
      if (c == '#')
        m_at = std::min(m_source.find('\n', m_at), m_source.size());
      else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        ++m_at;
      else
        return;
    }
  }

  std::string_view readName() {
    const std::size_t begin = m_at;
    while (isNameLetter(peek())) ++m_at;
    return m_source.substr(begin, m_at - begin);
  }

  Rule& ruleNamed(std::string_view name) {
    const auto [found, isNew] = m_rules.try_emplace(std::string(name));
    if (isNew) found->second.number = m_grammar.add(std::string(name));
    return found->second;
  }

  // Whether a rule begins here: a name and "::=".
  bool atRule() {
    const std::size_t begin = m_at;
    const bool named = !readName().empty();
    skipBlanks();
    const bool defined = m_source.substr(m_at).starts_with("::=");
    m_at = begin;
    return named && defined;
  }

  void readRule() {
    const std::string_view name = readName();
    if (name.empty()) fail("a rule's name is expected, and here is " + here());
    skipBlanks();
    if (!takes("::=")) fail("::= is expected behind " + quoted(name) + ", and here is " + here());
    Rule& rule = ruleNamed(name);
    if (rule.defined) fail("the rule " + quoted(name) + " is defined a second time");
    rule.defined = true;
    const int number = rule.number;
    m_grammar.rules[static_cast<std::size_t>(number)].expression = readChoice(0);
    skipBlanks();
    if (m_at < m_source.size() && !atRule()) fail("what stands here is no part of a rule: " + here());
  }

  Expression readChoice(int depth) {
    if (depth > kDeepestGrammar) fail("brackets lie deeper than " + std::to_string(kDeepestGrammar));
    std::vector<Expression> alternatives;
    do alternatives.push_back(readSequence(depth));
    while (takes("|"));
    return choiceOf(std::move(alternatives));
  }

  Expression readSequence(int depth) {
    std::vector<Expression> parts;
    for (skipBlanks(); !atRule(); skipBlanks()) {
      std::optional<Expression> part = readPart(depth);
      if (!part) break;
      parts.push_back(readRepeats(std::move(*part)));
    }
    return sequenceOf(std::move(parts));
  }

  std::optional<Expression> readPart(int depth) {
    if (takes("\"")) return readText();
    if (takes("[")) return readClass();
    if (takes(".")) return noneOf({});
    if (takes("(")) {
      Expression inner = readChoice(depth + 1);
      if (!takes(")")) fail("a closing bracket is expected, and here is " + here());
      return inner;
    }
    if (!isNameLetter(peek())) return std::nullopt;
    const int usedAt = line();
    Rule& rule = ruleNamed(readName());
    if (rule.usedAtLine == 0) rule.usedAtLine = usedAt;
    return ruleOf(rule.number);
  }

  Expression readRepeats(Expression part) {
    for (int repeats = 0;; ++repeats) {
      skipBlanks();
      if (repeats == kDeepestGrammar) fail("more repetitions of one part than " + std::to_string(repeats));
      if (takes("*"))
        part = repeatOf(std::move(part), 0, Expression::kEndless);
      else if (takes("+"))
        part = repeatOf(std::move(part), 1, Expression::kEndless);
      else if (takes("?"))
        part = optional(std::move(part));
      else if (takes("{"))
        part = readCount(std::move(part));
      else
        return part;
    }
  }

  Expression readCount(Expression part) {
    skipBlanks();
    const int least = readNumber();
    int most = least;
    skipBlanks();
    if (takes(",")) {
      skipBlanks();
      most = peek() == '}' ? Expression::kEndless : readNumber();
      skipBlanks();
    }
    if (!takes("}")) fail("} is expected behind a number of repetitions, and here is " + here());
    if (most != Expression::kEndless && most < least)
      fail("{" + std::to_string(least) + "," + std::to_string(most) +
           "} has its numbers the wrong way round");
    return repeatOf(std::move(part), least, most);
  }

  int readNumber() {
    int number = 0;
    const char* const begin = m_source.data() + m_at;
    const auto [end, error] = std::from_chars(begin, m_source.data() + m_source.size(), number);
    if (end == begin || number < 0) fail("a number is expected, and here is " + here());
    if (error != std::errc() || number > kMostGrammarNodes)
      fail("so many repetitions are too many: at most " + std::to_string(kMostGrammarNodes));
    m_at += static_cast<std::size_t>(end - begin);
    return number;
  }

  Expression readText() {
    std::string text;
    while (!takes("\"")) {
      if (m_at >= m_source.size() || peek() == '\n') fail("a closing \" is missing");
      utf8::append(text, readCharacter());
    }
    return text.empty() ? sequenceOf({}) : textOf(std::move(text));
  }

  Expression readClass() {
    const bool others = takes("^");
    std::vector<CodeRange> ranges;
    while (!takes("]")) {
      if (m_at >= m_source.size() || peek() == '\n') fail("a closing ] is missing");
      const char32_t first = readCharacter();
      char32_t last = first;
      if (peek() == '-' && m_source.substr(m_at + 1, 1) != "]") {
        ++m_at;
        last = readCharacter();
        if (last < first) fail("a range of a class has its ends the wrong way round");
      }
      ranges.push_back({first, last});
    }
    if (ranges.empty() && !others) fail("an empty class matches no character");
    if (others && complementOf(ranges).empty()) fail("this class matches no character");
    return others ? noneOf(std::move(ranges)) : oneOf(std::move(ranges));
  }

  char32_t readCharacter() {
    if (!takes("\\")) {
      const utf8::Step step = utf8::decode(m_source.substr(m_at));
      if (step.length == 0) fail("a character is expected at the end");
      m_at += step.length;
      return step.codePoint;
    }
    const char kind = peek();
    ++m_at;
    switch (kind) {
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case '\\':
      case '"':
      case '[':
      case ']':
      case '-':
      case '^':
        return static_cast<char32_t>(kind);
      case 'x':
        return readHex(2);
      case 'u':
        return readHex(4);
      case 'U':
        return readHex(8);
      default:
        --m_at;
        fail("behind a backslash stand n r t \\ \" [ ] - ^ x u or U, and here is " + here());
    }
  }

  char32_t readHex(int digits) {
    char32_t code = 0;
    for (int i = 0; i < digits; ++i, ++m_at) {
      const int digit = digitOf(peek());
      if (digit < 0) fail(std::to_string(digits) + " hexadecimal digits are expected");
      code = code * 16 + static_cast<char32_t>(digit);
    }
    if (code > kAllCodes.last || (code >= kSurrogates.first && code <= kSurrogates.last))
      fail("this number is no character");
    return code;
  }

  void requireRules() {
    for (const auto& [name, rule] : m_rules)
      if (!rule.defined) failAt(rule.usedAtLine, "there is no rule " + quoted(name));
    const auto root = m_rules.find("root");
    if (root == m_rules.end())
      throw EngineError(ErrorCode::kInvalidArgument, "the grammar has no rule named root",
                        "write one: root ::= what the whole answer is");
    m_grammar.root = root->second.number;
  }

  static std::string quoted(std::string_view name) { return "\"" + forMessage(name, 60) + "\""; }
  std::string here() const {
    if (m_at >= m_source.size()) return "the end";
    const std::string_view rest = m_source.substr(m_at);
    return quoted(rest.substr(0, std::min(rest.find('\n'), rest.size())));
  }

  const std::string_view m_source;
  std::size_t m_at = 0;
  Grammar m_grammar;
  std::map<std::string, Rule, std::less<>> m_rules;
};

}  // namespace

Grammar parseGbnf(std::string_view source) { return GbnfReader(source).read(); }

}  // namespace vitrine

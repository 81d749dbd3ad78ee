#include "grammar/regex_grammar.h"

#include <algorithm>
#include <limits>
#include <string>

#include "grammar/code_ranges.h"
#include "grammar/grammar_checks.h"
#include "text/unicode.h"
#include "text/utf8.h"
#include "vitrine/error.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

using CodeRanges = std::vector<CodeRange>;

const CodeRanges& digitCodes() {
  static const CodeRanges codes{{'0', '9'}};
  return codes;
}
const CodeRanges& wordCodes() {
  static const CodeRanges codes{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
  return codes;
}
const CodeRanges& spaceCodes() {
  static const CodeRanges codes{{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                                {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                                {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
  return codes;
}
const CodeRanges& lineEndCodes() {
  static const CodeRanges codes{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
  return codes;
}

struct CategoryRange {
  CodeRange range;
  std::string_view category;
};

const std::vector<CategoryRange>& categoryRanges() {
  static const std::vector<CategoryRange> all = [] {
    std::vector<CategoryRange> ranges;
    for (char32_t code = kAllCodes.first; code <= kAllCodes.last; ++code) {
      const std::string_view category = unicode::categoryOf(code);
      if (!ranges.empty() && ranges.back().category == category)
        ranges.back().range.last = code;
      else
        ranges.push_back({{code, code}, category});
    }
    return ranges;
  }();
  return all;
}

bool isPatternHex(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
char32_t patternHexValue(char32_t c) { return c <= '9' ? c - '0' : (c | 0x20u) - 'a' + 10; }
bool isDigitCode(char32_t c) { return c >= '0' && c <= '9'; }
bool isLetterCode(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::u32string patternCodes(std::string_view pattern) {
  std::u32string codes;
  while (!pattern.empty()) {
    const utf8::Step step = utf8::decode(pattern);
    if (!step.valid)
      throw EngineError(
          ErrorCode::kInvalidArgument,
          "the regular expression is not UTF-8 at character " + std::to_string(codes.size() + 1),
          "Write it as UTF-8 text.");
    codes += step.codePoint;
    pattern.remove_prefix(step.length);
  }
  return codes;
}

class PatternParser {
 public:
  // An alternative at the top.
  struct Branch {
    Expression expression;
    bool fromStart = false, toEnd = false;
  };

  explicit PatternParser(std::string_view pattern) : m_codes(patternCodes(pattern)) {}

  std::vector<Branch> parse() {
    std::vector<Branch> branches;
    addBranches(branches, 0);
    if (!atEnd()) refuse(m_at, "a closing bracket without its opening one", "Write \\) for the character.");
    return branches;
  }

 private:
  // Of a class, or behind a backslash: one code point, or a set of them.
  struct Item {
    char32_t code = 0;
    bool isSet = false;
    CodeRanges set = {};
  };

  [[noreturn]] void refuse(std::size_t at, const std::string& thing, const std::string& mend) const {
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the regular expression has " + thing + " at character " + std::to_string(at + 1),
                      mend);
  }

  bool atEnd() const { return m_at == m_codes.size(); }
  bool sees(char32_t c, std::size_t ahead = 0) const {
    return m_at + ahead < m_codes.size() && m_codes[m_at + ahead] == c;
  }
  bool take(char32_t c) {
    if (!sees(c)) return false;
    ++m_at;
    return true;
  }
  bool seesEndOfBranch() const { return atEnd() || sees('|') || sees(')'); }
  bool seesEscaped(char32_t c) const { return sees('\\') && sees(c, 1); }

  void checkDepth(int depth, std::size_t at) const {
    if (depth > kDeepestGrammar)
      refuse(at, "brackets nested deeper than " + std::to_string(kDeepestGrammar), "Nest fewer groups.");
  }

  // Anchors may stand at the ends of an alternative, also where brackets hold the whole of it: (^a$)|(^b$).
  void addBranches(std::vector<Branch>& branches, int depth) {
    checkDepth(depth, m_at);
    do {
      const std::size_t closing = sees('(') ? closingOf(m_at) : m_codes.size();
      const std::size_t behind = closing + 1;
      if (closing < m_codes.size() &&
          (behind == m_codes.size() || m_codes[behind] == '|' || m_codes[behind] == ')')) {
        const std::size_t open = m_at++;
        skipGroupHeader(open);
        addBranches(branches, depth + 1);
        closeGroup(open);
      } else {
        branches.push_back(topBranch(depth));
      }
    } while (take('|'));
  }

  // The bracket that closes this one; the pattern's size when there is none.
  std::size_t closingOf(std::size_t open) const {
    int depth = 0;
    bool inClass = false;
    for (std::size_t at = open; at < m_codes.size(); ++at) {
      const char32_t c = m_codes[at];
      if (c == '\\')
        ++at;
      else if (inClass)
        inClass = c != ']';
      else if (c == '[')
        inClass = true;
      else if (c == '(')
        ++depth;
      else if (c == ')' && --depth == 0)
        return at;
    }
    return m_codes.size();
  }

  Branch topBranch(int depth) {
    Branch branch;
    while (take('^') || takeEscaped('A')) branch.fromStart = true;
    std::vector<Expression> parts;
    while (!seesEndOfBranch() && !branch.toEnd) {
      const std::size_t at = m_at;
      while (take('$') || takeEscaped('Z') || takeEscaped('z')) branch.toEnd = true;
      if (!branch.toEnd)
        addPart(parts, depth);
      else if (!seesEndOfBranch())
        refuseAnchor(at);
    }
    branch.expression = sequenceOf(std::move(parts));
    return branch;
  }

  bool takeEscaped(char32_t c) {
    if (!seesEscaped(c)) return false;
    m_at += 2;
    return true;
  }

  [[noreturn]] void refuseAnchor(std::size_t at) const {
    refuse(at, "an anchor that is not at an end", "Write ^ first and $ last, outside of brackets.");
  }

  Expression alternatives(int depth) {
    checkDepth(depth, m_at);
    std::vector<Expression> choices;
    do {
      std::vector<Expression> parts;
      while (!seesEndOfBranch()) addPart(parts, depth);
      choices.push_back(sequenceOf(std::move(parts)));
    } while (take('|'));
    return choiceOf(std::move(choices));
  }

  void addPart(std::vector<Expression>& parts, int depth) {
    Expression part = repeated(atom(depth));
    const bool joins = part.kind == Expression::Kind::kText && !parts.empty() &&
                       parts.back().kind == Expression::Kind::kText;
    if (joins)
      parts.back().text += part.text;
    else
      parts.push_back(std::move(part));
  }

  Expression atom(int depth) {
    const std::size_t at = m_at;
    if (sees('^') || sees('$') || seesEscaped('A') || seesEscaped('Z') || seesEscaped('z')) refuseAnchor(at);
    int least = 0, most = 0;
    if (sees('*') || sees('+') || sees('?') || seesCount(least, most))
      refuse(at, "a repetition of nothing", "Write a backslash before it for the character itself.");
    const char32_t c = m_codes[m_at++];
    if (c == '.') return oneOf(complementOf(lineEndCodes()));
    if (c == '[') return characterClass(at);
    if (c == '(') {
      skipGroupHeader(at);
      Expression group = alternatives(depth + 1);
      closeGroup(at);
      return group;
    }
    if (c != '\\') return literal(c);
    if (sees('b') || sees('B'))
      refuse(at, "a word boundary", "Leave it out; write the characters that may stand there.");
    const Item item = escaped(at);
    return item.isSet ? classOf(at, item.set) : literal(item.code);
  }

  static Expression literal(char32_t code) {
    std::string text;
    utf8::append(text, code);
    return textOf(std::move(text));
  }

  Expression classOf(std::size_t at, const CodeRanges& ranges) {
    m_ranges += ranges.size();
    if (m_ranges > static_cast<std::size_t>(kMostGrammarNodes))
      refuse(at, "classes of more than " + std::to_string(kMostGrammarNodes) + " ranges",
             "Write a shorter one.");
    const bool hasCode = std::ranges::any_of(ranges, [](const CodeRange& range) {
      return range.first < kSurrogates.first || range.last > kSurrogates.last;
    });
    if (!hasCode) refuse(at, "a class of no characters", "Leave it out.");
    return oneOf(ranges);
  }

  // Behind the opening bracket.
  void skipGroupHeader(std::size_t open) {
    if (!take('?') || take(':')) return;
    if (sees('=') || sees('!') || (sees('<') && (sees('=', 1) || sees('!', 1))))
      refuse(open, "a look-around", "Write what stands there as a part of the pattern.");
    if (sees('>')) refuse(open, "an atomic group", "Write (?: for it.");
    if (sees('P') && (sees('=', 1) || sees('>', 1)))
      refuse(open, "a back reference", "Write the group's pattern once more.");
    if (sees('P') && sees('<', 1)) ++m_at;
    if (!take('<'))
      refuse(open, "flags, a condition or a comment", "Leave it out; write [Aa] where both cases may stand.");
    const std::size_t name = m_at;
    while (!atEnd() && (isLetterCode(m_codes[m_at]) || isDigitCode(m_codes[m_at]) || sees('_'))) ++m_at;
    if (m_at == name || !take('>'))
      refuse(open, "a group's name that does not end", "Write (?: for the group.");
  }

  void closeGroup(std::size_t open) {
    if (!take(')')) refuse(open, "a bracket that is not closed", "Write \\( for the character.");
  }

  // {m}, {m,}, {,n} or {m,n} at the present place; its numbers. Other braces are characters.
  bool seesCount(int& least, int& most) const {
    std::size_t at = m_at;
    const auto number = [&](int& value) {
      const std::size_t begin = at;
      std::int64_t read = 0;
      for (; at < m_codes.size() && isDigitCode(m_codes[at]); ++at)
        read = std::min<std::int64_t>(10 * read + (m_codes[at] - '0'), std::numeric_limits<int>::max() - 1);
      value = static_cast<int>(read);
      return at > begin;
    };
    if (!sees('{')) return false;
    ++at;
    const bool hasLeast = number(least);
    bool hasMost = false;
    most = least;
    if (at < m_codes.size() && m_codes[at] == ',') {
      ++at;
      hasMost = number(most);
      if (!hasMost) most = Expression::kEndless;
    }
    return (hasLeast || hasMost) && at < m_codes.size() && m_codes[at] == '}';
  }

  bool takeRepetition(int& least, int& most) {
    if (seesCount(least, most)) {
      while (!take('}')) ++m_at;
      return true;
    }
    least = sees('+') ? 1 : 0;
    most = sees('?') ? 1 : Expression::kEndless;
    return take('*') || take('+') || take('?');
  }

  Expression repeated(Expression part) {
    const std::size_t at = m_at;
    int least = 0, most = 0;
    if (!takeRepetition(least, most)) return part;
    if (most != Expression::kEndless && most < least)
      refuse(at, "a repetition of at least " + std::to_string(least) + " and at most " + std::to_string(most),
             "Write the smaller number first.");
    const std::size_t suffix = m_at;
    if (!take('?')) {  // a lazy repetition has the same language
      if (sees('+')) refuse(suffix, "a possessive repetition", "Leave the second sign out.");
    }
    int again = 0;
    if (sees('*') || sees('+') || sees('?') || seesCount(again, again))
      refuse(m_at, "a repetition of a repetition", "Put the first one in brackets: (?:a*)*.");
    return repeatOf(std::move(part), least, most);
  }

  Expression characterClass(std::size_t open) {
    const bool negated = take('^');
    if (sees(']')) refuse(open, "a class that is empty or begins with ]", "Write \\] for the character.");
    CodeRanges ranges;
    while (!take(']')) {
      if (atEnd()) refuse(open, "a class that is not closed", "Write \\[ for the character.");
      if (sees('[') && (sees(':', 1) || sees('=', 1) || sees('.', 1)))
        refuse(m_at, "a POSIX class", "Write its characters, as in [A-Za-z].");
      const std::size_t at = m_at;
      Item item = classItem();
      if (sees('-') && m_at + 1 < m_codes.size() && !sees(']', 1)) {
        ++m_at;
        const Item last = classItem();
        if (item.isSet || last.isSet || last.code < item.code)
          refuse(at, "a range that is none", "Write the smaller end first, and \\- for the character.");
        ranges.push_back({item.code, last.code});
      } else if (item.isSet) {
        ranges.insert(ranges.end(), item.set.begin(), item.set.end());
      } else {
        ranges.push_back({item.code, item.code});
      }
      if (ranges.size() > static_cast<std::size_t>(kMostGrammarNodes)) break;  // classOf() refuses it
    }
    return classOf(open, negated ? complementOf(std::move(ranges)) : ranges);
  }

  Item classItem() {
    const std::size_t at = m_at;
    const char32_t c = m_codes[m_at++];
    if (c != '\\') return {c};
    if (take('b')) return {'\b'};
    return escaped(at);
  }

  // Behind the backslash that stands `at`.
  Item escaped(std::size_t at) {
    if (atEnd()) refuse(at, "a backslash at its end", "Write \\\\ for the character.");
    const char32_t c = m_codes[m_at++];
    switch (c) {
      case 'd':
        return {0, true, digitCodes()};
      case 'D':
        return {0, true, complementOf(digitCodes())};
      case 'w':
        return {0, true, wordCodes()};
      case 'W':
        return {0, true, complementOf(wordCodes())};
      case 's':
        return {0, true, spaceCodes()};
      case 'S':
        return {0, true, complementOf(spaceCodes())};
      case 'p':
        return {0, true, property(at)};
      case 'P':
        return {0, true, complementOf(property(at))};
      case 'n':
        return {'\n'};
      case 't':
        return {'\t'};
      case 'r':
        return {'\r'};
      case 'f':
        return {'\f'};
      case 'v':
        return {'\v'};
      case 'x':
        return {hexNumber(at, 2)};
      case 'U':
        return {character(at, hexNumber(at, 8))};
      case 'u':
        return {unicodeEscape(at)};
      case 'c':
        if (atEnd() || !isLetterCode(m_codes[m_at])) refuse(at, "\\c without a letter", "Write \\xHH.");
        return {m_codes[m_at++] & 0x1Fu};
      case 'k':
        refuse(at, "a back reference", "Write the group's pattern once more.");
      default:
        break;
    }
    if (c == '0' && !(m_at < m_codes.size() && isDigitCode(m_codes[m_at]))) return {0};
    if (c == '0') refuse(at, "an octal number", "Write \\xHH.");
    if (isDigitCode(c)) refuse(at, "a back reference", "Write the group's pattern once more.");
    if (isLetterCode(c))
      refuse(at, "the unknown escape \\" + std::string(1, static_cast<char>(c)), "Leave the backslash out.");
    return {c};
  }

  char32_t hexNumber(std::size_t at, int digits) {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i, ++m_at) {
      if (atEnd() || !isPatternHex(m_codes[m_at]))
        refuse(at, "an escape of fewer than " + std::to_string(digits) + " hexadecimal digits",
               "Write all of them, as in \\x0a or \\u000a.");
      value = value * 16 + patternHexValue(m_codes[m_at]);
    }
    return value;
  }

  char32_t character(std::size_t at, char32_t code) const {
    if (code > kAllCodes.last || (code >= kSurrogates.first && code <= kSurrogates.last))
      refuse(at, "the number of no character", "Write a code point up to 10FFFF, and none of half a pair.");
    return code;
  }

  char32_t unicodeEscape(std::size_t at) {
    if (take('{')) {
      char32_t code = 0;
      std::size_t digits = 0;
      for (; !atEnd() && isPatternHex(m_codes[m_at]) && digits < 8; ++m_at, ++digits)
        code = code * 16 + patternHexValue(m_codes[m_at]);
      if (digits == 0 || !take('}')) refuse(at, "\\u{ without digits and }", "Write it as in \\u{1F600}.");
      return character(at, code);
    }
    const char32_t code = hexNumber(at, 4);
    const bool isHigh = code >= 0xD800 && code < 0xDC00;
    if (!isHigh || !seesEscaped('u')) return character(at, code);
    m_at += 2;
    const char32_t low = hexNumber(at, 4);
    if (low < 0xDC00 || low > 0xDFFF) return character(at, code);
    return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }

  // \p{L}, \p{Lu}: general categories.
  CodeRanges property(std::size_t at) {
    std::string name;
    const std::size_t open = m_at;
    if (take('{'))
      while (!atEnd() && !sees('}') && name.size() < 60) utf8::append(name, m_codes[m_at++]);
    CodeRanges ranges;
    if (open < m_at && take('}') && (name.size() == 1 || name.size() == 2))
      for (const CategoryRange& one : categoryRanges())
        if (one.category.starts_with(name)) ranges.push_back(one.range);
    if (ranges.empty() || name == "Cs")
      refuse(at, "the unknown property \\p{" + forMessage(name) + "}",
             "General categories are known by their short names, as in \\p{L} or \\p{Lu}.");
    return ranges;
  }

  const std::u32string m_codes;
  std::size_t m_at = 0;
  std::size_t m_ranges = 0;  // of all classes so far
};

}  // namespace

Expression patternExpression(std::string_view pattern, PatternFit fit) {
  if (pattern.size() > kLongestGrammar)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the regular expression has more than " + std::to_string(kLongestGrammar) + " bytes",
                      "Write a shorter one.");
  const Expression anything = repeatOf(oneOf({kAllCodes}), 0, Expression::kEndless);
  std::vector<Expression> choices;
  for (PatternParser::Branch& branch : PatternParser(pattern).parse()) {
    if (fit == PatternFit::kWhole || (branch.fromStart && branch.toEnd)) {
      choices.push_back(std::move(branch.expression));
      continue;
    }
    std::vector<Expression> parts;
    if (!branch.fromStart) parts.push_back(anything);
    parts.push_back(std::move(branch.expression));
    if (!branch.toEnd) parts.push_back(anything);
    choices.push_back(sequenceOf(std::move(parts)));
  }
  Expression expression = choiceOf(std::move(choices));
  if (writtenNodes(expression) > kMostGrammarNodes)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the regular expression has more than " + std::to_string(kMostGrammarNodes) +
                          " parts when its repetitions are written out",
                      "Repeat less often, or without a limit: * and +.");
  return expression;
}

Grammar regexGrammar(std::string_view pattern) {
  Grammar grammar;
  grammar.root = grammar.add("answer", patternExpression(pattern, PatternFit::kWhole));
  return grammar;
}

}  // namespace vitrine

#include "widgets/markdown/maths_spans.h"

#include <algorithm>
#include <array>

#include "widgets/markdown/ascii.h"
#include "widgets/markdown/line_shape.h"

namespace vitrine {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr char kEnvironmentOpen = 'e';
constexpr std::string_view kEnvironmentBegin = "\\begin{", kEnvironmentEnd = "\\end{";
// Those that need no mathematics around them. None of them stands within another one.
constexpr std::array<std::string_view, 10> kDisplayEnvironments = {
    "align",   "align*",   "equation",  "equation*", "gather",
    "gather*", "multline", "multline*", "eqnarray",  "eqnarray*"};

// Of the environment that begins (`mark` kEnvironmentBegin) or ends here; the number of them: none does.
std::size_t environmentAt(std::string_view text, std::string_view mark) {
  if (!text.starts_with(mark)) return kDisplayEnvironments.size();
  text.remove_prefix(mark.size());
  const auto found = std::ranges::find_if(kDisplayEnvironments, [&](std::string_view name) {
    return text.starts_with(name) && text.substr(name.size()).starts_with('}');
  });
  return static_cast<std::size_t>(found - kDisplayEnvironments.begin());
}

bool isEnvironment(std::string_view text, std::string_view mark) {
  return environmentAt(text, mark) < kDisplayEnvironments.size();
}

std::size_t lengthOf(std::string_view text, std::size_t at, char c) {
  return std::min(text.find_first_not_of(c, at), text.size()) - at;
}

// After the run of backticks at `at` and, if there is another of the same length, after that one.
std::size_t afterCode(std::string_view text, std::size_t at, std::size_t limit) {
  const std::size_t length = lengthOf(text, at, '`'), begin = at + length;
  for (std::size_t next = text.find('`', begin); next < limit; next = text.find('`', next)) {
    const std::size_t other = lengthOf(text, next, '`');
    next += other;
    if (other == length) return next;
  }
  return begin;
}

// Behind spaces, marks of quotes and the mark of a list's item.
std::string_view innerLine(std::string_view line) {
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    const LineShape shape(line);
    if (!shape.isListItem()) return line;
    line.remove_prefix(std::min(line.find_first_of("-+*.)") + 1, line.size()));
  }
}

// "5 and 10": a number and a word that stands apart, as no formula has them.
bool isPriceAndWords(std::string_view text) {
  if (!isDigit(text.front())) return false;
  for (std::size_t at = 1; at + 1 < text.size(); ++at)
    if (text[at - 1] == ' ' && isLetter(text[at]) && isLetter(text[at + 1])) return true;
  return false;
}

class MathsFinder {
 public:
  MathsFinder(std::string_view piece, bool growing)
      : m_piece(piece), m_growing(growing), m_isList(LineShape(line(0)).isListItem()) {}

  std::vector<MathsSpan> find() {
    for (std::size_t at = 0; at < m_piece.size();) {
      const bool beginsLine = at == 0 || m_piece[at - 1] == '\n';
      if (beginsLine && at >= m_paragraphEnd && skipFence(at)) continue;
      if (beginsLine && at >= m_paragraphEnd) beginParagraph(at);
      at = step(at);
    }
    return std::move(m_spans);
  }

 private:
  std::string_view line(std::size_t begin) const {
    return m_piece.substr(begin, std::min(m_piece.find('\n', begin), m_piece.size() - 1) + 1 - begin);
  }

  // A formula does not go on over an empty line, a fence or the next item of a list.
  void beginParagraph(std::size_t begin) {
    m_failed = {};
    m_environmentFailed = {};
    std::size_t at = begin + line(begin).size();
    while (at < m_piece.size()) {
      const std::string_view next = line(at), inner = innerLine(next);
      const bool isItem =
          m_isList &&
          LineShape(next.substr(std::min(next.find_first_not_of(" \t"), next.size()))).isListItem();
      if (LineShape(inner).isBlank || LineShape(inner).isFence() || isItem) break;
      at += next.size();
    }
    m_paragraphEnd = std::min(at, m_piece.size());
  }

  bool skipFence(std::size_t& at) const {
    const LineShape fence(innerLine(line(at)));
    if (!fence.isFence()) return false;
    for (at += line(at).size(); at < m_piece.size();) {
      const LineShape end(innerLine(line(at)));
      at += line(at).size();
      if (end.fence == fence.fence && end.fenceLength >= fence.fenceLength && end.info.empty()) break;
    }
    return true;
  }

  char byte(std::size_t at) const { return at < m_paragraphEnd ? m_piece[at] : '\n'; }

  std::size_t step(std::size_t at) {
    const char c = m_piece[at], next = byte(at + 1);
    if (c == '`') return afterCode(m_piece, at, m_paragraphEnd);
    if (c == '$') return next == '$' ? longFormula(at, '$') : dollarFormula(at);
    if (c != '\\') return at + 1;
    if (next == '(' || next == '[') return longFormula(at, next == '(' ? ')' : ']');
    if (next == 'b') return environmentFormula(at);
    return next == '\n' ? at + 1 : at + 2;
  }

  // \( \), \[ \] or $$ $$, by what ends it.
  std::size_t longFormula(std::size_t begin, char end) {
    bool& failed = m_failed[end == '$' ? 0 : end == ')' ? 1 : 2];
    if (failed) return begin + 2;
    const char opener = end == ')' ? '(' : '[';
    std::size_t from = begin;
    for (std::size_t at = begin + 2; at + 1 < m_paragraphEnd; ++at) {
      const char c = m_piece[at], next = m_piece[at + 1];
      const bool ends = end == '$' ? c == '$' && next == '$' : c == '\\' && next == end;
      if (ends) return addWhole(from, at + 2, end);
      if (end != '$' && c == '\\' && next == opener) from = at;  // they do not nest: the inner one counts
      if (c == '\\') ++at;
    }
    failed = true;
    if (m_growing && m_paragraphEnd == m_piece.size()) return addLines(from, m_paragraphEnd, end != ')');
    return begin + 2;
  }

  // \begin{align} ... \end{align}
  std::size_t environmentFormula(std::size_t begin) {
    const std::size_t kind = environmentAt(m_piece.substr(begin, m_paragraphEnd - begin), kEnvironmentBegin);
    if (kind == kDisplayEnvironments.size() || m_environmentFailed[kind]) return begin + 2;
    for (std::size_t at = m_piece.find(kEnvironmentEnd, begin); at < m_paragraphEnd;
         at = m_piece.find(kEnvironmentEnd, at + 1))
      if (environmentAt(m_piece.substr(at, m_paragraphEnd - at), kEnvironmentEnd) == kind) {
        const std::size_t name = kDisplayEnvironments[kind].size() + 1,
                          inner = begin + kEnvironmentBegin.size() + name;
        const std::size_t end = at + kEnvironmentEnd.size() + name;
        return std::ranges::all_of(m_piece.substr(inner, at - inner), isSpace) ? end
                                                                               : addFound(begin, end, true);
      }
    m_environmentFailed[kind] = true;
    if (m_growing && m_paragraphEnd == m_piece.size()) return addLines(begin, m_paragraphEnd, true);
    return begin + 2;
  }

  std::size_t addWhole(std::size_t begin, std::size_t end, char kind) {
    const std::string_view inner = m_piece.substr(begin + 2, end - begin - 4);
    const bool isLink = kind == ']' && byte(end) == '(';  // \[not a link\](of this address)
    if (isLink || std::ranges::all_of(inner, isSpace)) return end;
    return addFound(begin, end, kind != ')');
  }

  std::size_t addFound(std::size_t begin, std::size_t end, bool display) {
    const std::string_view text = m_piece.substr(begin, end - begin);
    bool marked = text.find('\r') != kNone;
    for (std::size_t at = text.find('\n'); at != kNone && !marked; at = text.find('\n', at + 1))
      marked = LineShape(text.substr(at + 1)).isQuote;
    if (marked) return addLines(begin, end, display);
    m_spans.push_back({begin, end, display, false});
    return end;
  }

  std::size_t addLines(std::size_t begin, std::size_t end, bool display) {
    for (std::size_t at = begin; at < end;) {
      const std::size_t lineEnd = std::min(m_piece.find('\n', at), end);
      std::size_t first = at, last = lineEnd;
      if (at != begin) first = std::min(m_piece.find_first_not_of(" \t>", at), lineEnd);
      while (last > first && isSpace(m_piece[last - 1])) --last;
      if (last > first) m_spans.push_back({first, last, display, true});
      at = lineEnd + 1;
    }
    return end;
  }

  std::size_t dollarFormula(std::size_t begin) {
    const char before = begin == 0 ? ' ' : m_piece[begin - 1], first = byte(begin + 1);
    if (isLetter(before) || isDigit(before) || isSpace(first)) return begin + 1;
    const std::size_t lineEnd = std::min(m_piece.find('\n', begin), m_paragraphEnd);
    const std::size_t limit = std::min(lineEnd, begin + kMaxDollarBytes);
    bool hasCommand = false;
    std::size_t at = begin + 1;
    for (; at < limit; ++at) {
      if (m_piece[at] == '\\') {
        hasCommand = true;
        ++at;
      } else if (m_piece[at] == '$' && mayEnd(at, lineEnd)) {
        if (isPriceAndWords(m_piece.substr(begin + 1, at - begin - 1))) return begin + 1;
        m_spans.push_back({begin, at + 1, false, false});
        return at + 1;
      }
    }
    const bool mayGoOn = m_growing && hasCommand && lineEnd == m_piece.size() && at >= lineEnd;
    return mayGoOn && !isDigit(first) ? addLines(begin, lineEnd, false) : begin + 1;
  }

  bool mayEnd(std::size_t at, std::size_t lineEnd) const {
    const char before = m_piece[at - 1], after = at + 1 < lineEnd ? m_piece[at + 1] : ' ';
    if (isSpace(before) || isDigit(after) || isUpper(after)) return false;
    if (after == '{' || after == '_' || after == '$') return false;
    const bool endsTerm =
        isLetter(before) || isDigit(before) || before == '}' || before == ')' || before == '\'';
    return endsTerm || !isLetter(after);  // the $n$th, but not $HOME/$user
  }

  const std::string_view m_piece;
  const bool m_growing, m_isList;
  std::size_t m_paragraphEnd = 0;
  std::array<bool, 3> m_failed = {};  // no end of this kind comes in the paragraph: $$, \), \]
  std::array<bool, kDisplayEnvironments.size()> m_environmentFailed = {};
  std::vector<MathsSpan> m_spans;
};

}  // namespace

std::vector<MathsSpan> findMaths(std::string_view piece, bool growing) {
  if (piece.find('$') == kNone && piece.find("\\(") == kNone && piece.find("\\[") == kNone &&
      piece.find(kEnvironmentBegin) == kNone)
    return {};
  return MathsFinder(piece, growing).find();
}

char openMathsAfter(std::string_view line, char open) {
  for (std::size_t at = 0; at + 1 < line.size();) {
    const char c = line[at], next = line[at + 1];
    if (c == '`' && open == 0) {
      at = afterCode(line, at, line.size());
      continue;
    }
    const bool mayBegin = open == 0;
    if (c == '$' && next == '$' && (mayBegin || open == '$')) open = open == '$' ? '\0' : '$', ++at;
    if (c == '\\' && next == '[' && mayBegin) open = ']';
    if (c == '\\' && next == 'b' && mayBegin && isEnvironment(line.substr(at), kEnvironmentBegin))
      open = kEnvironmentOpen;
    if (c == '\\' && next == 'e' && open == kEnvironmentOpen &&
        isEnvironment(line.substr(at), kEnvironmentEnd))
      open = 0;
    if (c == '\\' && next == ']' && open == ']') open = 0;
    at += c == '\\' ? 2 : 1;
  }
  return open;
}

bool isDisplayMaths(std::string_view formula) {
  return formula.starts_with("$$") || formula.starts_with("\\[") || isEnvironment(formula, kEnvironmentBegin);
}

}  // namespace vitrine

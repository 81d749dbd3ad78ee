#include "widgets/markdown/maths_parser.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "widgets/markdown/ascii.h"
#include "widgets/markdown/maths_symbols.h"
#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

using Result = std::optional<MathsNode>;

const std::unordered_map<std::string_view, MathsLetters> kLetters = {
    {"mathrm", MathsLetters::kUpright},   {"mathbf", MathsLetters::kBold},
    {"mathit", MathsLetters::kItalic},    {"mathsf", MathsLetters::kSans},
    {"mathtt", MathsLetters::kFixed},     {"mathbb", MathsLetters::kDoubleStruck},
    {"mathcal", MathsLetters::kScript},   {"mathscr", MathsLetters::kScript},
    {"mathfrak", MathsLetters::kFraktur}, {"boldsymbol", MathsLetters::kBoldItalic},
    {"bm", MathsLetters::kBoldItalic},    {"mathnormal", MathsLetters::kItalic}};

const std::unordered_map<std::string_view, MathsLetters> kTexts = {
    {"text", MathsLetters::kText},   {"textrm", MathsLetters::kText},     {"mbox", MathsLetters::kText},
    {"textbf", MathsLetters::kBold}, {"textit", MathsLetters::kItalic},   {"texttt", MathsLetters::kFixed},
    {"textsf", MathsLetters::kSans}, {"textnormal", MathsLetters::kText}, {"emph", MathsLetters::kItalic}};

// Of \big and its sisters, in the height of the font.
const std::unordered_map<std::string_view, double> kBigFences = {
    {"big", 1.2}, {"Big", 1.8}, {"bigg", 2.4}, {"Bigg", 3.0}};

struct Environment {
  std::string_view left, right, aligns;
  bool paired = false, small = false;
};
const std::unordered_map<std::string_view, Environment> kEnvironments = {
    {"matrix", {"", "", "c"}},          {"pmatrix", {"(", ")", "c"}},
    {"bmatrix", {"[", "]", "c"}},       {"Bmatrix", {"{", "}", "c"}},
    {"vmatrix", {"|", "|", "c"}},       {"Vmatrix", {"‖", "‖", "c"}},
    {"smallmatrix", {"", "", "c"}},     {"cases", {"{", "", "l"}},
    {"rcases", {"", "}", "l"}},         {"dcases", {"{", "", "l"}},
    {"array", {"", "", "c"}},           {"aligned", {"", "", "rl", true}},
    {"align", {"", "", "rl", true}},    {"align*", {"", "", "rl", true}},
    {"split", {"", "", "rl", true}},    {"eqnarray", {"", "", "rcl"}},
    {"eqnarray*", {"", "", "rcl"}},     {"gather", {"", "", "c", true}},
    {"gather*", {"", "", "c", true}},   {"gathered", {"", "", "c", true}},
    {"equation", {"", "", "rl", true}}, {"equation*", {"", "", "rl", true}},
    {"multline", {"", "", "c", true}},  {"multline*", {"", "", "c", true}}};

MathsNode emptyRow() { return {}; }

MathsNode nodeOf(MathsKind kind, MathsAtom atom = MathsAtom::kOrdinary) {
  MathsNode node;
  node.kind = kind;
  node.atom = atom;
  return node;
}

void setLetters(MathsNode& node, MathsLetters letters) {
  const bool isPlain = node.letters == MathsLetters::kUpright || node.letters == MathsLetters::kItalic;
  if (node.kind == MathsKind::kSymbol && isPlain) node.letters = letters;
  for (MathsNode& child : node.children) setLetters(child, letters);
}

// Recursive descent, at most kMaxMathsDepth deep. What fails ends the whole parse.
class MathsParser {
 public:
  explicit MathsParser(std::string_view text) : m_text(text) {}

  Result parse() {
    MathsNode table = nodeOf(MathsKind::kTable, MathsAtom::kInner);
    table.aligns = "rl";
    table.paired = true;
    if (!cells(table, End::kText)) return {};
    if (table.children.size() == 1) return std::move(table.children.front());
    return table;
  }

 private:
  enum class End : std::uint8_t { kText, kBrace, kBracket, kRight, kEnvironment };

  bool atEnd() const { return m_at >= m_text.size(); }
  char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
  bool accept(std::string_view token) {
    if (!m_text.substr(m_at).starts_with(token)) return false;
    m_at += token.size();
    return true;
  }
  void skipSpace() {
    while (!atEnd() && isSpace(peek())) ++m_at;
  }
  bool count() { return ++m_nodes <= kMaxMathsNodes; }

  // After a backslash: letters and a star after some, or one character.
  std::string_view command() {
    const std::size_t begin = m_at;
    while (!atEnd() && isLetter(peek())) ++m_at;
    if (m_at == begin && !atEnd()) m_at += shownCharacter(m_text, m_at).sourceBytes;
    return m_text.substr(begin, m_at - begin);
  }
  std::string_view peekCommand() {
    const std::size_t at = m_at;
    if (!accept("\\")) return {};
    const std::string_view name = command();
    m_at = at;
    return name;
  }
  std::string_view character() {
    const std::size_t begin = m_at;
    m_at = std::min(m_text.size(), m_at + shownCharacter(m_text, m_at).sourceBytes);
    return m_text.substr(begin, m_at - begin);
  }

  // Whether the row ends here; what ends it stays.
  bool ends(End end) {
    if (atEnd()) return true;
    const char c = peek();
    if (c == '}' || c == '&') return true;
    if (c == ']' && end == End::kBracket) return true;
    const std::string_view next = peekCommand();
    return next == "\\" || next == "right" || next == "end" || next == "cr" || next == "newline";
  }

  Result row(End end) {
    if (++m_depth > kMaxMathsDepth) return {};
    MathsNode row;
    for (skipSpace(); !ends(end); skipSpace()) {
      if (peek() == '^' || peek() == '_' || peek() == '\'') {
        if (!script(row)) return {};
        continue;
      }
      if (const std::string_view next = peekCommand(); next == "limits" || next == "nolimits") {
        if (row.children.empty()) return {};
        row.children.back().limits = next == "limits";
        m_at += 1 + next.size();
        continue;
      }
      Result node = atom();
      if (!node) return {};
      row.children.push_back(std::move(*node));
    }
    --m_depth;
    return row;
  }

  bool script(MathsNode& row) {
    const bool goesOn = !row.children.empty() && row.children.back().kind == MathsKind::kScripts;
    if (!goesOn) {
      if (!count()) return false;
      MathsNode scripts = nodeOf(MathsKind::kScripts);
      scripts.children.push_back(row.children.empty() ? emptyRow() : std::move(row.children.back()));
      scripts.children.resize(3);
      scripts.atom = scripts.children[0].atom;
      if (row.children.empty()) row.children.emplace_back();
      row.children.back() = std::move(scripts);
    }
    MathsNode& scripts = row.children.back();
    if (peek() == '\'') {
      while (accept("'")) {
        if (!count()) return false;
        scripts.children[2].children.push_back(*mathsSymbol("prime"));
      }
      return true;
    }
    MathsNode& place = scripts.children[character() == "_" ? 1 : 2];
    const bool hasPrime =
        !isEmpty(place) && place.kind == MathsKind::kRow && place.children.back().text == "′";
    if (!isEmpty(place) && !hasPrime) return false;  // a second one
    Result argued = argument();
    if (!argued) return false;
    if (hasPrime)
      place.children.push_back(std::move(*argued));
    else if (isEmpty(*argued))
      place.children.push_back(nodeOf(MathsKind::kSpace));
    else
      place = std::move(*argued);
    return true;
  }

  Result group() {
    if (!accept("{")) return {};
    Result inner = row(End::kBrace);
    if (!inner || !accept("}")) return {};
    return inner;
  }

  Result argument() {
    skipSpace();
    if (peek() == '{') return group();
    if (ends(End::kText)) return {};
    if (++m_depth > kMaxMathsDepth) return {};
    Result node = atom();
    --m_depth;
    return node;
  }

  // The text between braces as it stands.
  std::optional<std::string_view> rawGroup() {
    skipSpace();
    if (!accept("{")) return {};
    const std::size_t begin = m_at;
    const std::size_t end = m_text.find_first_of("{}\\$", begin);
    if (end == std::string_view::npos || m_text[end] != '}') return {};
    m_at = end + 1;
    return m_text.substr(begin, end - begin);
  }

  Result atom() {
    if (!count()) return {};
    const char c = peek();
    if (c == '{') return group();
    if (c == '~') {
      ++m_at;
      return mathsSymbol(" ");
    }
    if (c == '%' || c == '#' || c == '$' || c == '^' || c == '_' || c == '"' || c == '`') return {};
    if (c != '\\') {
      const ShownCharacter shown = shownCharacter(m_text, m_at);
      if (shown.replaced) return {};
      return mathsCharacter(character());
    }
    ++m_at;
    return command(command());
  }

  Result command(std::string_view name) {
    if (name.empty()) return {};
    if (name == "frac" || name == "dfrac" || name == "tfrac" || name == "cfrac") return fraction(name, true);
    if (name == "binom" || name == "dbinom" || name == "tbinom") return binomial(name);
    if (name == "sqrt") return root();
    if (name == "left") return fenced();
    if (name == "middle") return delimiter(1.2, MathsAtom::kRelation);
    if (name == "begin") return environment();
    if (name == "operatorname") return operatorName();
    if (name == "overline" || name == "underline") return over(MathsKind::kLine, name);
    if (name == "overbrace" || name == "underbrace") return over(MathsKind::kBrace, name);
    if (name == "overset" || name == "stackrel" || name == "underset") return stack(name);
    if (name == "substack") return substack();
    if (name == "boxed") return wrapped(MathsKind::kBox);
    if (name == "not") return negated();
    if (name == "tag") return tag();
    if (name == "pmod") return modulo();
    if (name == "bmod" || name == "mod") return word("mod", MathsAtom::kBinary);
    if (name == "displaystyle") return nodeOf(MathsKind::kDisplay);
    if (name == "textstyle") return nodeOf(MathsKind::kInText);
    if (name == "label") return rawGroup() ? Result(emptyRow()) : Result();
    if (name == "nonumber" || name == "notag" || name == "hline") return emptyRow();
    if (const std::string_view mark = mathsAccent(name); !mark.empty()) {
      Result accented = wrapped(MathsKind::kAccent);
      if (accented) accented->text = mark;
      return accented;
    }
    if (const auto letters = kLetters.find(name); letters != kLetters.end()) {
      Result node = argument();
      if (node) setLetters(*node, letters->second);
      return node;
    }
    if (const auto letters = kTexts.find(name); letters != kTexts.end()) return text(letters->second);
    if (Result big = bigDelimiter(name)) return big;
    return mathsSymbol(name);
  }

  Result word(std::string_view text, MathsAtom atom) {
    MathsNode node = nodeOf(MathsKind::kSymbol, atom);
    node.text = text;
    node.letters = MathsLetters::kText;
    return node;
  }

  Result wrapped(MathsKind kind) {
    Result inner = argument();
    if (!inner) return {};
    MathsNode node = nodeOf(kind);
    node.children.push_back(std::move(*inner));
    return node;
  }

  Result fraction(std::string_view name, bool line) {
    Result above = argument();
    if (!above) return {};
    Result below = argument();
    if (!below) return {};
    MathsNode node = nodeOf(MathsKind::kFraction, MathsAtom::kInner);
    node.line = line;
    node.style = name.starts_with("d") || name.starts_with("c") ? 0 : name.starts_with("t") ? 1 : -1;
    node.children.push_back(std::move(*above));
    node.children.push_back(std::move(*below));
    return node;
  }

  Result binomial(std::string_view name) {
    Result inner = fraction(name, false);
    if (!inner) return {};
    if (name == "binom") inner->style = -1;
    return between("(", std::move(*inner), ")");
  }

  Result between(std::string_view left, MathsNode inner, std::string_view right) {
    MathsNode node = nodeOf(MathsKind::kFence, MathsAtom::kInner);
    node.text = left;
    node.right = right;
    node.children.push_back(std::move(inner));
    return node;
  }

  Result root() {
    MathsNode node = nodeOf(MathsKind::kRoot);
    Result index = emptyRow();
    skipSpace();
    if (accept("[")) {
      index = row(End::kBracket);
      if (!index || !accept("]")) return {};
    }
    Result inner = argument();
    if (!inner) return {};
    node.children.push_back(std::move(*inner));
    node.children.push_back(std::move(*index));
    return node;
  }

  std::optional<std::string_view> fenceToken() {
    skipSpace();
    if (atEnd()) return {};
    const std::size_t begin = m_at;
    if (accept("\\"))
      command();
    else
      character();
    return mathsFence(m_text.substr(begin, m_at - begin));
  }

  Result fenced() {
    const auto left = fenceToken();
    if (!left) return {};
    Result inner = row(End::kRight);
    if (!inner || !accept("\\right")) return {};
    const auto right = fenceToken();
    if (!right) return {};
    return between(*left, std::move(*inner), *right);
  }

  Result delimiter(double em, MathsAtom atom) {
    const auto token = fenceToken();
    if (!token) return {};
    MathsNode node = nodeOf(MathsKind::kBigFence, atom);
    node.text = *token;
    node.em = em;
    return node;
  }

  Result bigDelimiter(std::string_view name) {
    MathsAtom atom = MathsAtom::kOrdinary;
    std::string_view base = name;
    const char last = name.back();
    if (!kBigFences.contains(name) && (last == 'l' || last == 'r' || last == 'm')) {
      atom = last == 'l' ? MathsAtom::kOpen : last == 'r' ? MathsAtom::kClose : MathsAtom::kRelation;
      base.remove_suffix(1);
    }
    const auto found = kBigFences.find(base);
    return found == kBigFences.end() ? Result() : delimiter(found->second, atom);
  }

  Result over(MathsKind kind, std::string_view name) {
    Result node = wrapped(kind);
    if (!node) return {};
    node->text = name.starts_with("over") ? "over" : "under";
    node->limits = kind == MathsKind::kBrace;  // its script is its label
    if (kind == MathsKind::kBrace) node->atom = MathsAtom::kOperator;
    return node;
  }

  Result stack(std::string_view name) {
    Result small = argument();
    if (!small) return {};
    Result base = argument();
    if (!base) return {};
    MathsNode node = nodeOf(MathsKind::kStack, base->atom);
    if (base->kind == MathsKind::kRow && base->children.size() == 1) node.atom = base->children[0].atom;
    node.limits = name == "underset";
    node.children.push_back(std::move(*base));
    node.children.push_back(std::move(*small));
    return node;
  }

  Result substack() {
    skipSpace();
    if (!accept("{")) return {};
    MathsNode node = nodeOf(MathsKind::kTable);
    node.aligns = "c";
    if (!cells(node, End::kBrace) || !accept("}")) return {};
    return node;
  }

  Result negated() {
    Result node = argument();
    if (!node || node->kind != MathsKind::kSymbol) return {};
    node->text = node->text == "∈" ? "∉" : node->text == "=" ? "≠" : node->text + "\u0338";
    return node;
  }

  Result text(MathsLetters letters) {
    skipSpace();
    if (!accept("{")) return {};
    MathsNode node = nodeOf(MathsKind::kSymbol);
    node.letters = letters;
    while (!atEnd() && peek() != '}') {
      const char c = peek();
      if (c == '{' || c == '$') return {};
      if (c == '\\') {
        ++m_at;
        const std::string_view name = command();
        if (name.size() != 1 || std::string_view("%$&#_{} ").find(name) == std::string_view::npos) return {};
        node.text += name;
        continue;
      }
      if (shownCharacter(m_text, m_at).replaced) return {};
      const std::string_view next = character();
      node.text += c == '~' || isSpace(c) ? " " : next;
    }
    if (!accept("}")) return {};
    return node;
  }

  Result operatorName() {
    const bool limits = accept("*");
    const auto name = rawGroup();
    if (!name || name->empty()) return {};
    Result node = word(*name, MathsAtom::kOperator);
    node->limits = limits;
    return node;
  }

  Result tag() {
    accept("*");
    const auto raw = rawGroup();
    if (!raw) return {};
    MathsNode node;
    node.children.push_back(*mathsSymbol("qquad"));
    node.children.push_back(*word("(" + std::string(*raw) + ")", MathsAtom::kOrdinary));
    return node;
  }

  Result modulo() {
    Result inner = argument();
    if (!inner) return {};
    MathsNode node;
    node.children.push_back(*mathsSymbol("quad"));
    node.children.push_back(*word("(mod", MathsAtom::kOrdinary));
    node.children.push_back(*mathsSymbol(";"));
    node.children.push_back(std::move(*inner));
    node.children.push_back(mathsCharacter(")"));
    return node;
  }

  bool rowEnd() {
    if (!accept("\\\\") && !accept("\\cr") && !accept("\\newline")) return false;
    accept("*");
    const std::size_t at = m_at;  // \\[2pt]: the space is ours to choose
    if (accept("[")) {
      const std::size_t end = m_text.find(']', m_at);
      const bool isLength = end != std::string_view::npos && end - m_at < 10 &&
                            m_text.substr(m_at, end - m_at).find_first_not_of("0123456789.-ptemxcih ") ==
                                std::string_view::npos;
      m_at = isLength ? end + 1 : at;
    }
    return true;
  }

  bool cells(MathsNode& table, End end) {
    if (++m_depth > kMaxMathsDepth) return false;
    std::vector<std::vector<MathsNode>> rows(1);
    while (true) {
      Result cell = row(end);
      if (!cell || !count()) return false;
      rows.back().push_back(std::move(*cell));
      if (accept("&")) continue;
      if (!rowEnd()) break;
      rows.emplace_back();
    }
    if (end == End::kText && !atEnd()) return false;
    // A row's end after the last row begins none.
    if (rows.size() > 1 && rows.back().size() == 1 && isEmpty(rows.back().front())) rows.pop_back();
    for (const auto& row : rows) table.columns = std::max(table.columns, row.size());
    if (table.columns * rows.size() > static_cast<std::size_t>(kMaxMathsNodes)) return false;
    for (auto& row : rows) {
      row.resize(table.columns);
      for (MathsNode& cell : row) table.children.push_back(std::move(cell));
    }
    --m_depth;
    return true;
  }

  Result environment() {
    const auto name = rawGroup();
    if (!name) return {};
    const auto found = kEnvironments.find(*name);
    if (found == kEnvironments.end()) return {};
    const Environment& kind = found->second;
    MathsNode table = nodeOf(MathsKind::kTable, MathsAtom::kInner);
    table.aligns = kind.aligns;
    table.paired = kind.paired;
    if (*name == "array") {
      const auto aligns = rawGroup();
      if (!aligns) return {};
      table.aligns.clear();
      std::ranges::copy_if(*aligns, std::back_inserter(table.aligns),
                           [](char c) { return c == 'l' || c == 'c' || c == 'r'; });
      const bool isKnown = aligns->find_first_not_of("lcr| ") == std::string_view::npos;
      if (!isKnown || table.aligns.empty()) return {};
    }
    if (!cells(table, End::kEnvironment) || !accept("\\end")) return {};
    if (rawGroup() != name) return {};
    if (kind.left.empty() && kind.right.empty()) return table;
    return between(kind.left, std::move(table), kind.right);
  }

  const std::string_view m_text;
  std::size_t m_at = 0;
  int m_depth = 0, m_nodes = 0;
};

}  // namespace

std::string_view withoutDelimiters(std::string_view formula) {
  for (const auto& [begin, end] : std::to_array<std::pair<std::string_view, std::string_view>>(
           {{"\\(", "\\)"}, {"\\[", "\\]"}, {"$$", "$$"}, {"$", "$"}}))
    if (formula.size() >= begin.size() + end.size() && formula.starts_with(begin) && formula.ends_with(end))
      return formula.substr(begin.size(), formula.size() - begin.size() - end.size());
  return formula;
}

std::optional<MathsNode> parseMaths(std::string_view formula) {
  if (formula.size() > kMaxMathsBytes) return {};
  return MathsParser(withoutDelimiters(formula)).parse();
}

}  // namespace vitrine

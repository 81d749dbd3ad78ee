#include "lessons/lesson_links.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace vitrine {
namespace {

constexpr std::size_t kLongestFormula = 500;
constexpr int kDeepestParentheses = 32;  // of an address

bool isBlank(char c) { return c == ' ' || c == '\t'; }
bool isSpace(char c) { return isBlank(c) || c == '\n'; }
bool isAscii(char c, int (*kind)(int)) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && kind(byte) != 0;
}
bool isPunctuation(char c) { return isAscii(c, std::ispunct); }

std::size_t runLength(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(text[at], at), text.size()) - at;
}

// The words of a link as a person reads them.
std::string plainWords(std::string_view text) {
  std::string words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && isPunctuation(text[i + 1])) {
      words += text[++i];
    } else if (isSpace(c)) {
      if (!words.empty() && words.back() != ' ') words += ' ';
    } else if (c == '_') {
      const bool within = i > 0 && i + 1 < text.size() && isAscii(text[i - 1], std::isalnum) &&
                          isAscii(text[i + 1], std::isalnum);
      if (within) words += c;  // snake_case
    } else if (c != '*' && c != '`') {
      words += c;
    }
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

// Goes through a text once. Brackets that are open wait on a stack, as in CommonMark's own algorithm.
class LinkScanner {
 public:
  explicit LinkScanner(std::string_view text) : m_text(text) {}

  std::vector<LinkInText> scan() {
    while (m_at < m_text.size()) take();
    return std::move(m_links);
  }

 private:
  struct Opener {
    std::size_t at = 0;
    bool image = false;
  };

  char at(std::size_t place) const { return place < m_text.size() ? m_text[place] : '\0'; }

  void take() {
    switch (m_text[m_at]) {
      case '\\':
        m_at += isPunctuation(at(m_at + 1)) ? 2 : 1;
        break;
      case '\n':
        takeLineEnd();
        break;
      case '`':
        takeCode();
        break;
      case '$':
        takeFormula();
        break;
      case '<':
        takeBare();
        break;
      case '!':
        if (at(m_at + 1) == '[') m_openers.push_back({++m_at, true});
        ++m_at;
        break;
      case '[':
        m_openers.push_back({m_at++, false});
        break;
      case ']':
        takeClose();
        break;
      default:
        ++m_at;
    }
  }

  // A link does not go on behind an empty line.
  void takeLineEnd() {
    if (endOfParagraph(m_at)) m_openers.clear();
    m_line = ++m_at;
  }
  bool endOfParagraph(std::size_t lineEnd) const {
    const std::size_t next = m_text.find_first_not_of(" \t", lineEnd + 1);
    return next == std::string_view::npos || m_text[next] == '\n';
  }

  void takeCode() {
    const std::size_t length = runLength(m_text, m_at);
    std::size_t place = m_at + length;
    m_at = place;  // where nothing closes it, the marks are text
    while (place < m_text.size()) {
      place = m_text.find_first_of("`\n", place);
      if (place == std::string_view::npos) return;
      if (m_text[place] == '\n') {
        if (endOfParagraph(place)) return;
        ++place;
        continue;
      }
      const std::size_t run = runLength(m_text, place);
      place += run;
      if (run == length) {
        m_at = place;
        return;
      }
    }
  }

  // $x$ and $$x$$. Prices are no formula: a blank stands behind the first mark or before the second.
  void takeFormula() {
    const std::size_t length = at(m_at + 1) == '$' ? 2 : 1, begin = m_at + length;
    const std::string_view mark = m_text.substr(m_at, length);
    m_at = begin;
    if (length == 1 && isSpace(at(begin))) return;
    std::string_view within = m_text.substr(begin, kLongestFormula);
    within = within.substr(0, std::min(within.find("]("), within.find("\n\n")));
    for (std::size_t end = within.find(mark, 1); end != std::string_view::npos;
         end = within.find(mark, end + 1)) {
      const char before = within[end - 1];
      if (before == '\\' || (length == 1 && isSpace(before))) continue;
      if (length == 1 && isAscii(at(begin + end + 1), std::isdigit)) continue;
      m_at = begin + end + length;
      return;
    }
  }

  // <https://arxiv.org/abs/2309.06180>
  void takeBare() {
    const std::size_t begin = m_at++;
    const std::size_t end = m_text.find_first_of(" \t\n<>", begin + 1);
    if (at(end) != '>') return;
    const std::string_view address = m_text.substr(begin + 1, end - begin - 1);
    const std::size_t colon = address.find(':');
    if (colon == std::string_view::npos || colon < 2 || colon > 32 || !isAscii(address[0], std::isalpha) ||
        !std::ranges::all_of(address.substr(0, colon), [](char c) {
          return isAscii(c, std::isalnum) || c == '+' || c == '.' || c == '-';
        }))
      return;
    m_links.push_back({LinkForm::kBare, begin, end + 1, std::string(address), std::string(address)});
    m_at = end + 1;
  }

  void takeClose() {
    const std::size_t close = m_at++;
    if (m_openers.empty()) return;
    const Opener opener = m_openers.back();
    m_openers.pop_back();
    const std::string words = plainWords(m_text.substr(opener.at + 1, close - opener.at - 1));
    if (at(m_at) == ':' && beginsLine(opener.at)) {
      takeDefinition(opener.at, words);
      return;
    }
    if (at(m_at) != '(') return;
    const auto link = inlineLink(m_at + 1);
    if (!link) return;
    m_at = link->end;
    if (opener.image) return;
    m_openers.clear();  // a link holds no other link
    m_links.push_back({LinkForm::kInline, opener.at, link->end, words, link->address});
  }

  bool beginsLine(std::size_t place) const {
    return place >= m_line && place - m_line < 4 && m_text.find_first_not_of(' ', m_line) == place;
  }

  void takeDefinition(std::size_t begin, const std::string& words) {
    const std::size_t address = m_text.find_first_not_of(" \t", m_at + 1);
    if (address == std::string_view::npos || m_text[address] == '\n') return;
    m_at = std::min(m_text.find_first_of(" \t\n", address), m_text.size());
    std::string_view written = m_text.substr(address, m_at - address);
    if (written.starts_with('<') && written.ends_with('>') && written.size() > 2)
      written = written.substr(1, written.size() - 2);
    m_links.push_back({LinkForm::kDefinition, begin, m_at, words, std::string(written)});
  }

  struct Address {
    std::string address;
    std::size_t end = 0;  // behind the closing parenthesis
  };

  std::size_t skipSpace(std::size_t place) const {
    while (place < m_text.size() && isSpace(m_text[place])) ++place;
    return place;
  }

  // From behind the parenthesis that opens.
  std::optional<Address> inlineLink(std::size_t place) const {
    place = skipSpace(place);
    Address found;
    if (at(place) == '<') {
      const std::size_t end = m_text.find_first_of("<>\n", place + 1);
      if (at(end) != '>') return std::nullopt;
      found.address = m_text.substr(place + 1, end - place - 1);
      place = end + 1;
    } else {
      const std::size_t end = endOfAddress(place);
      if (end == std::string_view::npos) return std::nullopt;
      found.address = m_text.substr(place, end - place);
      place = end;
    }
    const std::size_t title = skipSpace(place);
    if (title > place && (at(title) == '"' || at(title) == '\'')) {
      const std::size_t end = m_text.find(m_text[title], title + 1);
      if (end == std::string_view::npos) return std::nullopt;
      place = end + 1;
    }
    place = skipSpace(place);
    if (at(place) != ')') return std::nullopt;
    found.end = place + 1;
    return found;
  }

  // Parentheses within an address stand in pairs.
  std::size_t endOfAddress(std::size_t place) const {
    int depth = 0;
    for (; place < m_text.size() && !isSpace(m_text[place]); ++place) {
      const char c = m_text[place];
      if (c == '\\' && isPunctuation(at(place + 1))) {
        ++place;
      } else if (c == '(') {
        if (++depth > kDeepestParentheses) return std::string_view::npos;
      } else if (c == ')' && --depth < 0) {
        return place;
      }
    }
    return depth == 0 ? std::min(place, m_text.size()) : std::string_view::npos;
  }

  std::string_view m_text;
  std::size_t m_at = 0, m_line = 0;  // m_line: where its line begins, but for code and links before it
  std::vector<Opener> m_openers;
  std::vector<LinkInText> m_links;
};

bool isListItem(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return false;
  std::size_t mark = first;
  while (mark < line.size() && isAscii(line[mark], std::isdigit)) ++mark;
  const bool numbered = mark > first && mark < line.size() && (line[mark] == '.' || line[mark] == ')');
  const bool marked = mark == first && std::string_view("-*+").find(line[first]) != std::string_view::npos;
  return (numbered || marked) && mark + 1 < line.size() && isBlank(line[mark + 1]);
}

}  // namespace

bool CodeFence::takes(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  const bool marked = first != std::string_view::npos && (line[first] == '`' || line[first] == '~');
  const std::size_t length = marked ? runLength(line, first) : 0;
  if (m_mark != 0) {
    const bool closes = marked && line[first] == m_mark && length >= m_length &&
                        line.find_first_not_of(" \t", first + length) == std::string_view::npos;
    if (closes) m_mark = 0;
    return true;
  }
  if (length < 3) return false;
  if (line[first] == '`' && line.find('`', first + length) != std::string_view::npos) return false;
  m_mark = line[first];
  m_length = length;
  return true;
}

std::string withoutCodeBlocks(std::string_view text) {
  std::string rest;
  CodeFence fence;
  bool afterEmpty = true, inList = false, inCode = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const bool empty = line.find_first_not_of(" \t") == std::string_view::npos;
    const bool indented = line.starts_with("    ") || line.starts_with('\t');
    if (isListItem(line)) inList = inList || !indented;
    if (!empty && !indented && !line.starts_with("  ") && !isListItem(line) && afterEmpty) inList = false;
    inCode = !empty && indented && !inList && (afterEmpty || inCode);
    if (!fence.takes(line) && !inCode) rest += line;
    if (end < text.size()) rest += '\n';
    afterEmpty = empty;
    begin = end + 1;
  }
  return rest;
}

std::vector<LinkInText> linksIn(std::string_view text) { return LinkScanner(text).scan(); }

std::string withoutLinks(std::string_view text, WebAddresses web) {
  std::string out;
  CodeFence fence;
  std::string open;  // lines outside of code, up to the next code
  const auto close = [&] {
    std::size_t from = 0;
    for (const LinkInText& link : linksIn(open)) {
      if (link.form == LinkForm::kDefinition) continue;
      out.append(open, from, link.begin - from).append(link.words);
      const bool told = web == WebAddresses::kTold && link.address.starts_with("http");
      if (told && link.form == LinkForm::kInline) out.append(" (").append(link.address).append(")");
      from = link.end;
    }
    out.append(open, from);
    open.clear();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    const bool code = fence.takes(line.substr(0, line.find('\n')));
    if (code) {
      close();
      out += line;
    } else {
      open += line;
    }
    begin = end;
  }
  close();
  return out;
}

}  // namespace vitrine

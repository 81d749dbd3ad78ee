#include "widgets/markdown/html_writer.h"

#include <algorithm>

#include "widgets/markdown/html_escape.h"
#include "widgets/markdown/mathml_writer.h"
#include "widgets/markdown/maths_parser.h"
#include "widgets/markdown/maths_spans.h"

namespace vitrine {
namespace {

constexpr int kPageHeadings = 2;        // levels of the page around the message
constexpr std::size_t kShortCell = 24;  // bytes of UTF-8: a wide letter has three

// A browser may begin a line within a word: behind a hyphen, and at any letter of Chinese, whose first byte
// is above 0xe2.
bool breaksInWords(const std::string& text) {
  return std::ranges::any_of(
      text, [](char byte) { return byte == '-' || static_cast<unsigned char>(byte) >= 0xe2; });
}

// The classes of a table's cell. A name as qwen3-0.6b is not broken at its hyphens, and a sentence is no
// column of words: the table scrolls.
std::string classesOf(const Block& cell, bool isHeading) {
  static constexpr const char* kAligns[] = {"", "left", "center", "right"};
  std::string classes = kAligns[static_cast<std::size_t>(cell.align)];
  const bool breaks = breaksInWords(cell.text) || (!isHeading && cell.text.find(' ') != std::string::npos);
  const char* const width = cell.text.size() > kShortCell ? "long" : breaks ? "short" : "";
  if (!classes.empty() && *width != '\0') classes += ' ';
  return classes + width;
}

class HtmlWriter {
 public:
  HtmlWriter(const std::vector<Block>& blocks, const std::string& anchors, CodeHighlighter& highlighter)
      : m_blocks(blocks), m_anchors(anchors), m_highlighter(highlighter) {}

  std::string write() {
    for (std::size_t i = 0; i < m_blocks.size();) {
      const Block& block = m_blocks[i];
      stand(block);
      if (block.kind == BlockKind::kCodeLine)
        i = code(i);
      else if (block.kind == BlockKind::kTableCell)
        i = table(i);
      else if (block.kind == BlockKind::kPlain)
        i = plain(i);
      else
        paragraph(m_blocks[i++]);
    }
    closeLists(0);
    for (; m_quotes > 0; --m_quotes) m_html += "</blockquote>\n";
    return std::move(m_html);
  }

 private:
  static bool isMarked(const Block& block) {
    return !block.runs.empty() && (block.runs.front().style & kMarker);
  }
  static std::string markerOf(const Block& block) {
    const Run& run = block.runs.front();
    return block.text.substr(run.begin, run.end - run.begin);
  }

  void closeLists(std::size_t depth) {
    for (; m_lists.size() > depth; m_lists.pop_back())
      m_html += m_lists.back() ? "</li></ol>\n" : "</li></ul>\n";
  }

  // Opens and closes quotes and lists, so that the block can stand where it does.
  void stand(const Block& block) {
    if (block.quoteDepth != m_quotes) closeLists(0);
    for (; m_quotes < block.quoteDepth; ++m_quotes) m_html += "<blockquote>\n";
    for (; m_quotes > block.quoteDepth; --m_quotes) m_html += "</blockquote>\n";
    closeLists(block.listDepth);
    const bool marked = isMarked(block);
    const std::string marker = marked ? markerOf(block) : std::string();
    const bool isNumber = marked && marker.front() >= '0' && marker.front() <= '9';
    const bool isSame = m_lists.size() == block.listDepth && !m_lists.empty() && m_lists.back() == isNumber;
    const std::string item = isNumber ? "<li value=\"" + marker.substr(0, marker.find_first_of(".)")) + "\">"
                             : marker.starts_with("•") || marker.starts_with("◦") || marker.starts_with("▪")
                                 ? "<li>"
                                 : "<li class=\"bare\">";
    if (marked && isSame) {
      m_html += "</li>\n" + item;
      return;
    }
    if (marked && m_lists.size() == block.listDepth) closeLists(m_lists.size() - 1);
    while (m_lists.size() < block.listDepth) {
      const bool isLast = m_lists.size() + 1 == block.listDepth;
      const bool numbered = isLast && isNumber;
      m_html += numbered ? "<ol>" : "<ul>";
      m_html += isLast && marked ? item : "<li class=\"bare\">";
      m_lists.push_back(numbered);
    }
  }

  void paragraph(const Block& block) {
    if (block.kind == BlockKind::kRule) {
      m_html += "<hr>\n";
      return;
    }
    const bool isHeading = block.kind == BlockKind::kHeading;
    const std::string tag = isHeading ? "h" + std::to_string(std::min(block.level + kPageHeadings, 6)) : "p";
    m_html += "<" + tag + (block.spaced || isHeading ? "" : " class=\"tight\"") + " dir=\"auto\">";
    line(block);
    m_html += "</" + tag + ">\n";
  }

  void line(const Block& block) {
    for (const Run& run : block.runs) this->run(block, run);
  }

  void run(const Block& block, const Run& run) {
    std::string text = block.text.substr(run.begin, run.end - run.begin);
    if (run.style & kMarker) {
      if (text.starts_with("☐") || text.starts_with("☑")) m_html += text.substr(0, text.find('\t')) + " ";
      return;
    }
    if (run.formula >= 0) {
      const std::string& formula = block.formulas[static_cast<std::size_t>(run.formula)];
      const auto tree = parseMaths(formula);
      m_html += tree ? mathml(*tree, isDisplayMaths(formula)) : htmlEscaped(formula);
      return;
    }
    if (run.footnote >= 0) return note(block.footnotes[static_cast<std::size_t>(run.footnote)]);
    text = htmlEscaped(text);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5)
      text.replace(at, 1, "<br>\n");
    const auto wrap = [&text](bool is, const char* open, const char* close) {
      if (is) text = open + text + close;
    };
    wrap(run.style & kCode, "<code>", "</code>");
    wrap(run.style & kReplaced, "<span class=\"mark\">", "</span>");
    wrap(run.style & kAside, "<span class=\"aside\">", "</span>");
    wrap(run.style & kStrike, "<del>", "</del>");
    wrap(run.style & kEmphasis, "<em>", "</em>");
    wrap(run.style & kStrong, "<strong>", "</strong>");
    if (run.link >= 0)
      text = "<a rel=\"noreferrer\" href=\"" + htmlEscaped(block.links[static_cast<std::size_t>(run.link)]) +
             "\">" + text + "</a>";
    m_html += text;
  }

  // A reference leads to its note, and the note to its first reference.
  void note(const Footnote& footnote) {
    const std::string number = std::to_string(footnote.number);
    const std::string ofNote = m_anchors + "-note-" + number, ofMark = m_anchors + "-mark-" + number;
    const bool isNote = footnote.reference == 0;
    const std::string again = footnote.reference > 1 ? "-" + std::to_string(footnote.reference) : "";
    m_html += "<sup><a id=\"" + (isNote ? ofNote : ofMark + again) + "\" href=\"#" +
              (isNote ? ofMark : ofNote) + "\">" + number + "</a></sup>";
  }

  std::size_t code(std::size_t index) {
    const Block& first = m_blocks[index];
    m_html += "<figure>";
    if (!first.language.empty()) m_html += "<figcaption>" + htmlEscaped(first.language) + "</figcaption>";
    m_html += "<pre><code>";
    CodeHighlighter::StatePtr state;
    std::size_t i = index;
    for (; i < m_blocks.size() && m_blocks[i].kind == BlockKind::kCodeLine; ++i) {
      const Block& block = m_blocks[i];
      const bool begins = block.line == 0 && !block.continues;
      if (begins && i > index) break;
      if (i > index && !block.continues) m_html += '\n';
      codeLine(block, state);
    }
    m_html += "</code></pre></figure>\n";
    return i;
  }

  void codeLine(const Block& block, CodeHighlighter::StatePtr& state) {
    const std::string_view text = block.text;
    std::size_t at = 0;
    if (block.codeOffset <= kMaxHighlightedCode && !block.continues && text.size() <= kMaxHighlightedLine) {
      CodeHighlighter::Line line = m_highlighter.highlight(block.language, block.text, state);
      state = std::move(line.after);
      for (const CodeSpan& span : line.spans) {
        if (span.begin < at || span.end <= span.begin) continue;
        m_html += htmlEscaped(text.substr(at, span.begin - at)) + "<span class=\"k" +
                  std::to_string(static_cast<int>(span.part)) + "\">" +
                  htmlEscaped(text.substr(span.begin, span.end - span.begin)) + "</span>";
        at = span.end;
      }
    }
    m_html += htmlEscaped(text.substr(at));
  }

  std::size_t table(std::size_t index) {
    m_html += "<div class=\"wide\"><table>\n";
    std::size_t i = index;
    for (; i < m_blocks.size() && m_blocks[i].kind == BlockKind::kTableCell; ++i) {
      const Block& cell = m_blocks[i];
      if (i > index && cell.row == 0 && cell.column == 0) break;
      if (cell.column == 0) m_html += cell.row == 0 ? "<tr>" : "</tr>\n<tr>";
      const std::string tag = cell.row == 0 ? "th" : "td";
      const std::string classes = classesOf(cell, cell.row == 0);
      m_html += "<" + tag + (classes.empty() ? "" : " class=\"" + classes + '"') + " dir=\"auto\">";
      line(cell);
      m_html += "</" + tag + ">";
    }
    m_html += "</tr>\n</table></div>\n";
    return i;
  }

  // Lines as they stand; a bound was exceeded.
  std::size_t plain(std::size_t index) {
    m_html += "<div class=\"plain\" dir=\"auto\">";
    std::size_t i = index;
    for (; i < m_blocks.size() && m_blocks[i].kind == BlockKind::kPlain; ++i) {
      if (i > index && !m_blocks[i].continues) m_html += '\n';
      m_html += htmlEscaped(m_blocks[i].text);
    }
    m_html += "</div>\n";
    return i;
  }

  const std::vector<Block>& m_blocks;
  const std::string& m_anchors;
  CodeHighlighter& m_highlighter;
  std::string m_html;
  std::uint8_t m_quotes = 0;
  std::vector<bool> m_lists;  // numbered?
};

}  // namespace

std::string markdownHtml(const std::vector<Block>& blocks, const std::string& anchors,
                         CodeHighlighter& highlighter) {
  return HtmlWriter(blocks, anchors, highlighter).write();
}

}  // namespace vitrine

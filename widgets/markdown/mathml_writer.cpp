#include "widgets/markdown/mathml_writer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "widgets/markdown/html_escape.h"
#include "widgets/markdown/maths_letters.h"
#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

std::string element(const char* tag, const std::string& inner, const std::string& attributes = {}) {
  return std::string("<") + tag + (attributes.empty() ? "" : " " + attributes) + ">" + inner + "</" + tag +
         ">";
}

// "0.2778em"; not as the locale has it.
std::string ems(double em) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), em, std::chars_format::fixed, 4).ptr;
  return std::string(text.data(), end) + "em";
}

std::string row(const std::vector<MathsNode>& nodes, std::size_t begin);

std::string markup(const MathsNode& node);

bool isNumber(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; });
}

// Of several letters a browser makes no mathematical ones, so those of the alphabet are written.
std::string lettersOf(const MathsNode& node) {
  std::string shown;
  for (std::size_t at = 0; at < node.text.size();) {
    const ShownCharacter character = shownCharacter(node.text, at);
    appendUtf8(shown, mathsLetter(character.code, node.letters));
    at += character.sourceBytes;
  }
  return htmlEscaped(shown);
}

std::string symbol(const MathsNode& node) {
  const std::string text = lettersOf(node);
  if (node.letters == MathsLetters::kText) return element("mtext", text);
  const bool isLetters =
      node.atom == MathsAtom::kOrdinary || (node.atom == MathsAtom::kOperator && !node.big);
  if (isLetters && isNumber(node.text)) return element("mn", text);
  const std::string fonts = node.letters == MathsLetters::kSans    ? " style=\"font-family:sans-serif\""
                            : node.letters == MathsLetters::kFixed ? " style=\"font-family:monospace\""
                                                                   : "";
  if (isLetters) return element("mi", text, "mathvariant=\"normal\"" + fonts);
  const bool isFence = node.atom == MathsAtom::kOpen || node.atom == MathsAtom::kClose;
  return element("mo", text,
                 isFence    ? "stretchy=\"false\""
                 : node.big ? (node.limits ? "largeop=\"true\" movablelimits=\"true\"" : "largeop=\"true\"")
                            : "");
}

std::string scripts(const MathsNode& node) {
  const MathsNode &base = node.children[0], &below = node.children[1], &above = node.children[2];
  const bool under = !isEmpty(below), over = !isEmpty(above);
  const std::string inner =
      markup(base) + (under ? markup(below) : std::string()) + (over ? markup(above) : std::string());
  if (!under && !over) return inner;
  if (base.limits) return element(under && over ? "munderover" : under ? "munder" : "mover", inner);
  return element(under && over ? "msubsup" : under ? "msub" : "msup", inner);
}

std::string fraction(const MathsNode& node) {
  const std::string set = element("mfrac", markup(node.children[0]) + markup(node.children[1]),
                                  node.line ? "" : "linethickness=\"0\"");
  if (node.style < 0) return set;
  return element("mstyle", set, node.style == 0 ? "displaystyle=\"true\"" : "displaystyle=\"false\"");
}

std::string fence(const std::string& text, const char* form) {
  if (text.empty()) return {};
  return element("mo", htmlEscaped(shownText(text)),
                 std::string("form=\"") + form + "\" fence=\"true\" stretchy=\"true\"");
}

// Over or under the child, as wide as it.
std::string brace(const MathsNode& node) {
  const bool isOver = node.text == "over";
  return element(isOver ? "mover" : "munder",
                 markup(node.children[0]) + element("mo", isOver ? "⏞" : "⏟", "stretchy=\"true\""));
}

// A border, since Chromium stretches no character to a line, whatever the font.
std::string line(const MathsNode& node) {
  return element("mrow", markup(node.children[0]),
                 node.text == "over" ? "style=\"border-top:0.06em solid;padding-top:0.1em\""
                                     : "style=\"border-bottom:0.06em solid;padding-bottom:0.1em\"");
}

// In one box, on which the page's style draws the sign (markdown_page.cpp).
std::string root(const MathsNode& node) {
  const std::string inner = element("mrow", markup(node.children[0]));
  return isEmpty(node.children[1]) ? element("msqrt", inner)
                                   : element("mroot", inner + markup(node.children[1]));
}

std::string table(const MathsNode& node) {
  const std::size_t columns = std::max<std::size_t>(node.columns, 1);
  std::string rows;
  for (std::size_t i = 0; i < node.children.size(); i += columns) {
    std::string cells;
    for (std::size_t c = 0; c < columns && i + c < node.children.size(); ++c) {
      const char align = node.paired && node.aligns == "rl" ? (c % 2 == 0 ? (columns == 1 ? 'c' : 'r') : 'l')
                         : node.aligns.empty()              ? 'c'
                                               : node.aligns[std::min(c, node.aligns.size() - 1)];
      cells += element("mtd", markup(node.children[i + c]),
                       align == 'l'   ? "style=\"text-align:left\""
                       : align == 'r' ? "style=\"text-align:right\""
                                      : "");
    }
    rows += element("mtr", cells);
  }
  return element("mtable", rows, node.paired ? "displaystyle=\"true\"" : "");
}

std::string markup(const MathsNode& node) {
  switch (node.kind) {
    case MathsKind::kRow:
      return element("mrow", row(node.children, 0));
    case MathsKind::kSymbol:
      return symbol(node);
    case MathsKind::kSpace:
      return "<mspace width=\"" + ems(node.em) + "\"></mspace>";
    case MathsKind::kScripts:
      return scripts(node);
    case MathsKind::kFraction:
      return fraction(node);
    case MathsKind::kRoot:
      return root(node);
    case MathsKind::kFence:
      return element("mrow",
                     fence(node.text, "prefix") + markup(node.children[0]) + fence(node.right, "postfix"));
    case MathsKind::kBigFence:
      return element("mo", htmlEscaped(shownText(node.text)),
                     "stretchy=\"true\" minsize=\"" + ems(node.em) + "\" maxsize=\"" + ems(node.em) + "\"");
    case MathsKind::kAccent:
      return element("mover", markup(node.children[0]) + element("mo", htmlEscaped(shownText(node.text))),
                     "accent=\"true\"");
    case MathsKind::kLine:
      return line(node);
    case MathsKind::kBrace:
      return brace(node);
    case MathsKind::kStack:
      return element(node.limits ? "munder" : "mover", markup(node.children[0]) + markup(node.children[1]));
    case MathsKind::kTable:
      return table(node);
    case MathsKind::kBox:
      return element("mrow", markup(node.children[0]), "style=\"border:1px solid;padding:0.2em\"");
    case MathsKind::kDisplay:
    case MathsKind::kInText:
      break;
  }
  return {};
}

// A change of style holds for the rest of the row.
std::string row(const std::vector<MathsNode>& nodes, std::size_t begin) {
  std::string all;
  for (std::size_t i = begin; i < nodes.size(); ++i) {
    const MathsKind kind = nodes[i].kind;
    if (kind == MathsKind::kDisplay || kind == MathsKind::kInText)
      return all + element("mstyle", row(nodes, i + 1),
                           kind == MathsKind::kDisplay ? "displaystyle=\"true\"" : "displaystyle=\"false\"");
    all += markup(nodes[i]);
  }
  return all;
}

}  // namespace

std::string mathml(const MathsNode& formula, bool display) {
  return element("math", markup(formula), display ? "display=\"block\"" : "");
}

}  // namespace vitrine

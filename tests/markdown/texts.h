// Messages for the tests and the bench of Markdown: an ordinary answer, and texts made to explode.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace vitrine::test {

inline std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

// A little of everything that models write.
inline const std::string& ordinaryText() {
  static const std::string text =
      "# Paged *attention*\n\nThe cache is cut into **blocks**, as `malloc` would do it; see "
      "https://example.org/a_b.\n"
      "Second line  \nafter a hard break &amp; an entity.\n\n1. One\n2. Two\n\n   with a paragraph\n3. "
      "Three\n"
      "   ```python\n   def f(x):\n       return \"a\"  # why\n   ```\n\n- [ ] open\n- [x] done\n  - nested "
      "~~gone~~\n"
      "    1. deeper\n\n| name | value |\n|:--|--:|\n| `a` | 1 |\n| **b** | [link](https://example.org/x) "
      "|\n\n"
      "> quoted\n> > twice\n> still\n\n```c++\nint main() {\n  /* a comment\n     of two lines */\n  return "
      "0x1f;\n}\n"
      "```\n\nSetext\n======\n\n***\n\n    indented code\n\nÜber größe, 日本語 und 😀 emoji. "
      "![alt](https://e.org/p.png)\n"
      "<b>html</b> [bad](javascript:alert(1)) <https://auto.link/> www.example.org.\n";
  return text;
}

// About 100,000 characters, as a long answer has them: no two of its parts are the same.
inline std::string longAnswer() {
  std::string text;
  for (int i = 0; text.size() < 100000; ++i)
    text += "## Part " + std::to_string(i) + "\n\n" + ordinaryText() + "\n";
  return text;
}

// About 100,000 characters of which most are formulas, as an answer about mathematics has them.
inline std::string mathsAnswer() {
  std::string text;
  for (int i = 0; text.size() < 100000; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "## Part " + n + "\n\nLet $x_{" + n + "}$ be given with \\(\\alpha^2 + \\beta_{" + n +
        "} \\le \\frac{1}{2}\\).\n\n$$\\operatorname{softmax}(z_{" + n +
        "}) = \\frac{e^{z_i / T}}{\\sum_{j=1}^{n} e^{z_j / T}}$$\n\nThe scores are\n\n\\[\nA_{" + n +
        "} = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\sqrt{d_k}\n\\]\n\n- first, $QK^T$\n- then "
        "$\\mathbf{v}_{" +
        n + "} \\in \\mathbb{R}^d$\n\n| name | is |\n|---|---|\n| $\\mu$ | $\\int_0^1 f_{" + n +
        "}(x)\\,dx$ |\n\n";
  }
  return text;
}

struct HostileText {
  const char* name;
  std::string text;
};

inline std::string deepList(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += std::string(static_cast<std::size_t>(2 * i), ' ') + "- x\n";
  return text;
}

inline std::string tableOf(int rows, int columns) {
  const auto row = [columns](const std::string& cell) {
    std::string line = "|";
    for (int c = 0; c < columns; ++c) line += cell + "|";
    return line + "\n";
  };
  std::string text = row("h") + row("---");
  for (int r = 0; r < rows; ++r) text += row(std::to_string(r));
  return text;
}

// `size`: bytes of the large ones.
inline std::vector<HostileText> hostileTexts(std::size_t size) {
  std::vector<HostileText> all;
  const auto add = [&all](const char* name, std::string text) { all.push_back({name, std::move(text)}); };
  add("a list 10,000 deep on a line", repeated("- ", 20000) + "x\n");
  add("a list as deep as the size allows", deepList(static_cast<int>(std::sqrt(static_cast<double>(size)))));
  add("quotes 10,000 deep", repeated("> ", 20000) + "x\nlazy\n" + repeated("> > > > > > > > x\n", size / 4));
  add("a table of many rows", tableOf(static_cast<int>(size / 12), 3));
  add("a table of many columns", tableOf(20, 3000));
  add("a line", repeated("word ", size));
  add("a line without spaces", repeated("x", size));
  add("a fence that is not closed", "```cpp\n" + repeated("int x = f(\"a\"); // c\n", size));
  add("a line of code", "```js\n" + repeated("a.b(1);", size));
  add("an odd fence", repeated("```", size));
  add("a list of many items", repeated("- item **bold**\n", size));
  add("a loose list", repeated("1. item\n\n   text\n\n", size));
  add("stars", repeated("*", size));
  add("stars in lines", repeated(repeated("*a ", 3000) + "\n", size));
  add("brackets", repeated("[", size));
  add("brackets in lines", repeated(repeated("[a](", 3000) + "\n", size));
  add("backticks", repeated("x `` ` ", size));
  add("backticks in lines", repeated("x " + repeated("` `` ", 3000) + "\n", size));
  add("addresses", repeated("http://a.bc/d ", size));
  add("addresses in lines", repeated("http://a.bc/d www.x.yz\n", size));
  add("definitions", repeated("[a]: http://x\n", size));
  add("html", repeated("<div onclick='x'><script>alert(1)</script>\n", size));
  add("pictures", repeated("![a](http://x/p.png)\n", size));
  add("javascript links", repeated("[a](javascript:alert(1)) [b](data:text/html,x)\n", size));
  add("bidi overrides", repeated("a\u202Eb\u2066c\u2069\n\n", size));
  add("control characters", repeated(std::string("a\0\x01\x1b[31m\x7f\r\v\f\n", 13), size));
  add("invalid utf-8", repeated("\xff\xc0\x80 \xe2\x82 \xf4\x90\x80\x80\n", size));
  add("surrogates", repeated("\xed\xa0\x80\xed\xb0\x80 x\n", size));
  add("noncharacters", repeated("\xef\xb7\x90\xef\xb7\x91\xe2\x80\xa9\xef\xbf\xbc\n", size));
  add("paragraphs", repeated("a\n\n", size));
  add("rules", repeated("---\n", size));
  add("headings", repeated("# h\n", size));
  add("empty lines", repeated("\n", size));
  add("dollars", repeated("$", size));
  add("dollars in lines", repeated(repeated("$a ", 2000) + "$\n", size));
  add("prices and a dollar", repeated(repeated("$5 and ", 1000) + "x$\n", size));
  add("formulas that do not end", repeated(repeated("\\(a \\[b $$c ", 700) + "\n", size));
  add("formulas over lines", repeated("$$\n\\frac{a}{b}\n- c\n$$\n", size));
  add("nested fractions", repeated("$" + repeated("\\frac{", 900) + "$ ", size));
  add("tabs", repeated("\t-\tx\n", size));
  const auto counted = [size](const auto& unit) {
    std::string text;
    for (int i = 0; text.size() < size; ++i) text += unit(std::to_string(i), std::to_string(i + 1));
    return text;
  };
  add("footnotes", counted([](const std::string& n, const std::string&) {
        return "a[^" + n + "]\n\n[^" + n + "]: b\n\n";
      }));
  add("notes that lead to the next", "[^0]\n\n" + counted([](const std::string& n, const std::string& next) {
                                       return "[^" + n + "]: a[^" + next + "]\n";
                                     }) + "[^0]: b[^0]\n");
  add("references to a note", repeated("a[^1] b[^1]\n", size) + "\n[^1]: c[^1]\n");
  add("notes of a label", "[^1]\n\n" + repeated("[^1]: c\n\n", size));
  add("labels without an end", repeated("[^a", size));
  add("labels in labels", repeated(repeated("[^[^a]", 500) + repeated("]", 500) + "\n\n", size));
  const std::string label = "[^" + repeated("long-", 900) + "]";
  add("a long label", repeated("a" + label + "\n\n" + label + ": b\n\n", size));
  add("a note of many paragraphs", "a[^1]\n\n[^1]: b\n\n" + repeated("    c\n\n    - d\n\n", size));
  return all;
}

// A random text of pieces that mean something to Markdown, so that they meet in all ways.
inline std::string randomText(std::mt19937& random, int pieces) {
  static const std::vector<std::string> kPieces = {"a",
                                                   "word ",
                                                   " ",
                                                   "  ",
                                                   "    ",
                                                   "\t",
                                                   "\n",
                                                   "\n",
                                                   "\n\n",
                                                   "\r\n",
                                                   "\r",
                                                   "- ",
                                                   "* ",
                                                   "+ ",
                                                   "1. ",
                                                   "2) ",
                                                   "10. ",
                                                   "> ",
                                                   "# ",
                                                   "###### ",
                                                   "```",
                                                   "```py\n",
                                                   "~~~",
                                                   "~~~~\n",
                                                   "`",
                                                   "``",
                                                   "*",
                                                   "**",
                                                   "_",
                                                   "~~",
                                                   "[",
                                                   "]",
                                                   "](",
                                                   ")",
                                                   "![",
                                                   "<",
                                                   ">",
                                                   "http://a.b/c_d",
                                                   "www.x.yz",
                                                   "mailto:a@b",
                                                   "javascript:x",
                                                   "|",
                                                   "|a|b|\n|---|---|\n",
                                                   "|c|d|\n",
                                                   "---\n",
                                                   "===\n",
                                                   "***\n",
                                                   "[ ] ",
                                                   "[x] ",
                                                   "[^a]",
                                                   "[^B]",
                                                   "\n[^a]: ",
                                                   "\n\n[^b]: ",
                                                   "\n\n    ",
                                                   "&amp;",
                                                   "&#65;",
                                                   "&",
                                                   "\\",
                                                   "\\*",
                                                   "<b>",
                                                   "[r]: http://x\n",
                                                   "\u202E",
                                                   "é",
                                                   "日",
                                                   "😀",
                                                   std::string(1, '\0'),
                                                   "\x1b",
                                                   "\xff",
                                                   "\xe2\x82",
                                                   "\xed\xa0\x80",
                                                   "  \n",
                                                   "- [x] ",
                                                   "\n- ",
                                                   "\n1. ",
                                                   "\n> ",
                                                   "\n```\n",
                                                   "$",
                                                   "$",
                                                   "$$",
                                                   "$x_1$",
                                                   "\\(",
                                                   "\\)",
                                                   "\\[",
                                                   "\\]",
                                                   "\\frac{a}{b}",
                                                   "$$\n"};
  std::string text;
  std::uniform_int_distribution<std::size_t> any(0, kPieces.size() - 1);
  for (int i = 0; i < pieces; ++i) text += kPieces[any(random)];
  return text;
}

// The text cut at random places, in the middle of characters too.
inline std::vector<std::string> randomParts(std::mt19937& random, const std::string& text,
                                            std::size_t longest) {
  std::vector<std::string> parts;
  std::uniform_int_distribution<std::size_t> length(1, longest);
  for (std::size_t at = 0; at < text.size(); at += parts.back().size())
    parts.push_back(text.substr(at, length(random)));
  return parts;
}

}  // namespace vitrine::test

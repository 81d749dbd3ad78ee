#include "widgets/markdown/markdown_copy.h"

#include <algorithm>
#include <string_view>

namespace vitrine {
namespace {

// A bracket with a backslash could begin a formula, so it is an entity; a closing one matters in a link
// alone.
std::string escaped(std::string_view text, bool inLink) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || (inLink && c == ']')) {
      out += c == '[' ? "&#91;" : "&#93;";
      continue;
    }
    if (std::string_view("\\`*_<>&~|#$").find(c) != std::string_view::npos) out += '\\';
    out += c;
    if (c == '\n') out.insert(out.size() - 1, "\\");  // a hard break
  }
  return out;
}

// Code between more backticks than any in it.
std::string quotedCode(std::string_view code) {
  std::size_t longest = 0, length = 0;
  for (const char c : code) longest = std::max(longest, length = c == '`' ? length + 1 : 0);
  const std::string fence(longest + 1, '`');
  const bool touches = !code.empty() && (code.front() == '`' || code.back() == '`');
  const std::string space = touches ? " " : "";
  return fence + space + std::string(code) + space + fence;
}

std::string markedUp(const Block& block, const Run& run, std::string_view text) {
  if (run.formula >= 0) return block.formulas[static_cast<std::size_t>(run.formula)];
  if (run.footnote >= 0) return block.footnotes[static_cast<std::size_t>(run.footnote)].written;
  if (run.note != NoteMark::kNone && text.size() == run.end - run.begin) return std::string(text);
  const bool isFormula = (run.style & kMaths) && text.size() == run.end - run.begin;
  if (run.style & kMarker) {
    const bool isNumber = !text.empty() && text.front() >= '0' && text.front() <= '9';
    if (isNumber) return std::string(text.substr(0, text.find('\t'))) + ' ';
    return text.starts_with("☐") ? "- [ ] " : text.starts_with("☑") ? "- [x] " : "- ";
  }
  // Markup does not hold where a space stands inside of it.
  const std::size_t first = std::min(text.find_first_not_of(" \n"), text.size());
  const std::size_t last = text.find_last_not_of(" \n") + 1;
  if (first >= last) return std::string(text);
  const std::string_view inner = text.substr(first, last - first);
  std::string out = run.style & kCode ? quotedCode(inner)
                    : isFormula       ? std::string(inner)
                                      : escaped(inner, run.link >= 0);
  const std::string marks = std::string(run.style & kStrong ? "**" : "") + (run.style & kEmphasis ? "*" : "");
  out = marks + out + std::string(marks.rbegin(), marks.rend());
  if (run.style & kStrike) out = "~~" + out + "~~";
  if (run.link >= 0) out = "[" + out + "](<" + block.links[static_cast<std::size_t>(run.link)] + ">)";
  return std::string(text.substr(0, first)) + out + std::string(text.substr(last));
}

// The text with `instead(run)` in the places of whole runs, where that is not empty.
template <typename Instead>
std::string partWith(const Block& block, std::size_t begin, std::size_t end, const Instead& instead) {
  std::string part;
  std::size_t at = begin;
  for (const Run& run : block.runs) {
    if (run.begin < begin || run.end > end) continue;
    const std::string other = instead(run);
    if (other.empty()) continue;
    part += block.text.substr(at, run.begin - at) + other;
    at = run.end;
  }
  return part += block.text.substr(at, end - at);
}

}  // namespace

std::string plainGap(const Block& block) {
  if (block.continues) return "";
  if (block.kind == BlockKind::kTableCell && block.column > 0) return "\t";
  const bool isRow = block.kind == BlockKind::kTableCell && block.row > 0;
  return block.spaced && !isRow ? "\n\n" : "\n";
}

std::string writtenPart(const Block& block, std::size_t begin, std::size_t end) {
  return partWith(block, begin, end, [&block](const Run& run) {
    return run.formula < 0 ? "" : block.formulas[static_cast<std::size_t>(run.formula)];
  });
}

std::string plainPart(const Block& block, std::size_t begin, std::size_t end) {
  std::string part = partWith(block, begin, end, [&block](const Run& run) {
    if (run.formula >= 0) return block.formulas[static_cast<std::size_t>(run.formula)];
    // A number that is not superior would be one with the word before it.
    const std::string number = block.text.substr(run.begin, run.end - run.begin);
    return run.footnote < 0 ? "" : "[" + number + "]";
  });
  const bool hasMarker = begin == 0 && !block.runs.empty() && (block.runs.front().style & kMarker);
  if (!hasMarker) return part;
  if (const std::size_t tab = part.find('\t'); tab != std::string::npos) part[tab] = ' ';
  return std::string(2 * static_cast<std::size_t>(std::max(block.listDepth - 1, 0)), ' ') + part;
}

std::string markdownPart(const Block& block, std::size_t begin, std::size_t end) {
  const std::string_view text = block.text;
  if (block.kind == BlockKind::kCodeLine || block.kind == BlockKind::kPlain)
    return std::string(text.substr(begin, end - begin));
  std::string out;
  for (const Run& run : block.runs) {
    const std::size_t first = std::max<std::size_t>(run.begin, begin),
                      last = std::min<std::size_t>(run.end, end);
    if (first < last) out += markedUp(block, run, text.substr(first, last - first));
  }
  return out;
}

}  // namespace vitrine

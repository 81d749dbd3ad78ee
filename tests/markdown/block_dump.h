// Blocks as lines of letters, for tests to compare and to print.
#pragma once

#include <string>
#include <vector>

#include "widgets/markdown/markdown_block.h"

namespace vitrine::test {

inline std::string dumped(const Run& run, const Block& block) {
  std::string marks;
  const std::pair<std::uint8_t, char> names[] = {{kStrong, 'S'}, {kEmphasis, 'E'}, {kStrike, 'D'},
                                                 {kCode, 'C'},   {kMarker, 'M'},   {kReplaced, 'R'},
                                                 {kAside, 'A'},  {kMaths, 'F'}};
  for (const auto& [bit, name] : names)
    if (run.style & bit) marks += name;
  if (run.note != NoteMark::kNone) marks += run.note == NoteMark::kNote ? "note" : "^";
  std::string text = marks + "{" + block.text.substr(run.begin, run.end - run.begin) + "}";
  if (run.formula >= 0) text = marks + "{" + block.formulas[static_cast<std::size_t>(run.formula)] + "}";
  if (run.link >= 0) text += "(" + block.links[static_cast<std::size_t>(run.link)] + ")";
  return text;
}

// "p", "h2", "code:py", "rule", "cell0,1" or "plain", then ">" for each quote and "-" for each list, then the
// runs.
inline std::string dumped(const Block& block) {
  std::string line;
  switch (block.kind) {
    case BlockKind::kParagraph:
      line = "p";
      break;
    case BlockKind::kHeading:
      line = "h" + std::to_string(block.level);
      break;
    case BlockKind::kCodeLine:
      line = "code:" + block.language;
      break;
    case BlockKind::kRule:
      line = "rule";
      break;
    case BlockKind::kTableCell:
      line = "cell" + std::to_string(block.row) + "," + std::to_string(block.column);
      break;
    case BlockKind::kPlain:
      line = "plain";
      break;
  }
  line += block.continues ? "+" : "";
  line += std::string(block.quoteDepth, '>') + std::string(block.listDepth, '-') + " ";
  for (const Run& run : block.runs) line += dumped(run, block);
  return line;
}

inline std::string dumped(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) text += dumped(block) + "\n";
  return text;
}

}  // namespace vitrine::test

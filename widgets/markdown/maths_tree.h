// What a formula is made of: a tree of the parts that TeX's rules set. Read next: maths_parser.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vitrine {

enum class MathsKind : std::uint8_t {
  kRow,       // children side by side
  kSymbol,    // `text` in `letters`
  kSpace,     // `em` wide
  kScripts,   // base, below, above; the last two may be empty rows
  kFraction,  // above and below a line, which may be missing
  kRoot,      // under the sign, and its index, which may be an empty row
  kFence,     // between `text` and `right`, as high as the child
  kBigFence,  // `text`, `em` high
  kAccent,    // `text` over the child
  kLine,      // over (`text` "over") or under the child
  kBrace,     // the same as a brace
  kStack,     // base, and what stands small over it or (`limits`) under it
  kTable,     // rows of `columns` cells, one after another
  kBox,       // a frame around the child
  kDisplay,   // the rest of the row is in display style
  kInText,    // the rest of the row is in text style
};

// TeX's classes of atoms, which decide the space between two of them.
enum class MathsAtom : std::uint8_t {
  kOrdinary,
  kOperator,
  kBinary,
  kRelation,
  kOpen,
  kClose,
  kPunctuation,
  kInner
};

enum class MathsLetters : std::uint8_t {
  kUpright,
  kItalic,
  kBold,
  kBoldItalic,
  kSans,
  kFixed,
  kDoubleStruck,
  kScript,
  kFraktur,
  kText,  // upright, with its spaces
};

struct MathsNode {
  MathsKind kind = MathsKind::kRow;
  MathsAtom atom = MathsAtom::kOrdinary;
  MathsLetters letters = MathsLetters::kUpright;
  std::string text, right;  // UTF-8
  double em = 0;
  bool limits = false;  // of an operator: scripts stand over and under it in display style
  bool big = false;     // of an operator: larger in display style
  bool line = true;     // of a fraction
  int style = -1;       // of a fraction: 0 display, 1 text; -1: as it comes
  std::size_t columns = 0;
  std::string aligns;   // of a table's columns: l, c, r; the last one holds for the rest
  bool paired = false;  // of a table: columns two by two meet at a relation
  std::vector<MathsNode> children;
};

inline bool isEmpty(const MathsNode& node) { return node.kind == MathsKind::kRow && node.children.empty(); }

}  // namespace vitrine

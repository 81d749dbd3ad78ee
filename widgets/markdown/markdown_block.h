// What the Markdown parser makes of a message: a flat list of blocks, each a line of text with its runs.
//
// A list, not a tree: lists and quotes nest as deep as a hostile text likes, but a block holds only how deep
// it stands. So no function recurses over a document, a change at the end leaves all blocks before it alone,
// and a text document takes the blocks one by one. Qt-free: the fuzzer reads bytes without a window. Read
// next: markdown_stream.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vitrine {

// Bounds in bytes of the source, unless they say something else. What exceeds one is shown as plain text.
inline constexpr std::size_t kMaxLineBytes = 8 * 1024;    // a longer line is plain text, cut to pieces
inline constexpr std::size_t kPlainCutBytes = 2 * 1024;   // the pieces
inline constexpr std::size_t kMaxPieceBytes = 16 * 1024;  // of a top-level block, code in fences excepted
inline constexpr std::size_t kSoftListBytes =
    4 * 1024;  // a longer list goes on in another piece at its next item
inline constexpr std::size_t kMaxPieceMarks = 4096;      // characters of a piece that can begin or end markup
inline constexpr std::size_t kMaxPieceBlocks = 1024;     // blocks of a piece, cells of tables among them
inline constexpr int kMaxDepth = 8;                      // a deeper list or quote is indented like this one
inline constexpr std::size_t kMaxAddressBytes = 2048;    // a longer address is no link
inline constexpr std::size_t kMaxNoteLabelBytes = 1000;  // of a footnote; with a longer one it is text

enum class BlockKind : std::uint8_t {
  kParagraph,
  kHeading,
  kCodeLine,   // one line of a code block
  kRule,       // without text
  kTableCell,  // row by row; a table begins at row 0, column 0
  kPlain,      // a line of the source as it stands: a bound was exceeded
};

enum class CellAlign : std::uint8_t { kDefault, kLeft, kCenter, kRight };

// Styles of a run, a set of bits.
inline constexpr std::uint8_t kStrong = 1, kEmphasis = 2, kStrike = 4, kCode = 8;
inline constexpr std::uint8_t kMarker = 16;    // a bullet, a number, a box to tick
inline constexpr std::uint8_t kReplaced = 32;  // a visible mark instead of a character that would not be seen
inline constexpr std::uint8_t kAside = 64;     // an address beside a text or picture
inline constexpr std::uint8_t kMaths = 128;    // a formula: as it is written, or set

// Of a run that may be a footnote's mark: where the note is referred to, or at the beginning of the note.
enum class NoteMark : std::uint8_t { kNone, kReference, kNote };

// A stretch of a block's text with one look. Runs follow each other without gaps, and their sources ascend.
struct Run {
  std::uint32_t begin = 0, end = 0;  // bytes of the block's text
  std::size_t source = 0;            // offset in the source, in bytes
  std::uint32_t sourceBytes = 0;     // what it was made of there
  bool verbatim = false;             // character by character from the source, as shownCharacter() shows it
  std::uint8_t style = 0;
  std::int32_t link = -1;     // index in the block's links
  std::int32_t formula = -1;  // index in the block's formulas: the text is U+FFFC, which stands nowhere else
  NoteMark note = NoteMark::kNone;
  std::int32_t footnote = -1;  // index in the block's footnotes: the text is the note's number

  bool operator==(const Run&) const = default;
};

// The mark of a footnote that has both a reference and a note.
struct Footnote {
  std::string written;          // "[^why]", or before the note "[^why]:"
  std::uint32_t number = 0;     // from 1, in the order of the first references
  std::uint32_t reference = 0;  // of a reference: which one to its note, from 1

  bool operator==(const Footnote&) const = default;
};

struct Block {
  BlockKind kind = BlockKind::kParagraph;
  std::uint8_t level = 0;  // of a heading: 1 to 6
  std::uint8_t quoteDepth = 0, listDepth = 0;
  bool spaced = false;     // stands apart from the block before
  bool continues = false;  // goes on with the line of the block before, which was cut
  bool ofNote = false;     // goes on with the footnote that the block before has
  CellAlign align = CellAlign::kDefault;
  std::uint32_t row = 0, column = 0, columns = 0;  // of a cell
  std::uint32_t line = 0;                          // of a code line: its number in its code block, from 0
  std::size_t codeOffset = 0;  // of a code line: bytes of its code block before it, line ends included
  // Where the block's part of the source begins; it ends where that of the next block does, or with the
  // source.
  std::size_t sourceBegin = 0;
  std::string text;  // as shown, valid UTF-8; '\n' is a line's end within a paragraph
  std::vector<Run> runs;
  std::vector<std::string> links;     // http, https and mailto alone
  std::vector<std::string> formulas;  // that can be set, as they are written, delimiters included
  std::vector<Footnote> footnotes;
  std::string language;  // of a code line: as written after the fence, in small letters

  bool operator==(const Block&) const = default;
};

// Offset of the first character that a block shows; ascends over the blocks.
inline std::size_t firstSource(const Block& block) {
  return block.runs.empty() ? block.sourceBegin : block.runs.front().source;
}

}  // namespace vitrine

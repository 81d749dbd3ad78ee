// Footnotes: "[^why]" refers to a note, and "[^why]:" where a line of a paragraph begins is the note.
//
// Which marks belong together shows only when the message has ended: a note may come at any time, and the
// order of the references gives the numbers. So a piece's blocks only say what may be a mark, which is text
// as it is written, and a note is a block of its own at its place. settleFootnotes() then makes, of the
// blocks of the whole message, those that are shown: it depends on them alone. Code, formulas and links have
// no marks. Qt-free; each is one pass. Read next: piece_parser.h.
#pragma once

#include <optional>
#include <string_view>

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

// In the blocks of a piece, from `first` on. `underNote`: as parsePiece() has it.
void markFootnotes(std::string_view source, std::vector<Block>& blocks, std::size_t first, bool underNote);
// Whether what is indented below the block belongs to its note.
bool endsWithNote(const Block& block);

struct SettledBlocks {
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::vector<Block> blocks;
  std::vector<std::size_t>
      origins;  // of each block, its index in the message's; kNone: the line above the notes
  std::vector<std::size_t> places;  // of each of the message's blocks, its index here
};

// A message's blocks with its notes at their end, in the order of their numbers, under a line. References are
// numbered in the order in which the message has them, those in notes after those in the text. What has no
// note, or is a note that no text leads to, or the second note of a label, stays as it is written, where it
// is. None: there is nothing to settle.
std::optional<SettledBlocks> settleFootnotes(const std::vector<Block>& blocks);

}  // namespace vitrine

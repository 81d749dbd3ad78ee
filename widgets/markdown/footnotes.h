// Footnotes of a block: "[^1]" and, where a line begins, the "[^1]:" of the note itself.
//
// Both are superior numbers that lead to each other. A note stays where the message has it, since finished
// blocks never change; models write them at the end. So a mark does not wait for its note either, and only a
// number of at most three digits is one: "[^ab]" is more often a pattern of characters than a note. Code,
// formulas and links have none. Qt-free; one linear pass. Read next: piece_parser.h.
#pragma once

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

void markFootnotes(Block& block);

}  // namespace vitrine

// One top-level piece of a message (a paragraph, a list, a table, ...) parsed by md4c.
//
// Everything that is expensive or that would hide text is settled before md4c sees the piece: formulas,
// control characters and the colon of what looks like a link reference definition are masked, byte for byte,
// and the text that is shown comes from the source itself. A definition is therefore shown as text: it would
// change paragraphs that were finished long before it.
#pragma once

#include <string_view>

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

// Appends the blocks of source[begin, end), lines of which the last one may lack its end. `number` >= 0: the
// piece goes on with a list whose next number it is. `growing`: the piece ends with the message, so the end
// of a formula in it may still come. Returns the number after the last top-level list, negative without one.
// A piece beyond a bound becomes plain lines. `underNote`: the piece is indented under a footnote and goes on
// with it; the indent is the note's, not that of code.
long long parsePiece(std::string_view source, std::size_t begin, std::size_t end, long long number,
                     bool growing, bool underNote, std::vector<Block>& blocks);

// Appends source[begin, end) without its line end as one plain block.
void addPlainLine(std::string_view source, std::size_t begin, std::size_t end, bool continues,
                  std::vector<Block>& blocks);

}  // namespace vitrine

// A part of a block as text that leaves the program: plain, or as Markdown.
#pragma once

#include <string>

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

// What stands between a block and the one before it in plain text: nothing, a tab, one line end or two.
std::string plainGap(const Block& block);
// Bytes [begin, end) of the text, formulas as they are written.
std::string writtenPart(const Block& block, std::size_t begin, std::size_t end);
// The same to paste; a list's markers are indented by their depth.
std::string plainPart(const Block& block, std::size_t begin, std::size_t end);
// The same with the markup of its runs, so that it shows the same again.
std::string markdownPart(const Block& block, std::size_t begin, std::size_t end);

}  // namespace vitrine

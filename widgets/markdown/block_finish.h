// What a piece's blocks get when all of them are there: the links of addresses without markup, and where each
// block's part of the source begins.
#pragma once

#include <string_view>

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

void linkAddresses(Block& block);

// Of the blocks from `first` on, the first of which begins at `begin`. Every byte belongs to one block:
// blocks begin where a line does, and only cells of one row share a line.
void divideSource(std::string_view source, std::size_t begin, std::vector<Block>& blocks, std::size_t first);

}  // namespace vitrine

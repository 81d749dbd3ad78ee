// The way between a block's source and its text: bytes of the source, and UTF-16 units of what is shown.
#pragma once

#include <string_view>

#include "widgets/markdown/markdown_block.h"

namespace vitrine {

// UTF-16 units of the text before byte `byte` of it.
int unitsBefore(const Block& block, std::size_t byte);
// The byte of the text at a unit; in the middle of a character, its first one.
std::size_t byteAtUnit(const Block& block, int unit);

// The unit that shows a byte of the source; for markup, that of the text after it.
int unitOfSource(const Block& block, std::string_view source, std::size_t at);
// The byte of the source shown at a unit; past the text, where the last run's source ends.
std::size_t sourceOfUnit(const Block& block, std::string_view source, int unit);

}  // namespace vitrine

// The commands of LaTeX that are one symbol or one word.
#pragma once

#include <optional>
#include <string_view>

#include "widgets/markdown/maths_tree.h"

namespace vitrine {

// Of a command without its backslash: "alpha", "le", "sum", "sin".
std::optional<MathsNode> mathsSymbol(std::string_view command);
// Of a character (UTF-8) that stands for itself.
MathsNode mathsCharacter(std::string_view character);
// What \left, \right and \big take: "(", "\{", "\langle", "." ; none: it is no delimiter.
std::optional<std::string_view> mathsFence(std::string_view token);
// Of an accent's command: what stands over the letter; empty: it is no accent.
std::string_view mathsAccent(std::string_view command);

}  // namespace vitrine

// A formula's LaTeX as a tree: what models write, and nothing else.
//
// A command that is not known, and what exceeds a bound, makes the whole formula unknown: it is shown as it
// is written. No macros are defined and nothing is loaded. Read next: maths_setter.h.
#pragma once

#include <optional>
#include <string_view>

#include "widgets/markdown/maths_tree.h"

namespace vitrine {

inline constexpr std::size_t kMaxMathsBytes = 4096;
inline constexpr int kMaxMathsDepth = 24;
inline constexpr int kMaxMathsNodes = 1500;

// `formula` with its delimiters, or without.
std::optional<MathsNode> parseMaths(std::string_view formula);
std::string_view withoutDelimiters(std::string_view formula);

}  // namespace vitrine

// Unicode's mathematical letters: that of a letter or digit in an alphabet, or the character as it is where
// the alphabet has none. Qt-free.
#pragma once

#include "widgets/markdown/maths_tree.h"

namespace vitrine {

char32_t mathsLetter(char32_t c, MathsLetters letters);

}  // namespace vitrine

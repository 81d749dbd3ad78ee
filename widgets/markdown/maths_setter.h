// Sets a formula's tree: from parts to boxes with a width, an ascent and a descent.
//
// The rules are those of TeX in spirit (D. E. Knuth, The TeXbook, appendix G): 11 radicals, 12 accents, 13
// operators and their limits, 15 fractions, 18 scripts, 20 the space between atoms; their lengths are those
// of Computer Modern, in the height of the font. Delimiters that grow and the sign of a root are drawn as
// lines, so that any font will do. Read next: maths_object.h.
#pragma once

#include "widgets/markdown/maths_box.h"
#include "widgets/markdown/maths_tree.h"

namespace vitrine {

// `pixels`: the height of the font around it.
MathsBox setMaths(const MathsNode& formula, double pixels, bool display);

// A display formula in lines of at most `room` pixels: a line begins with a relation or a binary operator, as
// mathematicians break them. A part without one may be wider.
MathsBox setMathsInLines(const MathsNode& formula, double pixels, double room);

}  // namespace vitrine

// Delimiters and signs that grow with what they stand around, drawn as lines.
#pragma once

#include <string_view>

#include "widgets/markdown/maths_box.h"

namespace vitrine {

// `half`: its height above and below the middle, which lies `axis` above the baseline.
MathsBox fenceBox(std::string_view fence, double half, double axis, double em, double rule);
// A brace of this width that lies, its tip upwards or downwards; the box stands on its baseline.
MathsBox lyingBrace(double width, bool tipUp, double em, double rule);

}  // namespace vitrine

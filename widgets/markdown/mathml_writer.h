// A formula's tree as Presentation MathML, which browsers set by themselves. Qt-free; nothing of the formula
// reaches the page unescaped.
#pragma once

#include <string>

#include "widgets/markdown/maths_tree.h"

namespace vitrine {

std::string mathml(const MathsNode& formula, bool display);

}  // namespace vitrine

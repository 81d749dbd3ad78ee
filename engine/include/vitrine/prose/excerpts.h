// Excerpts: the lines of this program's own source that take a decision, cut out at build time between the
// marks "// [why:NAME]" and "// [/why:NAME]". An installed program has them.
//
// Thread: any; constants.
#pragma once

#include <span>
#include <string_view>

#include "vitrine/prose/rules.h"

namespace vitrine::prose {

struct Excerpt {
  std::string_view name;  // of its Decision
  std::string_view file;  // "engine/scheduling/admission.cpp"
  int line = 0;           // of the file, from 1: the first line of `text`
  std::string_view text;  // lines with a line end each, moved left as far as they go
};

std::span<const Excerpt> excerpts();  // of each Decision, in another order
const Excerpt& excerptOf(Decision decision);

}  // namespace vitrine::prose

// Breakpoints in words: their names in menus, what a list says of each, and why a run stopped.
//
// Thread: any; pure functions. Read next: ../breakpoint.h.
#pragma once

#include <string>

#include "vitrine/breakpoint.h"
#include "vitrine/prose/event_prose.h"

namespace vitrine::prose {

struct BreakKindWords {
  std::string title;  // for a menu, to follow "Run to": "next admission", "preemption"
  std::string help;   // "A running sequence loses its blocks."
};
BreakKindWords wordsOf(BreakKind kind, const Language& language = english());

// For a list and the time axis: "preemption of B", "token “␣the”", "entropy above 3.5 bits".
std::string breakpointText(const Breakpoint& breakpoint, const Names& names = {},
                           const Language& language = english());

// "Stopped at step 46: B was preempted."
std::string stopReason(const BreakStop& stop, const Names& names = {}, const Language& language = english());

}  // namespace vitrine::prose

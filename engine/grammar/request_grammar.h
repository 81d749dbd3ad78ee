// The grammar that a request asks for, in whichever of its forms.
//
// Thread: pure functions. Read next: gbnf.h, grammar_guide.h.
#pragma once

#include "grammar/grammar.h"
#include "vitrine/request.h"

namespace vitrine {

// Requires Request::hasGrammar(). Throws EngineError(kInvalidArgument), which names the place in it.
Grammar grammarOf(const Request& request);

}  // namespace vitrine

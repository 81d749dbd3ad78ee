// What a list of requests says about one sequence: what it does, how far it is, and why it waits.
//
// Thread: any; pure functions. Read next: words.h.
#pragma once

#include <string>

#include "vitrine/prose/language.h"
#include "vitrine/request_state.h"

namespace vitrine::prose {

// "decode: 12 tokens generated", "swapped out, waits: needs 4 blocks, free 2 at Admit"
std::string sequenceStatus(const SequenceState& sequence, const Language& language = english());
// The same, as short as it can be: "12 of 48", "prefill 16 of 31", "waits".
std::string sequenceProgress(const SequenceState& sequence, const RequestState& request,
                             const Language& language = english());
// Of a sequence that does not run: "needs 4 / free 2 at Admit".
std::string whatItWaitsFor(const SequenceState& sequence, const Language& language = english());

}  // namespace vitrine::prose

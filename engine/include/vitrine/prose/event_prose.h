// An event as a title and a sentence with its numbers: the same words in the window and on the command line.
//
// Events carry reasons as data (design rule: no prose in the engine's events); here they become prose.
// Thread: any; pure functions. Read next: why.h, which explains a whole step.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vitrine/event.h"
#include "vitrine/prose/language.h"
#include "vitrine/prose/link.h"

namespace vitrine::prose {

// What a program calls requests and sequences. A function that is not set gives "request 3", "sequence 3".
struct Names {
  std::function<std::string(RequestId)> request;
  std::function<std::string(SequenceId)> sequence;
  // The text of one of the tokens of a miss; empty: its number alone.
  std::function<std::string(TokenId, const PrefixMissed&)> token = {};
  // Gets each part of a sentence that names something, and returns what to say there; unset: the part itself.
  std::function<std::string(std::string part, const Target&)> link = {};
};

struct EventProse {
  std::string title;                   // "Sequence waits"
  std::string sentence;                // "B waits: needs 3 blocks, free 2 at Admit."
  std::vector<std::string> more = {};  // lines for a detailed listing: the candidates of a beam search
};

EventProse describe(const Event& event, const Names& names = {}, const Language& language = english());

// Blocks of one sequence that are allocated, found or freed one after another share a sentence: "A allocates
// 2 blocks: 3-4." Whether `next` belongs to the run of `first`; first and next may be the same event.
bool inOneRun(const Event& first, const Event& next);
// Requires at least one event, all in one run.
EventProse describeRun(std::span<const Event> run, const Names& names = {},
                       const Language& language = english());

}  // namespace vitrine::prose

// Why a step went as it did: one row a decision, in the order of the phases, made from the step's events.
//
// Thread: any; pure functions. Read next: machine_state.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vitrine/machine_state.h"
#include "vitrine/prose/event_prose.h"
#include "vitrine/prose/rules.h"

namespace vitrine::prose {

struct WhyRow {
  static constexpr int kBefore = -1, kAfter = kPhaseCount;

  int section = 0;          // a Phase; kBefore or kAfter for what came outside the step
  SequenceId sequence = 0;  // the sequence that the row is about; 0: a request or the whole machine
  std::string text;
  bool warning = false;  // a sequence waits or is preempted, or something failed
  std::vector<Link> links = {};
  std::vector<BlockId> blocks = {};  // in the pool, that it is about, in addition to those of its links
  std::vector<Rule> rules = {};      // what decided; empty for what is no decision of the engine

  bool operator==(const WhyRow&) const = default;
};

// `events`: those of one step, or of its beginning; `after`: the state that they lead to.
std::vector<WhyRow> explainStep(std::span<const Event> events, const MachineState& after,
                                const Names& names = {}, const Language& language = english());

}  // namespace vitrine::prose

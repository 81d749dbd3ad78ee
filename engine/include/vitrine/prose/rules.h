// Rules: what decides at each decision of a step, as a line of pseudo-code with the step's numbers filled in:
// "need 3 slots <= 2 free -> false: wait". excerpts.h has the source of each.
//
// Thread: values. Read next: why.h.
#pragma once

#include <cstdint>
#include <string>

#include "vitrine/names.h"

namespace vitrine::prose {

// The name of each stands in the marks around the source that decides: [why:admission].
enum class Decision : std::uint8_t {
  kAdmission,        // whether a waiting sequence joins the running set
  kQueue,            // which waiting sequence is next, and that a refused one blocks those behind it
  kBatch,            // whether the batch is open
  kBeamAdmission,    // whether a preempted beam joins its search
  kAging,            // when a request counts as due
  kPrefixHit,        // which blocks of a prompt are cached
  kPrefixMiss,       // why a prompt is computed again
  kPreemption,       // that memory is short, and which sequence loses its blocks
  kImportance,       // which running sequences a more important one displaces
  kSwapOrDrop,       // whether the KV of a preempted sequence is swapped out
  kBudget,           // which sequence computes how many tokens
  kAllocation,       // which sequence gets new blocks
  kCopyOnWrite,      // what a write into a shared block does
  kIndexEviction,    // which cached block is given up
  kContextEviction,  // which block a full context gives up
  kSwapIn,           // what a resumed sequence gets back
  kDemotion,         // which swapped block moves on to the file
  kStages,           // which candidates are left
  kDraw,             // which of them is chosen
  kDraft,            // which sequences may get a draft
  kDraftRoom,        // whether the plan has room for a draft token
  kDraftSame,        // whether a draft token stays: the model chooses the same
  kDraftRejection,   // whether a draft token stays: rejection sampling
  kRollback,         // what is left of a rejected draft
  kBeams,            // which continuations of a search go on
  kShare,            // what a fork shares
  kRegister,         // when a block enters the prefix index
  kRelease,          // when a block is free
  kFinish,           // when an answer ends
  kForget,           // what a step without a KV cache keeps
};

struct Rule {
  Decision decision = Decision::kAdmission;
  std::string text;

  bool operator==(const Rule&) const = default;
};

}  // namespace vitrine::prose

namespace vitrine {
VITRINE_NAMES(prose::Decision, "admission", "queue", "batch", "beam-admission", "aging", "prefix-hit",
              "prefix-miss", "preemption", "importance", "swap-or-drop", "budget", "allocation",
              "copy-on-write", "index-eviction", "context-eviction", "swap-in", "demotion", "stages", "draw",
              "draft", "draft-room", "draft-same", "draft-rejection", "rollback", "beams", "share",
              "register", "release", "finish", "forget");
}  // namespace vitrine

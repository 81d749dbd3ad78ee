// Preemption: why a running sequence loses its blocks, and what happens to its KV.
// Thread: values. Read next: blocks.h.
#pragma once

#include <cstdint>

#include "vitrine/description.h"
#include "vitrine/events/standing.h"
#include "vitrine/ids.h"
#include "vitrine/options.h"

namespace vitrine {

// kMemory: blocks are needed for running sequences. kImportance: a waiting sequence that the policy puts
// first needs its slot or its blocks.
enum class PreemptReason : std::uint8_t { kMemory, kImportance };
VITRINE_NAMES(PreemptReason, "memory", "importance");

// Why a preempted sequence is recomputed or swapped out.
enum class PreemptionCause : std::uint8_t {
  kOption,   // recompute: swapping is off
  kNothing,  // recompute: the sequence holds nothing that could be swapped out
  kNoRoom,   // recompute: swapBlocks exceed swapRoom
  kFailed,   // recompute: swapping failed; the SwapFailed event before this one says how
  kRoom,     // swap: there is room
  kBeams,    // recompute: beams share blocks, and each would be swapped in with its own copy
};
VITRINE_NAMES(PreemptionCause, "option", "nothing", "no_room", "failed", "room", "beams");

struct SequencePreempted {
  SequenceId sequence = 0, forSequence = 0;  // forSequence needed the blocks; it may be the preempted one
  int neededBlocks = 0, freeBlocks = 0;      // that forSequence needed, and that were free
  int freedBlocks = 0, lostTokens = 0;       // blocks that it freed; computed tokens that it threw away
  Preemption how = Preemption::kRecompute;
  PreemptionCause cause = PreemptionCause::kOption;
  int swapBlocks = 0, swapRoom = 0;  // blocks to swap out, and room for them in both tiers
  PreemptReason reason = PreemptReason::kMemory;
  int neededSlots = 0, freeSlots = 0;  // slots, for PreemptReason::kImportance
  int running = 0;                     // running sequences, of which it ranks last
  Standing standing = {};              // why it ranks last
  Standing forStanding = {};           // kImportance: why forSequence ranks before it
};
VITRINE_DECISION(SequencePreempted, "sequence_preempted", kSequence, field("sequence", &T::sequence),
                 field("for_sequence", &T::forSequence), field("needed_blocks", &T::neededBlocks),
                 field("free_blocks", &T::freeBlocks), field("freed_blocks", &T::freedBlocks),
                 field("lost_tokens", &T::lostTokens), field("how", &T::how), field("cause", &T::cause),
                 field("swap_blocks", &T::swapBlocks), field("swap_room", &T::swapRoom),
                 field("reason", &T::reason), field("needed_slots", &T::neededSlots),
                 field("free_slots", &T::freeSlots), field("running", &T::running),
                 field("standing", &T::standing), field("for_standing", &T::forStanding));

}  // namespace vitrine

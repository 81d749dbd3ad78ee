// Events of the scheduler: which sequences wait, run, are preempted and end, and why.
// Thread: values. Read next: blocks.h.
#pragma once

#include <cstdint>

#include "vitrine/events/requests.h"

namespace vitrine {

// Why a sequence is not admitted in this step. The two numbers of SequenceWaiting are named with each reason.
enum class WaitReason : std::uint8_t {
  kBlocks,       // needed / available KV blocks
  kSequences,    // needed / available slots for running sequences
  kTokenBudget,  // needed / available tokens of this step; available is 0 while a long prompt that runs needs
                 // a step of its own
  kPreemption,   // the step has to preempt, so it admits nothing: blocks that running sequences need / free
  kBehind,       // a waiting sequence before it cannot be admitted (head-of-line blocking); no numbers
  kBatch,        // the batch is closed: running sequences that must end first
  kBeams,        // a preempted beam waits for the first beam to compute what they share: needed / computed
  kWindow,       // the batch is still being collected: length of the window / time gone by, in ms
};
inline constexpr int kWaitReasonCount = 8;

// kMemory: blocks are needed for running sequences. kImportance: a waiting sequence that the policy puts
// first needs its slot or its blocks.
enum class PreemptReason : std::uint8_t { kMemory, kImportance };

enum class WorkKind : std::uint8_t { kPrefill, kDecode };

struct SequenceWaiting {
  SequenceId sequence;
  WaitReason reason;
  int needed, available;
};

// Policy::kDeadline: the sequence was not due yet, and counts as due from now on; its rank is the time now.
struct SequenceAged {
  SequenceId sequence;
  int steps;  // since submission
  std::int64_t rank;
};

struct SequenceAdmitted {
  SequenceId sequence;
  int cachedTokens, totalTokens;
  bool resumed;           // it ran before and was preempted
  int swappedTokens = 0;  // computed before and swapped out; Allocate swaps them in
};

struct SequenceScheduled {
  SequenceId sequence;
  WorkKind kind;
  int firstPosition, tokens;  // the step computes positions [firstPosition, firstPosition + tokens)
  int totalTokens;            // of the sequence; it samples when firstPosition + tokens reaches this
  int draftTokens = 0;        // of `tokens`, the last ones: drafts, beyond totalTokens
};

// Why a preempted sequence is recomputed or swapped out.
enum class PreemptionCause : std::uint8_t {
  kOption,   // recompute: swapping is off
  kNothing,  // recompute: the sequence holds nothing that could be swapped out
  kNoRoom,   // recompute: swapBlocks exceed swapRoom
  kFailed,   // recompute: swapping failed; the SwapFailed event before this one says how
  kRoom,     // swap: there is room
  kBeams,    // recompute: beams share blocks, and each would be swapped in with its own copy
};

struct SequencePreempted {
  SequenceId sequence, forSequence;  // forSequence needed the blocks; it may be the preempted one
  int neededBlocks, freeBlocks;      // that forSequence needed, and that were free
  int freedBlocks, lostTokens;       // blocks that the preemption freed; computed tokens that it threw away
  Preemption how = Preemption::kRecompute;
  PreemptionCause cause = PreemptionCause::kOption;
  int swapBlocks = 0, swapRoom = 0;  // blocks to swap out, and room for them in both tiers
  PreemptReason reason = PreemptReason::kMemory;
  int neededPlaces = 0, freePlaces = 0;  // slots, for PreemptReason::kImportance
};

// Without a KV cache: the step throws away what it computed, and the next step computes everything again.
struct KvForgotten {
  SequenceId sequence;
  int lostTokens;
};

struct SequenceForked {
  SequenceId parent, child;
  RequestId request;
  int index, sharedBlocks;  // index: of the child among the request's sequences
};

struct SequenceFinished {
  SequenceId sequence;
  FinishReason reason;
  int completionTokens;
};

}  // namespace vitrine

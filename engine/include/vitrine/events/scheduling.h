// Events of the scheduler: which sequences wait, run and end, and why.
// Thread: values. Read next: preemption.h.
#pragma once

#include <cstdint>

#include "vitrine/events/requests.h"
#include "vitrine/events/standing.h"

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
VITRINE_NAMES(WaitReason, "blocks", "sequences", "token_budget", "preemption", "behind", "batch", "beams",
              "window");
inline constexpr int kWaitReasonCount = 8;

enum class WorkKind : std::uint8_t { kPrefill, kDecode };
VITRINE_NAMES(WorkKind, "prefill", "decode");

struct SequenceWaiting {
  SequenceId sequence = 0;
  WaitReason reason = WaitReason::kBlocks;
  int needed = 0, available = 0;
  SequenceId behind = 0;  // kBehind: the sequence that could not be admitted in this step
};
VITRINE_DECISION(SequenceWaiting, "sequence_waiting", kSequence, field("sequence", &T::sequence),
                 field("reason", &T::reason), field("needed", &T::needed), field("available", &T::available),
                 field("behind", &T::behind));

// Policy::kDeadline: the sequence was not due yet, and counts as due from now on; its rank is the time now.
struct SequenceAged {
  SequenceId sequence = 0;
  int steps = 0;  // since submission
  std::int64_t rank = 0;
};
VITRINE_DECISION(SequenceAged, "sequence_aged", kSequence, field("sequence", &T::sequence),
                 field("steps", &T::steps), field("rank", &T::rank));

struct SequenceAdmitted {
  SequenceId sequence = 0;
  int cachedTokens = 0, totalTokens = 0;
  bool resumed = false;   // it ran before and was preempted
  int swappedTokens = 0;  // computed before and swapped out; Allocate swaps them in
  int writtenTokens = 0;  // of totalTokens, generated before it was preempted
  // What it needs beyond its hits, and what the running sequences left of each: slots, blocks promised to no
  // sequence, and tokens of the step's budget. All 0 for a beam that joins its search.
  int neededSlots = 0, freeSlots = 0, neededBlocks = 0, freeBlocks = 0, neededTokens = 0, freeTokens = 0;
  int waiting = 0;         // waiting sequences of which it was the first, itself included; 0: it was not
  int windowLeftMs = 0;    // Batching::kWindow: the batch was full this long before the end of its window
  Standing standing = {};  // by which it was the first
};
VITRINE_DECISION(SequenceAdmitted, "sequence_admitted", kSequence, field("sequence", &T::sequence),
                 field("cached_tokens", &T::cachedTokens), field("total_tokens", &T::totalTokens),
                 field("resumed", &T::resumed), field("swapped_tokens", &T::swappedTokens),
                 field("written_tokens", &T::writtenTokens), field("needed_slots", &T::neededSlots),
                 field("free_slots", &T::freeSlots), field("needed_blocks", &T::neededBlocks),
                 field("free_blocks", &T::freeBlocks), field("needed_tokens", &T::neededTokens),
                 field("free_tokens", &T::freeTokens), field("waiting", &T::waiting),
                 field("window_left_ms", &T::windowLeftMs), field("standing", &T::standing));

struct SequenceScheduled {
  SequenceId sequence = 0;
  WorkKind kind = WorkKind::kPrefill;
  int firstPosition = 0, tokens = 0;  // the step computes positions [firstPosition, firstPosition + tokens)
  int totalTokens = 0;                // of the sequence; it samples when firstPosition + tokens reaches this
  int draftTokens = 0;                // of `tokens`, the last ones: drafts, beyond totalTokens
  int writtenTokens = 0;              // kPrefill: of `tokens`, the last ones: generated before a preemption
};
VITRINE_DECISION(SequenceScheduled, "sequence_scheduled", kSequence, field("sequence", &T::sequence),
                 field("kind", &T::kind), field("first_position", &T::firstPosition),
                 field("tokens", &T::tokens), field("total_tokens", &T::totalTokens),
                 field("draft_tokens", &T::draftTokens), field("written_tokens", &T::writtenTokens));

// Without a KV cache: the step throws away what it computed, and the next step computes everything again.
struct KvForgotten {
  SequenceId sequence = 0;
  int lostTokens = 0;
};
VITRINE_DECISION(KvForgotten, "kv_forgotten", kSequence, field("sequence", &T::sequence),
                 field("lost_tokens", &T::lostTokens));

struct SequenceForked {
  SequenceId parent = 0, child = 0;
  RequestId request = 0;
  int index = 0, sharedBlocks = 0;  // index: of the child among the request's sequences
};
VITRINE_DECISION(SequenceForked, "sequence_forked", kSequence, field("parent", &T::parent),
                 field("child", &T::child), field("request", &T::request), field("index", &T::index),
                 field("shared_blocks", &T::sharedBlocks));

struct SequenceFinished {
  SequenceId sequence = 0;
  FinishReason reason = FinishReason::kStop;
  int completionTokens = 0;
};
VITRINE_DECISION(SequenceFinished, "sequence_finished", kSequence, field("sequence", &T::sequence),
                 field("reason", &T::reason), field("completion_tokens", &T::completionTokens));

}  // namespace vitrine

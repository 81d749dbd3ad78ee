// StateDifference: what differs between two states of the machine, of one run, each between two steps.
//
// Equal states have no difference, and other ones at least one. Where a value is a list or a text, `kept`
// says how much of its beginning is the same. The values themselves stay in the two states. Thread: values; a
// difference of n blocks, sequences and tokens takes O(n). Read next: prose/difference_words.h.
#pragma once

#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

enum class MachineField : std::uint8_t {
  kFreeQueue,     // kept: ids
  kCachedBlocks,  // their number
  kSharedBlocks,  // blocks with several holders: their number
  kRunning,       // kept: sequences
  kWaiting,       // kept: sequences
  kSwapSlots,     // capacity of the tiers
};
VITRINE_NAMES(MachineField, "free_queue", "cached_blocks", "shared_blocks", "running", "waiting",
              "swap_slots");
struct MachineChange {
  MachineField field = MachineField::kFreeQueue;
  int kept = 0;

  bool operator==(const MachineChange&) const = default;
};

enum class RequestField : std::uint8_t {
  // One of the states does not have it: not submitted yet, or forgotten, which is all that is said of it
  // then.
  kPresence,
  kFinished,
  kCancelled,
  kFirstToken,  // its time
  kBeams,       // of its search; kept: the best ones
  kHypotheses,  // complete answers of its search; kept: the best ones
};
VITRINE_NAMES(RequestField, "presence", "finished", "cancelled", "first_token", "beams", "hypotheses");
struct RequestChange {
  RequestId request = 0;
  RequestField field = RequestField::kPresence;
  int kept = 0;

  bool operator==(const RequestChange&) const = default;
};

enum class SequenceField : std::uint8_t {
  // Of a finished one also why. Of a sequence that one of the states does not have, that; and the other
  // fields
  // of a new one differ from those of an empty one.
  kStatus,
  kTokens,      // kept: tokens
  kText,        // kept: bytes, whole characters
  kComputed,    // tokens whose KV is in the cache
  kCached,      // tokens found in the prefix index
  kBlockTable,  // kept: blocks
  kSwapped,     // blocks outside the pool
  kEvicted,     // tokens of the context
  kPreemptions,
  kRank,
  kWait,        // why it waits, and since when
  kPrefixMiss,  // what its prompt computes again
  kScore,
};
VITRINE_NAMES(SequenceField, "status", "tokens", "text", "computed_tokens", "cached_tokens", "block_table",
              "swapped", "evicted_tokens", "preemptions", "rank", "wait", "prefix_miss", "score");
struct SequenceChange {
  SequenceId sequence = 0;
  SequenceField field = SequenceField::kStatus;
  int kept = 0;

  bool operator==(const SequenceChange&) const = default;
};

// What a block is used for.
struct BlockUse {
  int holders = 0;        // references; 0: it is free
  SequenceId holder = 0;  // the first of the sequences that hold it; 0: none does
  int filled = 0;         // tokens
  bool cached = false;

  bool operator==(const BlockUse&) const = default;
};
// A range of blocks that all changed alike.
struct BlockRangeChange {
  BlockId first = 0, last = 0;
  BlockUse before, after;
  bool rewritten = false;  // cached before and after, but with another content

  bool operator==(const BlockRangeChange&) const = default;
};

struct StateDifference {
  std::vector<MachineChange> machine;
  std::vector<RequestChange> requests;    // by id
  std::vector<SequenceChange> sequences;  // by id
  std::vector<BlockRangeChange> blocks;   // by id

  bool isEmpty() const { return *this == StateDifference(); }
  bool operator==(const StateDifference&) const = default;
};

StateDifference differenceBetween(const MachineState& before, const MachineState& after);

}  // namespace vitrine

// MachineState: the whole machine, a pure function of an event prefix.
//
// apply() takes one event after another, and the state after step N is the machine after step N, with no
// model and no GPU: so the window goes back, a trace is replayed, and a late joiner catches up. The engine
// builds the same value from its real structures (Engine::snapshot()); tests compare the two at every phase.
// Thread: a value. Read next: recording.h, statistics.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "vitrine/block_queue.h"
#include "vitrine/request_state.h"

namespace vitrine {

struct BlockState {
  int refCount = 0;
  int filled = 0;          // tokens with KV in it
  bool cached = false;     // in the prefix index
  std::uint64_t hash = 0;  // of the chain up to it, when cached

  bool operator==(const BlockState&) const = default;
};

// What one sequence computes in the step in flight.
struct ScheduledWork {
  SequenceId sequence = 0;
  WorkKind kind = WorkKind::kPrefill;
  int firstPosition = 0, tokens = 0;
  int draftTokens = 0;  // of `tokens`, the last ones

  bool operator==(const ScheduledWork&) const = default;
};
VITRINE_STRUCT(ScheduledWork, "scheduled_work", field("sequence", &T::sequence), field("kind", &T::kind),
               field("first_position", &T::firstPosition), field("tokens", &T::tokens),
               field("draft_tokens", &T::draftTokens));

struct MachineState {
  int step = 0;
  int blockSize = 0;
  std::vector<BlockState> blocks;
  BlockQueue freeQueue;  // the next one to be taken first
  std::map<RequestId, RequestState> requests;
  std::map<SequenceId, SequenceState> sequences;
  // Each sorted by rank, then by request; a request's own sequences by index.
  std::vector<SequenceId> waiting, running;
  std::vector<ScheduledWork> batch;              // from the plan until the forward has computed it
  std::array<int, kSwapTierCount> swapBlocks{};  // capacity of each tier

  // An EngineLoaded begins anew, a Snapshot replaces all. Requires events of one run, in order. Throws
  // EngineError(kFileCorrupt) for an event that contradicts the state; only a damaged trace contains one.
  void apply(const Event& event);

  // EngineLoaded::isFromOutside(): there is no free queue, `blocks` are the cached ones that were told of,
  // and whether a sequence holds one is not known.
  bool isFromOutside() const { return freeQueue.capacity() == 0; }

  bool operator==(const MachineState&) const = default;
};

// Tokens whose KV lies in blocks that a sequence holds. A block counts once, however many sequences share it;
// what was evicted, swapped out or only cached does not count.
inline int heldTokens(const MachineState& state) {
  int tokens = 0;
  for (const BlockState& block : state.blocks)
    if (block.refCount > 0) tokens += block.filled;
  return tokens;
}

}  // namespace vitrine

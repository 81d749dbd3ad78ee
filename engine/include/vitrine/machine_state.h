// MachineState: the whole machine as the events tell it, a pure function of an event prefix.
//
// apply() one event after another and the state after step N is the machine after step N, with no model and
// no GPU: this is how the window goes back, how a trace replays, and how a late joiner catches up. The
// engine builds the same value from its real structures (Engine::snapshot()); the two must be equal, which
// is a test. Thread: a value. Read next: recording.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

enum class SequenceStatus : std::uint8_t { kWaiting, kRunning, kPreempted, kFinished };

struct SequenceState {
  SequenceId id = 0;
  RequestId request = 0;
  int index = 0;  // which of the request's answers
  SequenceStatus status = SequenceStatus::kWaiting;
  std::vector<TokenId> tokens;  // prompt, then output
  int promptTokens = 0;
  int computedTokens = 0;  // tokens whose KV is in the cache
  int cachedTokens = 0;    // of them, found in the prefix index at the last admission
  int preemptions = 0;
  std::int64_t rank = 0;  // by policy: the smaller goes first
  std::vector<BlockId> blockTable;
  std::string text;  // output so far
  FinishReason finishReason = FinishReason::kStop;  // when finished
  std::vector<TokenId> draft = {};  // proposed in the step in flight, behind `tokens`

  bool operator==(const SequenceState&) const = default;
};

struct RequestState {
  RequestId id = 0;
  std::string name, prompt;
  int maxTokens = 0;
  std::vector<SequenceId> sequences;
  bool finished = false, cancelled = false;
  int priority = 0;
  double deadlineMs = 0;  // since submission; 0: none

  bool operator==(const RequestState&) const = default;
};

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

struct MachineState {
  int step = 0;
  int blockSize = 0;
  std::vector<BlockState> blocks;
  std::vector<BlockId> freeQueue;  // next to be taken first
  std::map<RequestId, RequestState> requests;
  std::map<SequenceId, SequenceState> sequences;
  // Each sorted by rank, then by request; a request's own sequences by index.
  std::vector<SequenceId> waiting, running;
  std::vector<ScheduledWork> batch;  // from the plan until the forward has computed it

  // An EngineLoaded begins anew, a Snapshot replaces all. Requires events of one run, in order; an event that
  // contradicts the state throws EngineError(kFileCorrupt), since only a damaged trace can hold one.
  void apply(const Event& event);

  bool operator==(const MachineState&) const = default;
};

}  // namespace vitrine

// SchedulingState: the options, the queue, the running set and the blocks, which the classes of this room
// share.
//
// A class that only decides takes it const (BlockNeed, BatchGate, BudgetPlan, Precedence); the others say in
// their headers what they change. Invariant: `waiting` and `running` are sorted by rank, and a sequence is in
// at most one of them. Thread: the engine's. Read next: scheduler.h.
#pragma once

#include <vector>

#include "cache/swap_space.h"
#include "scheduling/eviction_rule.h"
#include "scheduling/waiting_queue.h"
#include "vitrine/options.h"

namespace vitrine {

struct SchedulerOptions {
  static SchedulerOptions of(const EngineOptions& inForce);

  int blockSize = 16, numBlocks = 0, maxSequences = 16, tokenBudget = 512;
  Batching batching = Batching::kContinuous;
  bool prefixCache = true, chunkedPrefill = true;
  EvictionRule eviction = {};
  Policy policy = Policy::kFcfs;
  int agingSteps = 64;
  double windowMs = 50;
};

struct SchedulingState {
  // With a swap space preempted sequences are swapped out when they fit; it must outlive the state.
  SchedulingState(const SchedulerOptions& chosen, EventStream& stream,
                  PrefixIndex::Hash hash = PrefixIndex::chainHash, SwapSpace* swapSpace = nullptr);

  SchedulerOptions options;  // Scheduler::change() alone changes them
  EventStream& events;
  SwapSpace* swap;       // null: nothing was ever swapped out
  bool swapsOut = true;  // with a swap space: preempted sequences go there when they fit
  KvBlocks blocks;
  WaitingQueue waiting;
  std::vector<Sequence*> running;  // its capacity is maxSequences from the beginning

  // The running sequence of the request with the smallest index; null when none runs.
  Sequence* firstRunning(RequestId request) const;
  // Frees the sequence's blocks; all its tokens are to be computed again. Publishes BlockFreed.
  void dropKv(Sequence& sequence);
};

}  // namespace vitrine

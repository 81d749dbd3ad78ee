// Scheduler: decides which sequences compute which tokens in a step, and in which blocks. No tensors here.
//
// Scheduling at the granularity of one iteration (Orca, OSDI '22), decode before prefill chunks within a
// token budget (Sarathi-Serve, arXiv 2403.02310), preemption by recompute or swapping (vLLM, 2309.06180), in
// the order of a policy (policy.h). Each public phase below is one phase of Engine::step(), and each decision
// an event with its reason as data. Invariant: waiting and running sequences are sorted by rank; the least
// important one is preempted first. A phase that throws std::bad_alloc leaves the state that its events
// describe, since memory is reserved before anything changes. Thread: the engine's. Read next: policy.h,
// waiting_queue.h, scheduler.cpp, admission.cpp, batching.cpp, precedence.cpp, beams.cpp,
// context_eviction.cpp, swapping.cpp.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "cache/swap_space.h"
#include "scheduling/eviction_rule.h"
#include "scheduling/waiting_queue.h"
#include "vitrine/options.h"

namespace vitrine {

struct SchedulerOptions {
  int blockSize = 16, numBlocks = 0, maxSequences = 16, tokenBudget = 512;
  Batching batching = Batching::kContinuous;
  bool prefixCache = true, chunkedPrefill = true;
  EvictionRule eviction = {};
  Policy policy = Policy::kFcfs;
  int agingSteps = 64;
  double windowMs = 50;
};

// Positions [firstPosition, firstPosition + tokens) of one sequence, computed in this step.
struct Work {
  Sequence* sequence;
  WorkKind kind;
  int firstPosition, tokens;
  int newBlocks;        // to append to its table
  bool copiesTail;      // its last block is shared and half filled, so writing there needs a copy
  bool samples;         // reaches the sequence's last token
  int draftTokens = 0;  // of `tokens`, the last ones: positions of a draft, behind the sequence's tokens
};

struct StepPlan {
  std::vector<Work> work;  // decodes, then prefill chunks, each by rank
  int decodeTokens = 0, prefillTokens = 0;
  int blocks = 0;                      // the work takes from the pool
  std::vector<KvBlocks::Copy> copies;  // to be done before the forward, in order
  int tokens() const { return decodeTokens + prefillTokens; }
};

class Scheduler {
 public:
  // With a swap space preempted sequences are swapped out when they fit; it must outlive the scheduler.
  Scheduler(const SchedulerOptions& options, EventStream& events,
            PrefixIndex::Hash hash = PrefixIndex::chainHash, SwapSpace* swap = nullptr);

  // Stores the time of submission, now, and the rank that follows. Call it before submit().
  void stamp(Sequence& sequence, int priority, double deadlineMs) const;
  // Inserts the sequence into the queue by rank. It must outlive its time in the scheduler.
  void submit(Sequence& sequence);

  // 1 Admit: waiting sequences join the running ones while slots, tokens and blocks last. If the first
  // cannot, less important running sequences may be preempted for it. Publishes SequenceAged,
  // SequenceAdmitted and BlockHit; BlockShared for beams; SequenceWaiting when a reason or its numbers are
  // new; SequencePreempted, BlockFreed, and what SwapSpace::swapOut() publishes.
  void admit();
  // 2 Plan: distributes the token budget; preempts the least important sequence while blocks are short. Empty
  // while a window is open, and when all sequences were preempted. Drafts get what is left of budget and free
  // blocks, so that no sequence waits or is preempted for a draft. Publishes SequencePreempted, BlockFreed,
  // SequenceScheduled, StepPlanned, and what SwapSpace::swapOut() publishes.
  const StepPlan& plan();
  // 3 Allocate: blocks and copies for the plan; swapped blocks come in. A sequence whose blocks cannot be
  // swapped in leaves the plan and computes them again. Publishes BlockAllocated, BlockCopied, BlockEvicted,
  // BlockSwappedIn, SwapFailed, BlockFreed.
  void allocate();
  // 4 Forward has computed the plan: every sequence's computed tokens advance.
  void advance();
  // 5 Sample: the child joins the running set behind its request's other sequences, and shares all blocks of
  // its parent. Publishes SequenceForked, BlockShared.
  void fork(const Sequence& parent, Sequence& child);
  // The same for a child that runs already: it first releases its own blocks (beams.cpp). Publishes
  // SequenceReplaced, BlockFreed, BlockShared.
  void replace(const Sequence& parent, Sequence& child);
  // 6 Commit: drops computed tokens beyond the sequence's own, from a draft that was not accepted, and frees
  // the blocks that held nothing else. Publishes DraftRolledBack, BlockFreed if there were any.
  void rollBack(Sequence& sequence);
  // Registers full blocks in the prefix index. Publishes BlockCached.
  void registerBlocks();
  // Evicts a block of each sequence that has reached the limit of its context. Publishes ContextEvicted.
  void evictContext();
  // Without a KV cache: a sequence that has its next token drops all computed tokens and frees its blocks;
  // the next step computes them again. Publishes KvForgotten, BlockFreed.
  void forgetKv(Sequence& sequence);

  // Removes the sequence from the queue or the running set and frees its blocks. Publishes SequenceFinished,
  // BlockFreed.
  void finish(Sequence& sequence, FinishReason reason);

  bool hasWork() const { return !m_waiting.empty() || !m_running.empty(); }
  const WaitingQueue& waiting() const { return m_waiting; }            // by rank
  const std::vector<Sequence*>& running() const { return m_running; }  // by rank
  std::int64_t windowLeftNs() const;  // how long admit() will still wait for a fuller batch; 0: it does not
  const StepPlan& currentPlan() const { return m_plan; }
  const KvBlocks& blocks() const { return m_blocks; }
  // How many waiting sequences admit() has considered since the beginning: the cost of a long queue.
  std::int64_t waitingLookedAt() const { return m_lookedAt; }

 private:
  struct Room;  // what admission may still assign in this step
  struct Offer {
    int places, tokens, blocks;
  };
  struct BySubmission {
    bool operator()(const Sequence* a, const Sequence* b) const {
      return a->submittedStep != b->submittedStep ? a->submittedStep < b->submittedStep : a->id < b->id;
    }
  };

  void shareBudget();
  void shareBudgetAmong(WorkKind kind);
  void grantDrafts();
  int blocksToHold(int tokens) const;
  void evictFrom(Sequence& sequence);
  int copiesInPlan(BlockId block) const;
  bool writesSharedTail(const Sequence& sequence) const;
  void preemptForMemory();
  void preemptLast(SequencePreempted fate);
  void resetCache(Sequence& sequence);
  // swapping.cpp
  void chooseFate(const Sequence& victim, SequencePreempted& fate);
  void swapIn();
  bool swapIn(Work& work);
  // admission.cpp
  Room roomLeft() const;
  int blocksPromised(const Sequence& sequence) const;
  int blocksNeeded(const Sequence& sequence) const;
  int tokensNeeded(const Sequence& sequence) const;
  std::optional<SequenceWaiting> refusal(const Sequence& sequence, const Room& room) const;
  std::optional<SequenceWaiting> tryToAdmit(Sequence& sequence, Room& room);
  void take(Sequence& sequence, Room& room);
  void publishWaiting(Sequence& sequence, const SequenceWaiting& reason);
  void publishOthersWaiting(const Sequence* refused, const Room& room);
  // beams.cpp
  Sequence* firstOf(RequestId request) const;
  Sequence* firstToJoin(const Sequence& sibling) const;
  int sharedBlocks(const Sequence& first, const Sequence& sibling) const;
  int absentBlocks(const Sequence& first) const;
  std::optional<SequenceWaiting> refusalToJoin(const Sequence& first, const Sequence& sibling,
                                               const Room& room) const;
  void join(Sequence& first, Sequence& sibling, Room& room);
  // batching.cpp
  bool batchInFlight() const;
  std::optional<SequenceWaiting> closedTo(const Sequence& sequence, const Room& room) const;
  Sequence* nextToAdmit(const Room& room) const;
  // precedence.cpp
  bool ages() const { return m_options.policy == Policy::kDeadline && m_options.agingSteps > 0; }
  void age();
  Offer offerWithout(std::size_t leaving, const Room& room) const;
  void preemptFor(const Sequence& first, const Room& room);

  const SchedulerOptions m_options;
  EventStream& m_events;
  SwapSpace* const m_swap;  // null: preemption by recompute
  KvBlocks m_blocks;
  WaitingQueue m_waiting;
  std::vector<Sequence*> m_running;            // its capacity is maxSequences from the beginning
  std::set<Sequence*, BySubmission> m_ageing;  // under kDeadline: not aged and not due when last looked at
  StepPlan m_plan;
  PrefixHits m_hits;   // of the sequence being considered
  int m_admitted = 0;  // in this step
  std::int64_t m_lookedAt = 0;
};

}  // namespace vitrine

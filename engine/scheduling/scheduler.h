// Scheduler: decides which sequences compute which tokens in a step, and in which blocks. No tensors here.
//
// Scheduling at the granularity of one iteration (Orca, OSDI '22), decode before prefill chunks within a
// token budget (Sarathi-Serve, arXiv 2403.02310), preemption by recompute or swapping (vLLM, 2309.06180), in
// the order of a policy (policy.h). Each phase below is one phase of Engine::step(), and each decision an
// event with its reason as data. A class for each concern: Aging, Admission (with BlockNeed, BatchGate,
// BeamAdmission), Preemptor (with Precedence), BudgetPlan, ContextEviction; functions for swap_in.h and
// forking.h and next_batch.h. Invariant: waiting and running sequences are sorted by rank; the least
// important one is preempted first. A phase that throws std::bad_alloc leaves the state that its events
// describe, since memory is reserved before anything changes. Thread: the engine's. Read next: policy.h,
// waiting_queue.h, scheduler.cpp, admission.h, preemptor.h.
#pragma once

#include <functional>

#include "scheduling/admission.h"
#include "scheduling/aging.h"
#include "scheduling/budget_plan.h"
#include "scheduling/next_batch.h"
#include "scheduling/policy.h"
#include "scheduling/preemptor.h"

namespace vitrine {

class Scheduler {
 public:
  // With a swap space preempted sequences are swapped out when they fit; it must outlive the scheduler.
  Scheduler(const SchedulerOptions& options, EventStream& events,
            PrefixIndex::Hash hash = PrefixIndex::chainHash, SwapSpace* swap = nullptr);

  // Between steps. `options` may differ in those of OptionScope::kStep. Sets new ranks and sorts queue and
  // running set by them. With the prefix cache turned off, its blocks stay until they are needed for
  // something else; turned on, the blocks of running sequences are registered with the next step. `swap`
  // null: none yet; once there is one, it stays. `swapsOut`: preempted sequences go there when they fit.
  using RequestOf = std::function<const Request&(const Sequence&)>;
  void change(const SchedulerOptions& options, SwapSpace* swap, bool swapsOut, const RequestOf& requestOf);

  // Stores the time of submission, now, and the rank that follows. Call it before submit().
  void stamp(Sequence& sequence, const Request& request) const;
  // Inserts the sequence into the queue by rank. It must outlive its time in the scheduler. Requires a token,
  // at most maxSequences slots, and no more blocks for its tokens than the pool has.
  void submit(Sequence& sequence);

  // 1 Admit: waiting sequences join the running ones while slots, tokens and blocks last. If the first
  // cannot, less important running sequences may be preempted for it. Publishes SequenceAged,
  // SequenceAdmitted, BlockHit and PrefixMissed; BlockShared for beams; SequenceWaiting when a reason or its
  // numbers are new; SequencePreempted, BlockFreed, and what SwapSpace::swapOut() publishes. Returns whether
  // any joined.
  bool admit();
  // 2 Plan: distributes the token budget; preempts the least important sequence while blocks are short. Empty
  // while a window is open, and when all sequences were preempted. Drafts get what is left of budget and free
  // blocks, so that no sequence waits or is preempted for a draft; `drafts`: whether a sequence may want one.
  // Publishes SequencePreempted, BlockFreed, SequenceScheduled, StepPlanned, and what SwapSpace::swapOut()
  // publishes.
  const StepPlan& plan(bool drafts = true);
  // 3 Allocate: blocks and copies for the plan; swapped blocks come in. A sequence whose blocks cannot be
  // swapped in leaves the plan and computes them again. Publishes BlockAllocated, BlockCopied, BlockEvicted,
  // BlockSwappedIn, SwapFailed, BlockFreed.
  void allocate();
  // Before 4: what the next step is to compute, if that can be foreseen (next_batch.h).
  bool foresee(std::vector<NextWork>& next) const { return foreseeBatch(m_state, m_budget.plan(), next); }
  // 4 Forward has computed the plan: every sequence's computed tokens advance.
  void advance();
  // 5 Sample: the child joins the running set behind its request's other sequences, and shares all blocks of
  // its parent. Publishes SequenceForked, BlockShared.
  void fork(Sequence& parent, Sequence& child);
  // The same for a child that runs already: it first releases its own blocks. Publishes SequenceReplaced,
  // BlockFreed, BlockShared.
  void replace(Sequence& parent, Sequence& child);
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

  bool hasWork() const { return !m_state.waiting.empty() || !m_state.running.empty(); }
  const WaitingQueue& waiting() const { return m_state.waiting; }            // by rank
  const std::vector<Sequence*>& running() const { return m_state.running; }  // by rank
  // How long admit() will still wait for a fuller batch, in nanoseconds; 0: it does not.
  std::int64_t windowLeftNs() const { return m_gate.windowLeftNs(); }
  const StepPlan& currentPlan() const { return m_budget.plan(); }
  const KvBlocks& blocks() const { return m_state.blocks; }
  // How many waiting sequences admit() has considered since the beginning: the cost of a long queue.
  std::int64_t consideredCount() const { return m_admission.consideredCount(); }

 private:
  SchedulingState m_state;
  const BlockNeed m_need;
  const BatchGate m_gate;
  Aging m_aging;
  Admission m_admission;
  Preemptor m_preemptor;
  BudgetPlan m_budget;
  ContextEviction m_eviction;
  int m_admitted = 0;            // in this step, without beams that joined their search
  bool m_planIsCurrent = false;  // what Admit planned for the running sequences still holds
};

}  // namespace vitrine

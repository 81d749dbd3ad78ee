#include "scheduling/scheduler.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "scheduling/forking.h"
#include "scheduling/look_ahead.h"
#include "scheduling/policy.h"
#include "scheduling/swap_in.h"

namespace vitrine {

Scheduler::Scheduler(const SchedulerOptions& options, EventStream& events, PrefixIndex::Hash hash,
                     SwapSpace* swap)
    : m_state(options, events, hash, swap),
      m_need(m_state),
      m_gate(m_state),
      m_aging(m_state),
      m_admission(m_state),
      m_preemptor(m_state),
      m_budget(m_state),
      m_eviction(m_state) {}

void Scheduler::change(const SchedulerOptions& options, SwapSpace* swap, bool swapsOut,
                       const RequestOf& requestOf) {
  m_planIsCurrent = false;
  const SchedulerOptions before = std::exchange(m_state.options, options);
  std::vector<Sequence*> all(m_state.waiting.begin(), m_state.waiting.end());
  all.insert(all.end(), m_state.running.begin(), m_state.running.end());
  if (options.prefixCache && !before.prefixCache) {
    for (Sequence* sequence : all) sequence->registeredBlocks = 0, sequence->chain = PrefixLink{};
  }
  m_state.blocks.usePrefixCache(options.prefixCache);
  if (swap != nullptr) m_state.swap = swap;
  m_state.swapsOut = swapsOut;
  if (options.policy == before.policy && options.agingSteps == before.agingSteps) return;
  for (Sequence* sequence : all) m_aging.remove(*sequence);
  for (Sequence* sequence : all) {
    const std::int64_t rank =
        rankOf(options.policy, options.agingSteps, claimOf(*sequence, requestOf(*sequence)));
    if (sequence->status == SequenceStatus::kRunning)
      sequence->rank = rank;
    else
      m_state.waiting.setRank(*sequence, rank);
    m_aging.add(*sequence);
  }
  std::ranges::stable_sort(m_state.running,
                           [](const Sequence* a, const Sequence* b) { return goesBefore(*a, *b); });
}

void Scheduler::stamp(Sequence& sequence, const Request& request) const {
  sequence.submittedStep = m_state.events.step();
  sequence.submittedNs = m_state.events.nowNs();
  sequence.rank = rankOf(m_state.options.policy, m_state.options.agingSteps, claimOf(sequence, request));
}

void Scheduler::submit(Sequence& sequence) {
  VITRINE_CHECK(sequence.totalTokens() >= 1 && sequence.sequenceSlots <= m_state.options.maxSequences);
  VITRINE_CHECK(m_need.toHold(sequence.totalTokens()) <= m_state.options.numBlocks);
  WaitingQueue::Entry entry(sequence);
  m_aging.add(sequence);
  m_state.waiting.add(std::move(entry));
}

bool Scheduler::admit() {
  m_planIsCurrent = false;
  m_admitted = 0;
  m_aging.apply();
  m_budget.share();
  const Admission::Result result = m_admission.admit(m_budget.plan());
  m_admitted = result.admitted - result.joined;
  m_planIsCurrent = result.admitted == 0;
  if (result.admitted > 0) return true;
  if (!result.lacksSlotsOrBlocks()) return false;
  const PrefixHits& hits = m_admission.hitsOf(*result.refused);
  m_planIsCurrent = m_preemptor.preemptFor(*result.refused, hits, result.room, m_budget.plan()) == 0;
  return false;
}

const StepPlan& Scheduler::plan(bool drafts) {
  if (!m_planIsCurrent) m_budget.share();
  m_planIsCurrent = false;
  const StepPlan& plan = m_budget.plan();
  // [why:preemption]
  while (plan.blocks > m_state.blocks.pool().freeCount()) {
    VITRINE_CHECK(m_admitted == 0);  // a step that preempts admits nothing
    // One sequence alone always fits, and one beam search: submit() requires it.
    const Sequence &first = *m_state.running.front(), &last = *m_state.running.back();
    VITRINE_CHECK(last.beams > 1 ? first.request != last.request : m_state.running.size() > 1);
    m_preemptor.preemptForMemory(plan);
    m_budget.share();
  }
  // [/why:preemption]
  if (drafts) m_budget.grantDrafts();
  for (const Work& work : plan.work) {
    const int end = work.firstPosition + work.tokens;
    const int written =
        work.kind == WorkKind::kDecode ? 0 : std::clamp(end - work.sequence->promptTokens, 0, work.tokens);
    m_state.events.publish(SequenceScheduled{work.id, work.kind, work.firstPosition, work.tokens,
                                             work.totalTokens, work.draftTokens, written});
  }
  m_state.events.publish(StepPlanned{plan.decodeTokens, plan.prefillTokens, m_state.options.tokenBudget,
                                     static_cast<int>(plan.work.size())});
  return plan;
}

void Scheduler::allocate() {
  StepPlan& plan = m_budget.plan();
  if (m_state.swap != nullptr) swapIn(m_state, plan);
  for (const Work& work : plan.work) {
    Sequence& sequence = *work.sequence;
    if (work.copiesTail) {
      const int tail = static_cast<int>(sequence.blockTable.size()) - 1;
      plan.copies.push_back(m_state.blocks.copyOnWrite(sequence.id, sequence.blockTable, tail));
    }
    // [why:allocation]
    for (int i = 0; i < work.newBlocks; ++i) {
      m_state.blocks.allocate(sequence.id, sequence.blockTable);
      const int index = static_cast<int>(sequence.blockTable.size()) - 1, evicted = sequence.evictedTokens;
      if (evicted > 0) sequence.blockStarts.push_back(evicted + index * m_state.options.blockSize);
    }
    // [/why:allocation]
  }
}

void Scheduler::advance() {
  inTurn(m_budget.plan().work, [](const Work& work) { work.sequence->computedTokens += work.tokens; });
}

void Scheduler::fork(Sequence& parent, Sequence& child) {
  m_planIsCurrent = false;
  vitrine::fork(m_state, m_aging, parent, child);
}

void Scheduler::replace(Sequence& parent, Sequence& child) {
  m_planIsCurrent = false;
  vitrine::replace(m_state, parent, child);
}

void Scheduler::rollBack(Sequence& sequence) {
  m_planIsCurrent = false;
  // [why:rollback]
  const int lost = sequence.computedTokens - (sequence.totalTokens() - 1);
  sequence.draft.clear();
  if (lost <= 0) return;
  sequence.computedTokens -= lost;
  const int kept = m_state.blocks.blocksFor(sequence.computedTokens);
  m_state.events.publish(DraftRolledBack{sequence.id, sequence.computedTokens, lost,
                                         static_cast<int>(sequence.blockTable.size()) - kept});
  m_state.blocks.release(sequence.id, sequence.blockTable, kept);
  // [/why:rollback]
}

void Scheduler::registerBlocks() {
  const int size = m_state.options.blockSize;
  for (const Work& work : m_budget.plan().work) {
    if (!work.mayFillBlock) continue;
    Sequence& sequence = *work.sequence;
    if (sequence.evictedTokens > 0) continue;  // what comes now was computed from less than all before it
    for (; (sequence.registeredBlocks + 1) * size <= sequence.computedTokens; ++sequence.registeredBlocks) {
      const std::size_t i = static_cast<std::size_t>(sequence.registeredBlocks);
      const std::span<const TokenId> tokens =
          std::span(sequence.tokens)
              .subspan(i * static_cast<std::size_t>(size), static_cast<std::size_t>(size));
      sequence.chain = m_state.blocks.registerBlock(sequence.chain, sequence.cacheSalt, tokens,
                                                    sequence.blockTable[i], sequence.request);
    }
  }
}

void Scheduler::evictContext() {
  m_planIsCurrent = false;
  m_eviction.evictWhereFull();
}

void Scheduler::forgetKv(Sequence& sequence) {
  m_planIsCurrent = false;
  // [why:forget]
  m_state.events.publish(KvForgotten{sequence.id, sequence.computedTokens});
  m_state.dropKv(sequence);
  // [/why:forget]
}

void Scheduler::finish(Sequence& sequence, FinishReason reason) {
  m_planIsCurrent = false;
  if (sequence.status == SequenceStatus::kRunning) {
    m_state.running.erase(std::ranges::find(m_state.running, &sequence));
  } else {
    m_state.waiting.remove(sequence);
  }
  m_aging.remove(sequence);
  sequence.status = SequenceStatus::kFinished;
  sequence.finishReason = reason;
  sequence.draft.clear();
  sequence.computedTokens =
      std::min(sequence.computedTokens, sequence.totalTokens());  // a failed step's draft
  m_state.events.publish(SequenceFinished{sequence.id, reason, sequence.outputTokens()});
  m_state.blocks.release(sequence.id, sequence.blockTable);
  sequence.blockStarts.clear();
  if (m_state.swap != nullptr) m_state.swap->forget(sequence.id);
}

}  // namespace vitrine

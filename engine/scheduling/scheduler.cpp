// Phases 2 to 6 of the step, as far as they need no tensors.
#include "scheduling/scheduler.h"

#include <algorithm>

#include "core/check.h"
#include "scheduling/policy.h"

namespace vitrine {

Scheduler::Scheduler(const SchedulerOptions& options, EventStream& events, PrefixIndex::Hash hash,
                     SwapSpace* swap)
    : m_options(options),
      m_events(events),
      m_swap(swap),
      m_blocks(options.numBlocks, options.blockSize, options.prefixCache, events, hash) {
  VITRINE_CHECK(options.maxSequences >= 1 && options.tokenBudget >= 1);
  m_running.reserve(static_cast<std::size_t>(options.maxSequences));
}

void Scheduler::submit(Sequence& sequence) {
  VITRINE_CHECK(sequence.totalTokens() >= 1 && sequence.places <= m_options.maxSequences);
  VITRINE_CHECK(blocksToHold(sequence.totalTokens()) <= m_options.numBlocks);
  WaitingQueue::Place place(sequence);
  if (ages()) m_ageing.insert(&sequence);
  m_waiting.add(std::move(place));
}

bool Scheduler::writesSharedTail(const Sequence& sequence) const {
  const std::size_t tail = static_cast<std::size_t>(sequence.residentTokens() / m_options.blockSize);
  if (tail >= sequence.blockTable.size()) return false;  // full, or its own once it is swapped in
  return sequence.residentTokens() % m_options.blockSize != 0 && m_blocks.isShared(sequence.blockTable[tail]);
}

int Scheduler::copiesInPlan(BlockId block) const {
  int copies = 0;
  for (const Work& work : m_plan.work) {
    if (work.copiesTail && work.sequence->blockTable.back() == block) ++copies;
  }
  return copies;
}

// One kind of work, the most important first, with what is left of the token budget.
void Scheduler::shareBudgetAmong(WorkKind kind) {
  for (Sequence* sequence : m_running) {
    if (sequence->isDecoding() != (kind == WorkKind::kDecode)) continue;
    const int left = m_options.tokenBudget - m_plan.tokens();
    const bool whole = kind == WorkKind::kPrefill && !m_options.chunkedPrefill;
    const int room = m_options.eviction.capacity() - sequence->residentTokens();
    const int most = std::min(sequence->remainingTokens(), room);
    const int tokens = whole ? most : std::min(most, left);
    // A whole prefill waits for a step that holds it; one beyond any budget, for a step of its own.
    if (tokens <= 0 || (tokens > left && !m_plan.work.empty())) continue;

    const int end = sequence->computedTokens + tokens;
    const int newBlocks =
        m_blocks.blocksFor(end - sequence->evictedTokens) - static_cast<int>(sequence->blockTable.size());
    // Of several holders of a half filled block, the ones that write first copy it, and the last one keeps
    // it.
    const bool copiesTail =
        writesSharedTail(*sequence) &&
        m_blocks.isShared(sequence->blockTable.back(), copiesInPlan(sequence->blockTable.back()));
    m_plan.work.push_back({sequence, kind, sequence->computedTokens, tokens, newBlocks, copiesTail,
                           end == sequence->totalTokens()});
    m_plan.blocks += newBlocks + (copiesTail ? 1 : 0);
    (kind == WorkKind::kDecode ? m_plan.decodeTokens : m_plan.prefillTokens) += tokens;
  }
}

// The work of the running sequences in this step, as if there were blocks without limit.
void Scheduler::shareBudget() {
  m_plan.work.clear();
  m_plan.copies.clear();
  m_plan.decodeTokens = m_plan.prefillTokens = m_plan.blocks = 0;
  shareBudgetAmong(WorkKind::kDecode);
  shareBudgetAmong(WorkKind::kPrefill);
}

// One token at a time in turn, the most important sequence first, so that all drafts shrink alike.
void Scheduler::grantDrafts() {
  int budget = m_options.tokenBudget - m_plan.tokens();
  int free = m_blocks.pool().freeCount() - m_plan.blocks;
  for (bool granted = true; granted;) {
    granted = false;
    for (Work& work : m_plan.work) {
      if (work.kind != WorkKind::kDecode || work.draftTokens >= work.sequence->wantedDraft) continue;
      const int end = work.firstPosition + work.tokens;
      const int newBlocks = m_blocks.blocksFor(end + 1) - m_blocks.blocksFor(end);
      if (budget < 1 || free < newBlocks) continue;
      granted = true;
      --budget, ++work.tokens, ++work.draftTokens, ++m_plan.decodeTokens;
      free -= newBlocks, work.newBlocks += newBlocks, m_plan.blocks += newBlocks;
    }
  }
}

// Preempts for the first sequence that lacks blocks; it may be the victim itself. The beams of one search are
// neighbours in the running set, and are preempted together.
void Scheduler::preemptForMemory() {
  SequencePreempted fate{};
  fate.forSequence = m_running.back()->id;
  fate.freeBlocks = m_blocks.pool().freeCount();
  for (const Work& work : m_plan.work) {
    fate.freeBlocks -= fate.neededBlocks;
    fate.neededBlocks = work.newBlocks + (work.copiesTail ? 1 : 0);
    fate.forSequence = work.sequence->id;
    if (fate.neededBlocks > fate.freeBlocks) break;
  }
  const RequestId search = m_running.back()->beams > 1 ? m_running.back()->request : 0;
  do {
    preemptLast(fate);
  } while (search != 0 && !m_running.empty() && m_running.back()->request == search);
}

// The least important one. The blocks go back, the tokens stay. Once there is room, what was computed is
// swapped in or computed again.
void Scheduler::preemptLast(SequencePreempted fate) {
  Sequence& victim = *m_running.back();
  WaitingQueue::Place place(victim);
  // What the victim alone holds will be free; the event comes first, so that its blocks' freeing has a
  // reason.
  const auto lastHolder = [&](BlockId block) { return m_blocks.pool().refCount(block) == 1; };
  fate.sequence = victim.id;
  fate.freedBlocks = static_cast<int>(std::ranges::count_if(victim.blockTable, lastHolder));
  fate.lostTokens = victim.computedTokens;
  chooseFate(victim, fate);
  m_events.publish(fate);

  m_running.pop_back();
  const bool swapped = fate.how == Preemption::kSwap;
  const int computed = swapped ? victim.computedTokens : 0;
  resetCache(victim);
  victim.status = swapped ? SequenceStatus::kSwapped : SequenceStatus::kPreempted;
  victim.computedTokens = computed;
  if (victim.beams > 1) victim.places = victim.index == 0 ? victim.beams : 1;
  ++victim.preemptions;
  m_waiting.add(std::move(place));
}

void Scheduler::resetCache(Sequence& sequence) {
  m_blocks.release(sequence.id, sequence.blockTable);
  sequence.blockStarts.clear();
  sequence.attentionScores.clear();
  sequence.computedTokens = sequence.cachedTokens = sequence.evictedTokens = 0;
  sequence.chain = PrefixLink{};
  sequence.registeredBlocks = 0;
}

const StepPlan& Scheduler::plan() {
  shareBudget();
  while (m_plan.blocks > m_blocks.pool().freeCount()) {
    VITRINE_CHECK(m_admitted == 0);  // a step that preempts admits nothing
    // One sequence alone always fits, and one beam search: submit saw to it.
    const Sequence &first = *m_running.front(), &last = *m_running.back();
    VITRINE_CHECK(last.beams > 1 ? first.request != last.request : m_running.size() > 1);
    preemptForMemory();
    shareBudget();
  }
  grantDrafts();
  for (const Work& work : m_plan.work) {
    m_events.publish(SequenceScheduled{work.sequence->id, work.kind, work.firstPosition, work.tokens,
                                       work.sequence->totalTokens(), work.draftTokens});
  }
  m_events.publish(StepPlanned{m_plan.decodeTokens, m_plan.prefillTokens, m_options.tokenBudget,
                               static_cast<int>(m_plan.work.size())});
  return m_plan;
}

void Scheduler::allocate() {
  if (m_swap != nullptr) swapIn();
  for (const Work& work : m_plan.work) {
    Sequence& sequence = *work.sequence;
    if (work.copiesTail) {
      const int tail = static_cast<int>(sequence.blockTable.size()) - 1;
      m_plan.copies.push_back(m_blocks.copyOnWrite(sequence.id, sequence.blockTable, tail));
    }
    for (int i = 0; i < work.newBlocks; ++i) {
      m_blocks.allocate(sequence.id, sequence.blockTable);
      const int place = static_cast<int>(sequence.blockTable.size()) - 1, evicted = sequence.evictedTokens;
      if (evicted > 0) sequence.blockStarts.push_back(evicted + place * m_options.blockSize);
    }
  }
}

void Scheduler::advance() {
  for (const Work& work : m_plan.work) work.sequence->computedTokens += work.tokens;
}

void Scheduler::rollBack(Sequence& sequence) {
  const int lost = sequence.computedTokens - (sequence.totalTokens() - 1);
  sequence.draft.clear();
  if (lost <= 0) return;
  sequence.computedTokens -= lost;
  const int kept = m_blocks.blocksFor(sequence.computedTokens);
  m_events.publish(DraftRolledBack{sequence.id, sequence.computedTokens, lost,
                                   static_cast<int>(sequence.blockTable.size()) - kept});
  m_blocks.release(sequence.id, sequence.blockTable, kept);
}

void Scheduler::registerBlocks() {
  const std::size_t size = static_cast<std::size_t>(m_options.blockSize);
  for (const Work& work : m_plan.work) {
    Sequence& sequence = *work.sequence;
    if (sequence.evictedTokens > 0) continue;  // what comes now was computed from less than all before it
    for (; (sequence.registeredBlocks + 1) * m_options.blockSize <= sequence.computedTokens;
         ++sequence.registeredBlocks) {
      const std::size_t i = static_cast<std::size_t>(sequence.registeredBlocks);
      const std::span<const TokenId> tokens = std::span(sequence.tokens).subspan(i * size, size);
      sequence.chain =
          m_blocks.registerBlock(sequence.chain, sequence.cacheSalt, tokens, sequence.blockTable[i]);
    }
  }
}

void Scheduler::forgetKv(Sequence& sequence) {
  m_events.publish(KvForgotten{sequence.id, sequence.computedTokens});
  resetCache(sequence);
}

void Scheduler::finish(Sequence& sequence, FinishReason reason) {
  if (sequence.status == SequenceStatus::kRunning) {
    m_running.erase(std::ranges::find(m_running, &sequence));
  } else {
    m_waiting.remove(sequence);
  }
  if (ages()) m_ageing.erase(&sequence);
  sequence.status = SequenceStatus::kFinished;
  sequence.finishReason = reason;
  sequence.draft.clear();
  sequence.computedTokens =
      std::min(sequence.computedTokens, sequence.totalTokens());  // a failed step's draft
  m_events.publish(SequenceFinished{sequence.id, reason, sequence.outputTokens()});
  m_blocks.release(sequence.id, sequence.blockTable);
  sequence.blockStarts.clear();
  if (m_swap != nullptr) m_swap->forget(sequence.id);
}

}  // namespace vitrine

// Aging, and preemption by importance.
//
// The first waiting sequence may preempt running ones that rank behind it, if it lacks only slots or blocks.
// It never preempts for tokens, since each step has new ones. A step that preempts admits nothing.
//
// A beam search is preempted as a whole, however many of its beams run. A more important request goes before
// the beams that have yet to join their search's first one; these block all requests behind them, like any
// other.
//
// This ends, and no request starves, since
//   1. a sequence is preempted only for one that goes before it, and the first waiting request blocks all
//   behind
//      it. So while a preempted sequence waits, no sequence that goes behind it runs, unless it has aged
//      since;
//   2. ranks change finitely often: only under deadline, where each falls at most once, when it ages;
//   3. only finitely many requests go before a given one: under priority, those submitted less than
//   agingSteps
//      steps later for each point they have more; under deadline, those submitted before it aged. (agingSteps
//      0 gives this up: a stream of more important requests may then block another for as long as it lasts.)
// Take the first of all unfinished sequences. By 1 it is never preempted while it runs. While it waits, no
// other sequence is admitted, so every step brings a running one nearer to its end or removes it. (A search
// that is not whole does not end. But it can be preempted, or it is this sequence's own search, and then it
// computes what the siblings wait for.) So the first sequence finishes, and by 2 and 3 every sequence becomes
// the first. tst_policy measures the bound that follows.
#include <algorithm>

#include "scheduling/policy.h"
#include "scheduling/room.h"

namespace vitrine {

void Scheduler::stamp(Sequence& sequence, int priority, double deadlineMs) const {
  sequence.submittedStep = m_events.step();
  sequence.submittedNs = m_events.nowNs();
  sequence.rank = rankOf(m_options.policy, m_options.agingSteps, priority,
                         deadlineAt(sequence.submittedNs, deadlineMs), sequence.submittedStep);
}

void Scheduler::age() {
  if (!ages()) return;
  const std::int64_t now = m_events.nowNs();
  while (!m_ageing.empty()) {
    Sequence& one = **m_ageing.begin();
    const int steps = m_events.step() - one.submittedStep;
    if (steps < m_options.agingSteps) return;
    m_ageing.erase(m_ageing.begin());
    if (one.rank <= now) continue;  // due already, and so from now on
    if (one.status == SequenceStatus::kRunning) {
      m_running.erase(std::ranges::find(m_running, &one));
      one.rank = now;
      insertBehindEquals(m_running, one);
    } else {
      m_waiting.setRank(one, now);
    }
    m_events.publish(SequenceAged{one.id, steps, now});
  }
}

// What the first of the queue would find if the last `leaving` running ones had gone.
Scheduler::Offer Scheduler::offerWithout(std::size_t leaving, const Room& room) const {
  const std::span<Sequence* const> gone = std::span(m_running).last(leaving);
  Offer offer{room.places, room.tokens,
              m_blocks.pool().freeCount() - m_hits.freeBlocks - room.promisedBlocks};
  std::vector<BlockId> held;
  for (const Sequence* sequence : gone) {
    offer.places += sequence->places;
    offer.blocks += blocksPromised(*sequence);
    held.insert(held.end(), sequence->blockTable.begin(), sequence->blockTable.end());
    for (const Work& work : m_plan.work) offer.tokens += work.sequence == sequence ? work.tokens : 0;
  }
  std::ranges::sort(held);
  for (std::size_t i = 0, end = 0; i < held.size(); i = end) {
    while (end < held.size() && held[end] == held[i]) ++end;
    const bool othersHoldIt = m_blocks.pool().refCount(held[i]) > static_cast<int>(end - i);
    // A block it hits is not counted among those it needs.
    if (!othersHoldIt && std::ranges::find(m_hits.links, held[i], &PrefixLink::block) == m_hits.links.end())
      ++offer.blocks;
  }
  return offer;
}

// Preempts the fewest of the least important sequences that are enough, or none. The beams of one search are
// preempted together.
void Scheduler::preemptFor(const Sequence& first, const Room& room) {
  const int blocks = blocksNeeded(first), tokens = tokensNeeded(first);
  std::vector<Offer> offers{offerWithout(0, room)};
  const auto suffices = [&](const Offer& offer) {
    return first.places <= offer.places && blocks <= offer.blocks &&
           (tokens <= offer.tokens || offer.tokens == m_options.tokenBudget);
  };
  const auto splitsSearch = [&](std::size_t leaving) {
    if (leaving == 0 || leaving == m_running.size()) return false;
    const Sequence* const* const goes = &m_running[m_running.size() - leaving];
    return (*goes)->beams > 1 && (*goes)->request == goes[-1]->request;
  };
  while (splitsSearch(offers.size() - 1) || !suffices(offers.back())) {
    const std::size_t leaving = offers.size();
    if (leaving > m_running.size() || !goesBefore(first, *m_running[m_running.size() - leaving])) return;
    offers.push_back(offerWithout(leaving, room));
  }
  offers.pop_back();
  for (const Offer& offer : offers) {
    SequencePreempted fate{};
    fate.forSequence = first.id;
    fate.reason = PreemptReason::kImportance;
    fate.neededBlocks = blocks;
    fate.freeBlocks = std::max(offer.blocks, 0);
    fate.neededPlaces = first.places;
    fate.freePlaces = offer.places;
    preemptLast(fate);
  }
}

}  // namespace vitrine

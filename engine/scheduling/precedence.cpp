// What rank does beyond order: aging, and who gives way to whom.
//
// A less important running sequence gives way to a waiting one that only lacks its place or its blocks; for
// tokens nobody does, they come anew with each step. Nobody is admitted in a step in which somebody gave way.
//
// A beam search gives way whole, however much of it runs. While some of its beams have yet to join the first
// one, who is more important comes before them; they hold back all behind like any other.
//
// This comes to an end, and nobody starves, since
//   1. a sequence gives way only to one that goes before it, and who waits in front holds back all behind. So
//   whenever
//      one waits that has run, none that goes behind it runs, unless it has aged meanwhile;
//   2. ranks change finitely often: never but for deadlines, and there each falls at most once, when it ages;
//   3. before a given request go only finitely many: by priority, those submitted less than agingSteps steps
//      later for each point they have more; by deadline, those submitted before it aged. (agingSteps 0 gives
//      this up: then a stream of more important requests may hold another back for as long as it lasts.)
// So take the first of all unfinished sequences. By 1 it never gives way while it runs; while it waits nobody
// else is admitted, so every step brings a running one nearer to its end or removes it (a search that is not
// whole does not end, but it can be pushed aside, or it is this one's, and then computes what its sisters
// wait for). It therefore finishes, and by 2 and 3 the turn of each comes. tst_policy measures the bound that
// follows.
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
    if (!othersHoldIt && std::ranges::find(m_hits.blocks, held[i]) == m_hits.blocks.end()) ++offer.blocks;
  }
  return offer;
}

// The fewest of the least important that suffice give way, or nobody; the beams of one search go together.
void Scheduler::makeWay(const Sequence& first, const Room& room) {
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

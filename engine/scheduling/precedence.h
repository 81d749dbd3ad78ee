// Precedence: which running sequences the first waiting one may preempt.
//
// It may preempt sequences that rank behind it, if it lacks only slots or blocks. It never preempts for
// tokens, since each step has new ones. A step that preempts admits nothing. A beam search is preempted as a
// whole, however many of its beams run. A more important request goes before the beams that have yet to join
// their search's first one; these block all requests behind them, like any other.
//
// This ends, and no request starves, since
//   1. a sequence is preempted only for one that goes before it, and the first waiting request blocks all
//      requests behind it. So while a preempted sequence waits, no sequence that goes behind it runs, unless
//      it has aged since;
//   2. ranks change finitely often: only under deadline, where each falls at most once (aging.h);
//   3. only finitely many requests go before a given one: policy.h has the bound of each policy.
// Take the first of all unfinished sequences. By 1 it is never preempted while it runs. While it waits, no
// other sequence is admitted, so every step brings a running one nearer to its end or removes it. (A search
// that is not whole does not end. But it can be preempted, or it is this sequence's own search, and then it
// computes what the siblings wait for.) So the first sequence finishes, and by 2 and 3 every sequence becomes
// the first. tst_policy measures the bound that follows.
//
// Inputs: the state, unchanged; the waiting sequence, its hits, the room of this step and the plan of the
// running sequences. Events: none. Thread: the engine's. Read next: preemptor.h.
#pragma once

#include <span>
#include <vector>

#include "scheduling/block_need.h"
#include "scheduling/step_plan.h"
#include "scheduling/step_room.h"

namespace vitrine {

class Precedence {
 public:
  // What would be free if the last sequences of the running set were preempted.
  struct Offer {
    int freeSlots, tokens, blocks;
  };

  explicit Precedence(const SchedulingState& state);

  // One offer for each sequence to preempt, from the last one on: what is free before it leaves. Empty when
  // no number of sequences behind the waiting one is enough. The result is valid until the next call.
  std::span<const Offer> offersFor(const Sequence& waiting, const PrefixHits& hits, const StepRoom& room,
                                   const StepPlan& plan);
  int blocksNeeded(const Sequence& waiting, const PrefixHits& hits) const {
    return m_need.toAdmit(waiting, hits);
  }

 private:
  bool makeOffers(const Sequence& waiting, const PrefixHits& hits, const StepPlan& plan);
  bool splitsSearch(std::size_t leaving) const;
  Offer offerWith(Offer before, const Sequence& leaving, const PrefixHits& hits, const StepPlan& plan);

  const SchedulingState& m_state;
  const BlockNeed m_need;
  std::vector<Offer> m_offers;
  std::vector<int> m_leavingHolders;  // of each block, among the sequences of an offer; 0 between calls
};

}  // namespace vitrine

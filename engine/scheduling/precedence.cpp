#include "scheduling/precedence.h"

#include <algorithm>

#include "scheduling/policy.h"

namespace vitrine {

// All memory is reserved here: no look at the running set fails halfway.
Precedence::Precedence(const SchedulingState& state)
    : m_state(state), m_need(state), m_leavingHolders(static_cast<std::size_t>(state.options.numBlocks)) {
  m_offers.reserve(static_cast<std::size_t>(state.options.maxSequences) + 1);
}

std::span<const Precedence::Offer> Precedence::offersFor(const Sequence& waiting, const PrefixHits& hits,
                                                         const StepRoom& room, const StepPlan& plan) {
  const int free = m_state.blocks.pool().freeCount();
  m_offers.assign(1, {room.freeSlots, room.tokens, free - hits.freeBlocks - room.promisedBlocks});
  const bool enough = makeOffers(waiting, hits, plan);
  const std::size_t leaving = m_offers.size() - 1;
  for (const Sequence* sequence : std::span(m_state.running).last(leaving))
    for (const BlockId block : sequence->blockTable) m_leavingHolders[static_cast<std::size_t>(block)] = 0;
  return std::span(m_offers).first(enough ? leaving : 0);
}

// Adds an offer for each sequence that leaves, until the last offer is enough. Returns whether it is.
bool Precedence::makeOffers(const Sequence& waiting, const PrefixHits& hits, const StepPlan& plan) {
  const int blocks = m_need.toAdmit(waiting, hits), tokens = m_need.tokensToAdmit(waiting, hits);
  // [why:importance]
  const auto suffices = [&](const Offer& offer) {
    return waiting.sequenceSlots <= offer.freeSlots && blocks <= offer.blocks &&
           (tokens <= offer.tokens || offer.tokens == m_state.options.tokenBudget);
  };
  const std::vector<Sequence*>& running = m_state.running;
  while (splitsSearch(m_offers.size() - 1) || !suffices(m_offers.back())) {
    const std::size_t leaving = m_offers.size();
    if (leaving > running.size() || !goesBefore(waiting, *running[running.size() - leaving])) return false;
    m_offers.push_back(offerWith(m_offers.back(), *running[running.size() - leaving], hits, plan));
  }
  return true;
  // [/why:importance]
}

// Whether some beams of a search would leave and others stay.
bool Precedence::splitsSearch(std::size_t leaving) const {
  const std::vector<Sequence*>& running = m_state.running;
  if (leaving == 0 || leaving == running.size()) return false;
  const Sequence* const* const goes = &running[running.size() - leaving];
  return (*goes)->beams > 1 && (*goes)->request == goes[-1]->request;
}

// A block becomes free with its last holder. A block that the waiting sequence hits is not among those that
// it needs, so it does not count.
Precedence::Offer Precedence::offerWith(Offer before, const Sequence& leaving, const PrefixHits& hits,
                                        const StepPlan& plan) {
  const BlockPool& pool = m_state.blocks.pool();
  Offer offer = before;
  offer.freeSlots += leaving.sequenceSlots;
  offer.blocks += m_need.promised(leaving);
  for (const Work& work : plan.work) offer.tokens += work.sequence == &leaving ? work.tokens : 0;
  for (const BlockId block : leaving.blockTable) {
    if (++m_leavingHolders[static_cast<std::size_t>(block)] < pool.refCount(block)) continue;
    const bool isHit = std::ranges::find(hits.links, block, &PrefixLink::block) != hits.links.end();
    if (!isHit) ++offer.blocks;
  }
  return offer;
}

}  // namespace vitrine

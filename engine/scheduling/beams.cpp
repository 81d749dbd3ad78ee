// Sequences of one request that share blocks: how they part, and how preempted beams come together again.
//
// A preempted search comes back as it began: its first sequence is admitted with places for all, and only
// when it has computed the full blocks its sisters begin with do they join and hold them too. So a search
// never takes more than the prompt's full blocks once and everything behind them for each beam, which is what
// submit counts.
#include <algorithm>

#include "core/check.h"
#include "scheduling/room.h"

namespace vitrine {
namespace {

void inherit(const Sequence& parent, Sequence& child) {
  child.tokens = parent.tokens;
  child.computedTokens = parent.computedTokens;
  child.cachedTokens = parent.cachedTokens;
  child.chain = parent.chain;
  child.registeredBlocks = parent.registeredBlocks;
  child.evictedTokens = parent.evictedTokens;
  child.blockStarts = parent.blockStarts;
  child.attentionMass = parent.attentionMass;
}

}  // namespace

void Scheduler::fork(const Sequence& parent, Sequence& child) {
  inherit(parent, child);
  child.status = SequenceStatus::kRunning;
  child.promptTokens = parent.promptTokens;
  child.cacheSalt = parent.cacheSalt;
  child.beams = parent.beams;
  --firstOf(child.request)->places;  // one of those it held for its request
  const auto isSister = [&](const Sequence* one) { return one->request == child.request; };
  m_running.insert(std::ranges::find_if(m_running.rbegin(), m_running.rend(), isSister).base(), &child);
  m_events.publish(SequenceForked{parent.id, child.id, child.request, child.index,
                                  static_cast<int>(parent.blockTable.size())});
  m_blocks.share(parent.blockTable, child.id, child.blockTable);
}

void Scheduler::replace(const Sequence& parent, Sequence& child) {
  VITRINE_CHECK(&parent != &child && child.status == SequenceStatus::kRunning);
  m_events.publish(SequenceReplaced{child.id, parent.id, static_cast<int>(parent.blockTable.size())});
  m_blocks.release(child.id, child.blockTable);
  inherit(parent, child);
  m_blocks.share(parent.blockTable, child.id, child.blockTable);
}

// The running sequence with index 0; null when it waits.
Sequence* Scheduler::firstOf(RequestId request) const {
  const auto found =
      std::ranges::find_if(m_running, [&](const Sequence* one) { return one->request == request; });
  return found == m_running.end() ? nullptr : *found;
}

// The full blocks with which both begin. One token of the sister is left to compute, for its logits.
int Scheduler::sharedBlocks(const Sequence& first, const Sequence& sister) const {
  const auto [end, other] = std::ranges::mismatch(first.tokens, sister.tokens);
  const int common = static_cast<int>(end - first.tokens.begin());
  return std::min(common, sister.totalTokens() - 1) / m_options.blockSize;
}

// What the waiting sisters of a search's first sequence will need beside it.
int Scheduler::absentBlocks(const Sequence& first) const {
  int blocks = 0;
  for (const Sequence* sister : m_waiting) {
    if (sister == &first || sister->request != first.request) continue;
    blocks += m_blocks.blocksFor(sister->totalTokens()) - sharedBlocks(first, *sister);
  }
  return blocks;
}

// Blocks are no reason: admitting the first one asked for all, and by now a shortage is the plan's to solve.
std::optional<SequenceWaiting> Scheduler::refusalToReunite(const Sequence& first, const Sequence& sister,
                                                           const Room& room) const {
  if (room.willPreempt)
    return SequenceWaiting{sister.id, WaitReason::kPreemption, m_plan.blocks, m_blocks.pool().freeCount()};
  const int shared = sharedBlocks(first, sister) * m_options.blockSize;
  if (first.computedTokens < shared)
    return SequenceWaiting{sister.id, WaitReason::kBeams, shared, first.computedTokens};
  const int toCompute = sister.totalTokens() - shared;
  const bool alone = room.tokens == m_options.tokenBudget;
  if (!m_options.chunkedPrefill && toCompute > room.tokens && !alone)
    return SequenceWaiting{sister.id, WaitReason::kTokenBudget, toCompute, std::max(room.tokens, 0)};
  return std::nullopt;
}

// Beams whose first one runs again join it, in their order. False when some still have to wait.
bool Scheduler::reunite(Room& room) {
  bool whole = true;
  for (auto place = m_waiting.begin(); place != m_waiting.end();) {
    Sequence& sister = **place;
    Sequence* first = sister.beams > 1 && sister.index > 0 ? firstOf(sister.request) : nullptr;
    if (first == nullptr) {
      ++place;
      continue;
    }
    const auto reason = refusalToReunite(*first, sister, room);
    if (reason || !whole) {
      tellWaiting(sister, reason.value_or(SequenceWaiting{sister.id, WaitReason::kBehind, 0, 0}));
      whole = false;
      ++place;
      continue;
    }
    place = m_waiting.erase(place);
    join(*first, sister, room);
  }
  return whole;
}

void Scheduler::join(Sequence& first, Sequence& sister, Room& room) {
  const int shared = sharedBlocks(first, sister);
  m_running.push_back(&sister);
  --first.places;
  sister.status = SequenceStatus::kRunning;
  sister.lastWait.reset();
  sister.computedTokens = sister.cachedTokens = shared * m_options.blockSize;
  m_events.publish(SequenceAdmitted{sister.id, sister.cachedTokens, sister.totalTokens(), true});
  m_blocks.share(std::span(first.blockTable).first(static_cast<std::size_t>(shared)), sister.id,
                 sister.blockTable);
  room.tokens -=
      m_options.chunkedPrefill ? std::min(sister.remainingTokens(), room.tokens) : sister.remainingTokens();
  room.promisedBlocks += m_blocks.blocksFor(sister.totalTokens()) - shared;
}

}  // namespace vitrine

// Sequences of one request that share blocks: how they part, and how preempted beams come together again.
//
// A preempted search comes back as it began: its first sequence is admitted with places and blocks for all,
// and only when it has computed the full blocks its sisters begin with do they join, each at its turn, and
// hold them too. So a search never takes more than the prompt's full blocks once and everything behind them
// for each beam, which is what submit counts. Who is more important than a search that is not whole yet comes
// before its sisters, and may push what there is of it aside.
#include <algorithm>

#include "core/check.h"
#include "scheduling/policy.h"
#include "scheduling/room.h"

namespace vitrine {
namespace {

// What a child takes over, copied before anything changes: a copy may fail for want of memory.
struct Inheritance {
  explicit Inheritance(const Sequence& parent)
      : tokens(parent.tokens), blockStarts(parent.blockStarts), attentionMass(parent.attentionMass) {
    blockTable.reserve(parent.blockTable.size());
  }
  std::vector<TokenId> tokens;
  std::vector<int> blockStarts;
  std::vector<float> attentionMass;
  BlockTable blockTable;  // empty, with room for the parent's blocks
};

void inherit(const Sequence& parent, Inheritance copies, Sequence& child) noexcept {
  child.tokens = std::move(copies.tokens);
  child.blockStarts = std::move(copies.blockStarts);
  child.attentionMass = std::move(copies.attentionMass);
  child.blockTable = std::move(copies.blockTable);
  child.computedTokens = parent.computedTokens;
  child.cachedTokens = parent.cachedTokens;
  child.chain = parent.chain;
  child.registeredBlocks = parent.registeredBlocks;
  child.evictedTokens = parent.evictedTokens;
}

}  // namespace

void Scheduler::fork(const Sequence& parent, Sequence& child) {
  inherit(parent, Inheritance(parent), child);
  child.status = SequenceStatus::kRunning;
  child.promptTokens = parent.promptTokens;
  child.cacheSalt = parent.cacheSalt;
  child.beams = parent.beams;
  child.rank = parent.rank;
  child.submittedStep = parent.submittedStep;
  child.submittedNs = parent.submittedNs;
  if (ages()) m_ageing.insert(&child);
  --firstOf(child.request)->places;  // one of those it held for its request
  insertBehindEquals(m_running, child);
  m_events.publish(SequenceForked{parent.id, child.id, child.request, child.index,
                                  static_cast<int>(parent.blockTable.size())});
  m_blocks.share(parent.blockTable, child.id, child.blockTable);
}

void Scheduler::replace(const Sequence& parent, Sequence& child) {
  VITRINE_CHECK(&parent != &child && child.status == SequenceStatus::kRunning);
  Inheritance copies(parent);
  m_events.publish(SequenceReplaced{child.id, parent.id, static_cast<int>(parent.blockTable.size())});
  m_blocks.release(child.id, child.blockTable);
  inherit(parent, std::move(copies), child);
  m_blocks.share(parent.blockTable, child.id, child.blockTable);
}

// The running sequence with index 0; null when it waits.
Sequence* Scheduler::firstOf(RequestId request) const {
  const auto found =
      std::ranges::find_if(m_running, [&](const Sequence* one) { return one->request == request; });
  return found == m_running.end() ? nullptr : *found;
}

// The first beam of its search, when that one runs and this one has yet to join it; otherwise null.
Sequence* Scheduler::firstToJoin(const Sequence& sister) const {
  return sister.beams > 1 && sister.index > 0 ? firstOf(sister.request) : nullptr;
}

// The full blocks with which both begin. One token of the sister is left to compute, for its logits.
int Scheduler::sharedBlocks(const Sequence& first, const Sequence& sister) const {
  const auto [end, other] = std::ranges::mismatch(first.tokens, sister.tokens);
  const int common = static_cast<int>(end - first.tokens.begin());
  return std::min(common, sister.totalTokens() - 1) / m_options.blockSize;
}

// What the waiting sisters of a search's first sequence will need beside it; of any other sequence nothing.
int Scheduler::absentBlocks(const Sequence& first) const {
  int blocks = 0;
  if (first.beams == 1 || first.index > 0) return blocks;
  for (auto next = m_waiting.behind(first); next != m_waiting.end(); ++next) {
    const Sequence& sister = **next;
    if (sister.request != first.request) break;
    blocks += m_blocks.blocksFor(sister.totalTokens()) - sharedBlocks(first, sister);
  }
  return blocks;
}

// Blocks are no reason: admitting the first one asked for all, and by now a shortage is the plan's to solve.
std::optional<SequenceWaiting> Scheduler::refusalToJoin(const Sequence& first, const Sequence& sister,
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

void Scheduler::join(Sequence& first, Sequence& sister, Room& room) {
  const int shared = sharedBlocks(first, sister);
  sister.blockTable.reserve(static_cast<std::size_t>(shared));
  m_waiting.remove(sister);
  insertBehindEquals(m_running, sister);
  --first.places;
  sister.status = SequenceStatus::kRunning;
  sister.lastWait.reset();
  sister.computedTokens = sister.cachedTokens = shared * m_options.blockSize;
  m_events.publish(SequenceAdmitted{sister.id, sister.cachedTokens, sister.totalTokens(), true});
  m_blocks.share(std::span(first.blockTable).first(static_cast<std::size_t>(shared)), sister.id,
                 sister.blockTable);
  room.tokens -=
      m_options.chunkedPrefill ? std::min(sister.remainingTokens(), room.tokens) : sister.remainingTokens();
}

}  // namespace vitrine

// Sequences of one request that share blocks: how they diverge, and how preempted beams resume.
//
// A preempted search resumes the way it started. Its first sequence is admitted with slots and blocks for all
// beams. When it has computed the full blocks that its siblings begin with, the siblings join, each at its
// turn, and share these blocks. So a search never takes more than the prompt's full blocks once and all other
// blocks for each beam, which is what submit counts. A more important request goes before the siblings of a
// search that is not whole yet, and may preempt the part of it that runs.
#include <algorithm>

#include "core/check.h"
#include "scheduling/policy.h"
#include "scheduling/room.h"

namespace vitrine {
namespace {

// What a child takes over, copied before anything changes: a copy may fail for want of memory.
struct Inheritance {
  explicit Inheritance(const Sequence& parent)
      : tokens(parent.tokens), blockStarts(parent.blockStarts), attentionScores(parent.attentionScores) {
    blockTable.reserve(parent.blockTable.size());
  }
  std::vector<TokenId> tokens;
  std::vector<int> blockStarts;
  std::vector<float> attentionScores;
  BlockTable blockTable;  // empty, with room for the parent's blocks
};

void inherit(const Sequence& parent, Inheritance copies, Sequence& child) noexcept {
  child.tokens = std::move(copies.tokens);
  child.blockStarts = std::move(copies.blockStarts);
  child.attentionScores = std::move(copies.attentionScores);
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

// The first beam of the search, when it runs and this sibling has yet to join it; otherwise null.
Sequence* Scheduler::firstToJoin(const Sequence& sibling) const {
  return sibling.beams > 1 && sibling.index > 0 ? firstOf(sibling.request) : nullptr;
}

// The full blocks with which both begin. One token of the sibling is left to compute, for its logits.
int Scheduler::sharedBlocks(const Sequence& first, const Sequence& sibling) const {
  const auto [end, other] = std::ranges::mismatch(first.tokens, sibling.tokens);
  const int common = static_cast<int>(end - first.tokens.begin());
  return std::min(common, sibling.totalTokens() - 1) / m_options.blockSize;
}

// Blocks that the waiting siblings of a search's first sequence will need in addition; 0 for any other
// sequence.
int Scheduler::absentBlocks(const Sequence& first) const {
  int blocks = 0;
  if (first.beams == 1 || first.index > 0) return blocks;
  for (auto next = m_waiting.behind(first); next != m_waiting.end(); ++next) {
    const Sequence& sibling = **next;
    if (sibling.request != first.request) break;
    blocks += m_blocks.blocksFor(sibling.totalTokens()) - sharedBlocks(first, sibling);
  }
  return blocks;
}

// Blocks are no reason to wait: the first sequence was admitted with blocks for all, and Plan solves a
// shortage.
std::optional<SequenceWaiting> Scheduler::refusalToJoin(const Sequence& first, const Sequence& sibling,
                                                        const Room& room) const {
  if (room.willPreempt)
    return SequenceWaiting{sibling.id, WaitReason::kPreemption, m_plan.blocks, m_blocks.pool().freeCount()};
  const int shared = sharedBlocks(first, sibling) * m_options.blockSize;
  if (first.computedTokens < shared)
    return SequenceWaiting{sibling.id, WaitReason::kBeams, shared, first.computedTokens};
  const int toCompute = sibling.totalTokens() - shared;
  const bool alone = room.tokens == m_options.tokenBudget;
  if (!m_options.chunkedPrefill && toCompute > room.tokens && !alone)
    return SequenceWaiting{sibling.id, WaitReason::kTokenBudget, toCompute, std::max(room.tokens, 0)};
  return std::nullopt;
}

void Scheduler::join(Sequence& first, Sequence& sibling, Room& room) {
  const int shared = sharedBlocks(first, sibling);
  sibling.blockTable.reserve(static_cast<std::size_t>(shared));
  m_waiting.remove(sibling);
  insertBehindEquals(m_running, sibling);
  --first.places;
  sibling.status = SequenceStatus::kRunning;
  sibling.lastWait.reset();
  sibling.computedTokens = sibling.cachedTokens = shared * m_options.blockSize;
  m_events.publish(SequenceAdmitted{sibling.id, sibling.cachedTokens, sibling.totalTokens(), true});
  m_blocks.share(std::span(first.blockTable).first(static_cast<std::size_t>(shared)), sibling.id,
                 sibling.blockTable);
  room.tokens -=
      m_options.chunkedPrefill ? std::min(sibling.remainingTokens(), room.tokens) : sibling.remainingTokens();
}

}  // namespace vitrine

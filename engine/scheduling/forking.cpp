#include "scheduling/forking.h"

#include "core/check.h"
#include "scheduling/policy.h"

namespace vitrine {
namespace {

// What a child takes over, copied before anything changes: a copy may fail for lack of memory.
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

void inherit(Sequence& parent, Inheritance copies, Sequence& child) noexcept {
  parent.forked = child.forked = true;
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

void fork(SchedulingState& state, Aging& aging, Sequence& parent, Sequence& child) {
  inherit(parent, Inheritance(parent), child);
  child.status = SequenceStatus::kRunning;
  child.promptTokens = parent.promptTokens;
  child.cacheSalt = parent.cacheSalt;
  child.beams = parent.beams;
  child.rank = parent.rank;
  child.submittedStep = parent.submittedStep;
  child.submittedNs = parent.submittedNs;
  aging.add(child);
  --state.firstRunning(child.request)->sequenceSlots;  // one of those it held for its request
  insertBehindEquals(state.running, child);
  state.events.publish(SequenceForked{parent.id, child.id, child.request, child.index,
                                      static_cast<int>(parent.blockTable.size())});
  state.blocks.share(parent.blockTable, child.id, child.blockTable);
}

void replace(SchedulingState& state, Sequence& parent, Sequence& child) {
  VITRINE_CHECK(&parent != &child && child.status == SequenceStatus::kRunning);
  Inheritance copies(parent);
  state.events.publish(SequenceReplaced{child.id, parent.id, static_cast<int>(parent.blockTable.size())});
  state.blocks.release(child.id, child.blockTable);
  inherit(parent, std::move(copies), child);
  state.blocks.share(parent.blockTable, child.id, child.blockTable);
}

}  // namespace vitrine

// BlockNeed: how many blocks and tokens a sequence needs, to be admitted or to go on. Decides nothing.
//
// The numbers are those that SequenceWaiting and SequencePreempted carry. Inputs: the state, unchanged; for a
// waiting sequence its prefix hits. Invariant: a sequence that was admitted with blocksNeeded() blocks never
// takes more for the tokens that it had then. Events: none. Thread: the engine's. Read next: admission.h.
#pragma once

#include "scheduling/scheduling_state.h"

namespace vitrine {

class BlockNeed {
 public:
  explicit BlockNeed(const SchedulingState& state) : m_state(state) {}

  // Blocks that a sequence holds at most while it computes so many tokens: with eviction, no more than its
  // context.
  int toHold(int tokens) const {
    return std::min(m_state.blocks.blocksFor(tokens), m_state.options.eviction.mostBlocks());
  }

  // Blocks that a running sequence still needs for its tokens and, if it is the first beam of a search, for
  // the siblings that have yet to join it. Siblings that share a half filled block count a copy each,
  // although the last one to write needs none: one block of caution.
  int promised(const Sequence& sequence) const;

  // Blocks that a waiting sequence needs beyond its hits, and for a beam search those of all its beams. With
  // eviction, hits that fill its whole context cost one more block: it evicts one of them from its table at
  // once, and other sequences may hold that one.
  int toAdmit(const Sequence& sequence, const PrefixHits& hits) const;

  // Tokens of the budget that a waiting sequence needs to be admitted: one, or without chunked prefill all
  // that hits and swapped out content do not provide.
  int tokensToAdmit(const Sequence& sequence, const PrefixHits& hits) const;

  // Whether the next token goes into a half filled block that other sequences hold as well.
  bool writesSharedTail(const Sequence& sequence) const;

  // The full blocks with which both begin. One token of the sibling is left to compute, for its logits.
  int sharedBlocks(const Sequence& first, const Sequence& sibling) const;

 private:
  int absentBlocks(const Sequence& first) const;

  const SchedulingState& m_state;
};

}  // namespace vitrine

// Rules of decisions about KV blocks, with a step's numbers. Internal to why.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/rules.h"

namespace vitrine::prose {

struct BlockRules : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;
  using enum Decision;

  // Requires blockSize > 0.
  Rule hits(const SequenceAdmitted& e, int blockSize) const {
    const int most = (e.totalTokens - 1) / blockSize;
    return {kPrefixHit, tr("%n cached block(s) in a row <= floor((%1 - 1) / %2) = %3: reuse %4", nullptr,
                           e.cachedTokens / blockSize)
                            .arg(e.totalTokens, blockSize, most, tokens(e.cachedTokens))};
  }
  Rule miss(const PrefixMissed& e, int blockSize) const {
    if (e.cause == MissCause::kEvicted)
      return {kPrefixMiss, tr("the next block was evicted in step %1 -> whole blocks found: %2")
                               .arg(e.evictedStep, tokens(e.matchedTokens))};
    return {kPrefixMiss, tr("token %1 == %2 -> false at position %3: floor(%3 / %4) * %4 = %5")
                             .arg(e.ours, e.theirs, e.position, blockSize, tokens(e.matchedTokens))};
  }
  std::vector<Rule> operator()(const BlockCopied& e) const {
    return {{kCopyOnWrite, tr("references of block %1 > 1 -> true: copy it before the write").arg(e.from)}};
  }
  // `end`: the tokens that the blocks hold then; 0 where that does not follow from the number of blocks.
  Rule allocation(int count, int end, int blockSize, int freeThen) const {
    if (end == 0)
      return {kAllocation,
              tr("need %n block(s) <= %1 free -> true: take from the front", nullptr, count).arg(freeThen)};
    const int all = (end + blockSize - 1) / blockSize;
    return {kAllocation, tr("need ceil(%1 / %2) - %3 held = %4 <= %5 free -> true: take from the front")
                             .arg(end, blockSize, all - count, blocks(count), freeThen)};
  }
  Rule indexEviction(int count) const {
    return {kIndexEviction, tr("the front of the free queue is cached -> true, %n time(s): forget its tokens",
                               nullptr, count)};
  }
  Rule registration(int count, int blockSize) const {
    return {kRegister,
            tr("%1 computed tokens in a block == %1 -> true for %2: register").arg(blockSize, blocks(count))};
  }
  Rule release(int freed, int kept) const {
    if (kept == 0) return {kRelease, tr("references - 1 == 0 -> true for %1: free").arg(blocks(freed))};
    if (freed == 0)
      return {kRelease, tr("references - 1 == 0 -> false for %1: others hold it").arg(blocks(kept))};
    return {kRelease, tr("references - 1 == 0 -> true for %1: free; false for %2: others hold it")
                          .arg(blocks(freed), kept)};
  }
  std::vector<Rule> operator()(const ContextEvicted& e) const {
    return {
        {kContextEviction,
         e.score > 0
             ? tr("context == its limit -> true: evict the least attention, %1 of block %2")
                   .arg(decimal(e.score, 3), e.block)
             : tr("context == its limit -> true: evict the first block behind the sinks, %1").arg(e.block)}};
  }
  std::vector<Rule> operator()(const SequenceForked& e) const { return shares(e.sharedBlocks); }
  std::vector<Rule> operator()(const SequenceReplaced& e) const { return shares(e.sharedBlocks); }
  Rule swapIn(int count) const {
    return {kSwapIn, tr("%n block(s) outside the pool > 0 -> true: read them back", nullptr, count)};
  }
  std::vector<Rule> operator()(const SwapFailed& e) const {
    const Decision decision = e.move == SwapMove::kIn       ? kSwapIn
                              : e.move == SwapMove::kDemote ? kDemotion
                                                            : kSwapOrDrop;
    return {{decision, tr("the move failed -> drop %n token(s)", nullptr, e.lostTokens)}};
  }
  Rule demotion(int count) const {
    return {kDemotion,
            tr("free slots in memory == 0 -> true, %n time(s): the oldest block moves on", nullptr, count)};
  }

 private:
  std::vector<Rule> shares(int count) const {
    return {{kShare, tr("%1: references + 1, no copy").arg(blocks(count))}};
  }
};

}  // namespace vitrine::prose

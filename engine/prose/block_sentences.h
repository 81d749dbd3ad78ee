// Sentences about KV blocks. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct BlockSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const BlockAllocated& e) const { return run(e, 1, m_language.number(e.block)); }
  EventProse operator()(const BlockHit& e) const { return run(e, 1, listed(e)); }
  EventProse operator()(const BlockFreed& e) const { return run(e, 1, listed(e)); }
  EventProse operator()(const BlockShared& e) const {
    return {
        tr("Block shared"),
        tr("%1 shares block %2 (%n reference(s)).", nullptr, e.refCount).arg(sequence(e.sequence), e.block)};
  }
  EventProse operator()(const BlockCopied& e) const {
    return {tr("Block copied on write"),
            tr("%1 writes into shared block %2, so it is copied to block %3 (copy-on-write).")
                .arg(sequence(e.sequence), block(e.from), block(e.to))};
  }
  EventProse operator()(const BlockCached& e) const {
    return {tr("Block cached"),
            tr("Block %1 is full and enters the prefix index (hash %2).").arg(e.block, shortHash(e.hash))};
  }
  EventProse operator()(const BlockEvicted& e) const {
    return {tr("Block evicted"),
            tr("Block %1 leaves the prefix index (hash %2).").arg(e.block, shortHash(e.hash))};
  }
  EventProse operator()(const ContextEvicted& e) const {
    const std::string what =
        tr("The context of %1 is full, so %1 evicts block %2 with %3.")
            .arg(sequence(e.sequence), block(e.block), positions(e.firstPosition, e.tokens));
    return {tr("Context evicted"),
            what + " " +
                (e.score > 0 ? tr("Its tokens received the least attention (%1).").arg(decimal(e.score, 3))
                             : std::string(tr("It is the first block behind the attention sinks.")))};
  }

  EventProse operator()(const PrefixMissed& e) const {
    return {tr("Prefix missed"), e.cause == MissCause::kDiffers ? difference(e) : eviction(e)};
  }

  // Some blocks of one sequence, listed as "3, 5-8".
  EventProse run(const BlockAllocated& e, int count, const std::string& list) const {
    return {tr("Block allocated"),
            tr("%1 allocates %n block(s): %2.", nullptr, count).arg(sequence(e.sequence), list)};
  }
  EventProse run(const BlockHit& e, int count, const std::string& list) const {
    return {
        tr("Prefix cache hit"),
        tr("%1 finds %n block(s) in the prefix index: %2.", nullptr, count).arg(sequence(e.sequence), list)};
  }
  EventProse run(const BlockFreed& e, int count, const std::string& list) const {
    const std::string subject = sequence(e.sequence);
    if (e.refCount == 0)
      return {tr("Block freed"), tr("%1 frees %n block(s): %2.", nullptr, count).arg(subject, list)};
    return {tr("Block released"),
            tr("%1 releases %n block(s) that other sequences hold: %2.", nullptr, count).arg(subject, list)};
  }

 private:
  String difference(const PrefixMissed& e) const {
    const std::string where =
        tr("After %n equal token(s) %1 has %3 where %2 has %4.", nullptr, e.position)
            .arg(sequence(e.sequence), request(e.owner), token(e.ours, e), token(e.theirs, e));
    return where + " " +
           (e.matchedTokens == 0
                ? std::string(tr("Only whole blocks are reused, so it computes all %n token(s).", nullptr,
                                 e.recomputedTokens))
                : tr("Only whole blocks are reused, so it computes %1 of its %2.")
                      .arg(e.recomputedTokens, tokens(e.matchedTokens + e.recomputedTokens)));
  }
  String eviction(const PrefixMissed& e) const {
    const std::string what =
        e.matchedTokens == 0
            ? tr("The block of %1 that %2 begins with was evicted in step %3.")
                  .arg(request(e.owner), sequence(e.sequence), step(e.evictedStep))
            : tr("%1 begins with %n cached token(s); the block of %2 that came next was evicted in step %3.",
                 nullptr, e.matchedTokens)
                  .arg(sequence(e.sequence), request(e.owner), step(e.evictedStep));
    return what + " " +
           (e.matchedTokens == 0
                ? tr("So %1 computes all %n token(s).", nullptr, e.recomputedTokens).arg(sequence(e.sequence))
                : tr("So %1 computes %2 of its %3.")
                      .arg(sequence(e.sequence), e.recomputedTokens,
                           tokens(e.matchedTokens + e.recomputedTokens)));
  }
  String listed(const BlockHit& e) const {
    return tr("%1 (%n reference(s), hash %2)", nullptr, e.refCount).arg(e.block, shortHash(e.hash));
  }
  String listed(const BlockFreed& e) const {
    if (e.refCount == 0) return m_language.number(e.block);
    return tr("%1 (%n reference(s) left)", nullptr, e.refCount).arg(e.block);
  }
};

}  // namespace vitrine::prose

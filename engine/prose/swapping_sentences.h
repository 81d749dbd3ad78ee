// Sentences about blocks outside the pool. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct SwappingSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const BlockSwappedOut& e) const {
    return {tr("Block swapped out"),
            tr("%1 swaps out block %2 (%3) to %4.")
                .arg(sequence(e.sequence), e.block, byteSize(e.bytes, m_language), slotIn(e.tier, e.slot))};
  }
  EventProse operator()(const BlockSwappedIn& e) const {
    return {tr("Block swapped in"),
            tr("%1 swaps in block %2 (%3) from %4.")
                .arg(sequence(e.sequence), e.block, byteSize(e.bytes, m_language), slotIn(e.tier, e.slot))};
  }
  EventProse operator()(const BlockDemoted& e) const {
    return {tr("Swapped block moved to the file"),
            tr("A swapped block of %1, the one with index %2, moves from %3 to %4.")
                .arg(sequence(e.sequence), e.index, slotIn(SwapTier::kHost, e.hostSlot),
                     slotIn(SwapTier::kDisk, e.diskSlot))};
  }
  EventProse operator()(const SwapFailed& e) const {
    const std::string subject = sequence(e.sequence), cause = fault(e.message, e.hint);
    return {tr("Swapping failed"),
            (e.move == SwapMove::kIn ? tr("Swapping in %1 failed: %2").arg(subject, cause)
                                     : tr("Swapping out %1 failed: %2").arg(subject, cause)) +
                " " + std::string(tr("%n token(s) must be computed again.", nullptr, e.lostTokens)) +
                (e.move == SwapMove::kIn ? " " + std::string(tr("It leaves the plan of this step.")) : "")};
  }
  EventProse operator()(const StepSwapped& e) const {
    return {tr("Step swapped"),
            tr("Swapping took the engine %1: %2 out (%3), %4 on to the file (%5), %6 in (%7).")
                .arg(duration(e.ns, m_language), blocks(e.outBlocks), byteSize(e.outBytes, m_language),
                     e.demotedBlocks, byteSize(e.demotedBytes, m_language), e.inBlocks,
                     byteSize(e.inBytes, m_language)),
            {tr("Memory holds %1 now, the file %2.").arg(blocks(e.hostBlocks), e.diskBlocks)}};
  }

 private:
  String slotIn(SwapTier tier, int slot) const {
    return tier == SwapTier::kHost ? tr("memory slot %1").arg(slot) : tr("file slot %1").arg(slot);
  }
};

}  // namespace vitrine::prose

// Sentences about the scheduler's decisions. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct SchedulingSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const SequenceWaiting& e) const {
    return {tr("Sequence waits"), tr("%1 waits: %2.").arg(sequence(e.sequence), waitReason(e, m_language))};
  }
  EventProse operator()(const SequenceAged& e) const {
    return {tr("Sequence aged"),
            tr("%1 has been in the engine for %n step(s), so it counts as due from now on (aging).", nullptr,
               e.steps)
                .arg(sequence(e.sequence))};
  }
  EventProse operator()(const SequenceAdmitted& e) const {
    const int rest = e.totalTokens - e.cachedTokens - e.swappedTokens;
    const std::string subject = sequence(e.sequence);
    std::string sentence = e.resumed
                               ? tr("%1 resumes with %n token(s)", nullptr, e.totalTokens).arg(subject)
                               : tr("%1 is admitted with %n token(s)", nullptr, e.totalTokens).arg(subject);
    if (e.cachedTokens > 0) sentence += tr(", %1 from the prefix cache").arg(e.cachedTokens);
    if (e.swappedTokens > 0) sentence += tr(", %1 to swap in").arg(e.swappedTokens);
    return {e.resumed ? tr("Sequence resumed") : tr("Sequence admitted"),
            sentence + tr(", %1 to compute.").arg(rest)};
  }
  EventProse operator()(const SequenceScheduled& e) const {
    const std::string subject = sequence(e.sequence);
    if (e.kind == WorkKind::kDecode) {
      const std::string position = tr("%1 decodes position %2").arg(subject, e.firstPosition);
      return {tr("Decode scheduled"),
              e.draftTokens == 0
                  ? tr("%1.").arg(position)
                  : tr("%1 and verifies %n draft token(s).", nullptr, e.draftTokens).arg(position)};
    }
    const int end = e.firstPosition + e.tokens;
    const std::string work = tr("%1 prefills %n token(s), positions %2 to %3", nullptr, e.tokens)
                                 .arg(subject, e.firstPosition, end - 1);
    return {tr("Prefill scheduled"),
            end < e.totalTokens ? tr("%1; %2 left for later steps.").arg(work, tokens(e.totalTokens - end))
                                : tr("%1, and then samples its next token.").arg(work)};
  }
  EventProse operator()(const SequencePreempted& e) const {
    return {tr("Sequence preempted"), causeOf(e) + " " + costOf(e)};
  }
  EventProse operator()(const KvForgotten& e) const {
    return {tr("KV discarded"),
            tr("Without a KV cache %1 discards %n computed token(s); the next step computes them again.",
               nullptr, e.lostTokens)
                .arg(sequence(e.sequence))};
  }
  EventProse operator()(const SequenceForked& e) const {
    return {tr("Sequence forked"), tr("%1 forks from %2 and shares its %3.")
                                       .arg(sequence(e.child), sequence(e.parent), blocks(e.sharedBlocks))};
  }
  EventProse operator()(const SequenceFinished& e) const {
    return {tr("Sequence finished"),
            tr("%1 finishes after %2: %3.")
                .arg(sequence(e.sequence), tokens(e.completionTokens), finishReason(e.reason, m_language))};
  }

 private:
  String causeOf(const SequencePreempted& e) const {
    const std::string subject = sequence(e.sequence), need = blocks(e.neededBlocks);
    if (e.reason == PreemptReason::kImportance)
      return tr("%1 is preempted: %2 ranks before it and needs %3 (%4 free) and %5 (%6 free).")
          .arg(subject, sequence(e.forSequence), need, e.freeBlocks,
               std::string(tr("%n sequence slot(s)", nullptr, e.neededSlots)), e.freeSlots);
    if (e.sequence == e.forSequence)
      return tr("%1 is preempted: it needs %2, %3 free.").arg(subject, need, e.freeBlocks);
    return tr("%1 is preempted: %2 needs %3, %4 free.")
        .arg(subject, sequence(e.forSequence), need, e.freeBlocks);
  }
  String costOf(const SequencePreempted& e) const {
    if (e.how == Preemption::kSwap)
      return tr("This frees %1 and swaps out %2.").arg(blocks(e.freedBlocks), blocks(e.swapBlocks));
    const std::string cost =
        tr("This frees %1; %2 must be computed again").arg(blocks(e.freedBlocks), tokens(e.lostTokens));
    if (e.cause == PreemptionCause::kBeams)
      return tr("%1: beams share blocks and are not swapped.").arg(cost);
    if (e.cause == PreemptionCause::kNoRoom)
      return tr("%1: swapping needs room for %2, %3 free.").arg(cost, blocks(e.swapBlocks), e.swapRoom);
    return tr("%1.").arg(cost);
  }
};

}  // namespace vitrine::prose

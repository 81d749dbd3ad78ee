// Sentences about the scheduler's decisions. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/decision_reasons.h"

namespace vitrine::prose {

struct SchedulingSentences : DecisionReasons {
  VITRINE_PROSE_CONTEXT(Prose)
  using DecisionReasons::DecisionReasons;

  EventProse operator()(const SequenceWaiting& e) const {
    const std::string subject = sequence(e.sequence);
    if (e.reason == WaitReason::kBehind && e.behind != 0)
      return {tr("Sequence waits"),
              tr("%1 waits behind %2, which cannot be admitted (head-of-line blocking).")
                  .arg(subject, sequence(e.behind))};
    return {tr("Sequence waits"), tr("%1 waits: %2.").arg(subject, waitReason(e, m_language))};
  }
  EventProse operator()(const SequenceAged& e) const {
    return {tr("Sequence aged"),
            tr("%1 has been in the engine for %n step(s), so it counts as due from now on (aging).", nullptr,
               e.steps)
                .arg(sequence(e.sequence))};
  }
  EventProse operator()(const SequenceAdmitted& e) const {
    if (e.totalTokens == 0)  // an engine that is seen from outside
      return {tr("First token came"), tr("The first token of %1 comes.").arg(sequence(e.sequence))};
    const int rest = e.totalTokens - e.cachedTokens - e.swappedTokens;
    const std::string subject = sequence(e.sequence);
    std::string sentence = e.resumed
                               ? tr("%1 resumes with %n token(s)", nullptr, e.totalTokens).arg(subject)
                               : tr("%1 is admitted with %n token(s)", nullptr, e.totalTokens).arg(subject);
    if (e.writtenTokens > 0)
      sentence +=
          tr(" (%1 of the prompt, %2 generated)").arg(e.totalTokens - e.writtenTokens, e.writtenTokens);
    // A beam that joins its search shares blocks; so may an older trace, which has no numbers of the need.
    const bool mayShare = e.resumed && e.neededSlots == 0;
    if (e.cachedTokens > 0)
      sentence += (mayShare ? tr(", %1 in shared or cached blocks") : tr(", %1 from the prefix cache"))
                      .arg(e.cachedTokens);
    if (e.swappedTokens > 0) sentence += tr(", %1 to swap in").arg(e.swappedTokens);
    return {e.resumed ? tr("Sequence resumed") : tr("Sequence admitted"),
            sentence + tr(", %1 to compute.").arg(rest) + whyAdmitted(e)};
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
    std::string work = tr("%1 prefills %n token(s), %2", nullptr, e.tokens)
                           .arg(subject, positions(e.firstPosition, e.tokens, e.sequence));
    if (e.writtenTokens == e.tokens && e.tokens > 0)
      work += tr(" (all generated before)");
    else if (e.writtenTokens > 0)
      work += tr(" (%1 of the prompt, %2 generated before)").arg(e.tokens - e.writtenTokens, e.writtenTokens);
    return {tr("Prefill scheduled"),
            end < e.totalTokens ? tr("%1; %2 left for later steps.").arg(work, tokens(e.totalTokens - end))
                                : tr("%1, and then can sample its next token.").arg(work)};
  }
  EventProse operator()(const SequencePreempted& e) const {
    return {tr("Sequence preempted"), causeOf(e) + " " + whyThisOne(e) + costOf(e)};
  }
  EventProse operator()(const KvForgotten& e) const {
    return {tr("KV discarded"),
            tr("Without a KV cache %1 discards what it has computed, %2; the next step computes it again.")
                .arg(sequence(e.sequence), tokens(e.lostTokens))};
  }
  EventProse operator()(const SequenceForked& e) const {
    return {tr("Sequence forked"), tr("%1 forks from %2 and shares its %3.")
                                       .arg(sequence(e.child), sequence(e.parent), blocks(e.sharedBlocks))};
  }
  EventProse operator()(const SequenceFinished& e) const {
    return {tr("Sequence finished"), endOf(e.reason).arg(sequence(e.sequence), tokens(e.completionTokens))};
  }

 private:
  Pattern endOf(FinishReason reason) const {
    switch (reason) {
      case FinishReason::kStop:
        return tr("%1 finishes after %2: an end token or a stop string ends it.");
      case FinishReason::kLength:
        return tr("%1 finishes after %2, the most that it may generate.");
      case FinishReason::kCancelled:
        return tr("%1 ends after %2: its request is cancelled.");
      case FinishReason::kFailed:
        return tr("%1 ends after %2: its request has failed.");
      case FinishReason::kPruned:
        return tr("%1 ends after %2: it is not among the answers of its search.");
    }
    return tr("%1 ends after %2.");
  }
};

}  // namespace vitrine::prose

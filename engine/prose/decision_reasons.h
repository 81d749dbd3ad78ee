// Why the scheduler admits or preempts a sequence, in sentences. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/policy_words.h"
#include "prose/whole_search.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct DecisionReasons : PolicyWords {
  VITRINE_PROSE_CONTEXT(Prose)
  using PolicyWords::PolicyWords;

 protected:
  // Nothing of a beam that joins its search, nor in a trace from before these numbers.
  String whyAdmitted(const SequenceAdmitted& e) const {
    if (e.neededSlots == 0) return {};
    std::string why =
        " " +
        (e.neededTokens <= e.freeTokens
             ? tr("It needs %1 (free %2), %3 (free %4) and %5 of the step's budget (%6 left).")
             : tr("It needs %1 (free %2), %3 (free %4) and %5. They exceed the budget of %6, so it gets "
                  "a step of its own."))
            .arg(slotsOf(e), e.freeSlots, blocks(e.neededBlocks), e.freeBlocks, tokensOf(e), e.freeTokens);
    if (e.waiting > 1)
      why += " " + tr("It is the first of %n waiting sequence(s) (policy %1: %2).", nullptr, e.waiting)
                       .arg(std::string(nameOf(e.standing.policy)), numbersOf(e.standing));
    if (e.windowLeftMs > 0)
      why += " " + tr("The batch is full %1 ms before its window ends.").arg(e.windowLeftMs);
    return why;
  }
  String whyThisOne(const SequencePreempted& e) const {
    if (e.running == 0) return {};
    std::string why =
        (e.running == 1 ? tr("%1 is the only running sequence (policy %2: %3).")
                        : tr("%1 ranks last of %n running sequence(s) (policy %2: %3).", nullptr, e.running))
            .arg(sequence(e.sequence), std::string(nameOf(e.standing.policy)), numbersOf(e.standing)) +
        " ";
    if (e.reason == PreemptReason::kImportance)
      why += tr("%1 ranks before it (%2).").arg(sequence(e.forSequence), numbersOf(e.forStanding)) + " ";
    return why;
  }
  String causeOf(const SequencePreempted& e) const {
    const std::string subject = sequence(e.sequence), need = blocks(e.neededBlocks);
    if (isPartOfSearch(e))
      return tr("%1 is preempted with the other beams of its search, for %2.")
          .arg(subject, sequence(e.forSequence));
    if (e.reason == PreemptReason::kImportance)
      return tr("%1 is preempted: %2 needs %3 (free %4) and %5 (free %6) at %7.")
          .arg(subject, sequence(e.forSequence), need, e.freeBlocks,
               std::string(tr("%n slot(s)", nullptr, e.neededSlots)), e.freeSlots,
               phaseName(Phase::kAdmit, m_language));
    const std::string plan = phaseName(Phase::kPlan, m_language);
    if (e.sequence == e.forSequence)
      return tr("%1 is preempted: it needs %2, free %3 at %4.").arg(subject, need, e.freeBlocks, plan);
    return tr("%1 is preempted: %2 needs %3, free %4 at %5.")
        .arg(subject, sequence(e.forSequence), need, e.freeBlocks, plan);
  }
  String costOf(const SequencePreempted& e) const {
    if (e.how == Preemption::kSwap)
      return (e.freedBlocks == e.swapBlocks
                  ? tr("This swaps out and frees %1.")
                  : tr("This swaps out %1 and frees %2 of them; other sequences hold the rest."))
          .arg(blocks(e.swapBlocks), e.freedBlocks);
    const std::string cost = e.lostTokens == 0
                                 ? tr("This frees %1.").arg(blocks(e.freedBlocks))
                                 : tr("This frees %1 and drops %n computed token(s).", nullptr, e.lostTokens)
                                       .arg(blocks(e.freedBlocks));
    switch (e.cause) {
      case PreemptionCause::kBeams:
        return cost + " " + std::string(tr("Beams share blocks and are not swapped."));
      case PreemptionCause::kNoRoom:
        return cost + " " +
               tr("Swapping it out needs room for %1 (free %2).").arg(blocks(e.swapBlocks), e.swapRoom);
      case PreemptionCause::kNothing:
        return cost + " " + std::string(tr("It holds no block to swap out."));
      case PreemptionCause::kFailed:
        return cost + " " + std::string(tr("Swapping it out has failed."));
      default:
        return cost;
    }
  }

 private:
  String slotsOf(const SequenceAdmitted& e) const {
    return e.neededSlots == 1 ? tr("%n slot(s)", nullptr, 1)
                              : tr("%n slot(s), one a sequence", nullptr, e.neededSlots);
  }
  // With chunked prefill one token of the budget is enough to begin.
  String tokensOf(const SequenceAdmitted& e) const {
    const bool isPart = e.neededTokens < e.totalTokens - e.cachedTokens - e.swappedTokens;
    return isPart ? tr("at least %n token(s)", nullptr, e.neededTokens) : tokens(e.neededTokens);
  }
};

}  // namespace vitrine::prose

// Rules of the scheduler's plan: which sequence is preempted, and what is computed. Internal to why.cpp.
// Thread: any.
#pragma once

#include "prose/speaker.h"
#include "prose/whole_search.h"
#include "vitrine/prose/rules.h"

namespace vitrine::prose {

struct PlanRules : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;
  using enum Decision;

  std::vector<Rule> operator()(const SequencePreempted& e) const {
    const Decision cause = e.reason == PreemptReason::kImportance ? kImportance : kPreemption;
    std::string need =
        isPartOfSearch(e) ? std::string(tr("another beam of its search is preempted -> true: preempt all"))
        : cause == kImportance
            ? tr("%1 ranks before it and needs blocks %2 <= %3 free and slots %4 <= %5 free -> false: "
                 "preempt")
                  .arg(sequence(e.forSequence), e.neededBlocks, e.freeBlocks, e.neededSlots, e.freeSlots)
            : tr("%1 needs %2 <= %3 free -> false: preempt")
                  .arg(sequence(e.forSequence), blocks(e.neededBlocks), e.freeBlocks);
    if (e.running > 0)
      need += "\n" +
              std::string(tr("victim = last of %n running sequence(s) by policy %1 = %2", nullptr, e.running)
                              .arg(std::string(nameOf(e.standing.policy)), sequence(e.sequence)));
    return {{cause, std::move(need)}, {kSwapOrDrop, fateOf(e)}};
  }
  std::vector<Rule> operator()(const SequenceScheduled& e) const {
    if (e.kind == WorkKind::kDecode) return {};  // decodes share a row
    const int end = e.firstPosition + e.tokens;
    return {
        {kBudget, (end < e.totalTokens ? tr("%1 computed + a chunk of %2 = %3 == %4 tokens -> false: %5 left")
                                       : tr("%1 computed + a chunk of %2 = %3 == %4 tokens -> true: sample"))
                      .arg(e.firstPosition, e.tokens, end, e.totalTokens, e.totalTokens - end)}};
  }
  std::vector<Rule> operator()(const StepPlanned& e) const {
    const int all = e.decodeTokens + e.prefillTokens;
    return {
        {kBudget, (all <= e.tokenBudget
                       ? tr("%1 decode + %2 prefill = %3 <= a budget of %4 -> true")
                       : tr("%1 decode + %2 prefill = %3 <= a budget of %4 -> false: in a step of its own"))
                      .arg(e.decodeTokens, e.prefillTokens, all, e.tokenBudget)}};
  }
  Rule decodes(int count, int draftTokens) const {
    return {kBudget, draftTokens == 0
                         ? tr("%1 * 1 token not computed = %1: decodes go before prefills").arg(count)
                         : tr("%1 * 1 token not computed + %2 draft = %3: decodes go before prefills")
                               .arg(count, draftTokens, count + draftTokens)};
  }
  std::vector<Rule> operator()(const KvForgotten& e) const {
    return {{kForget, tr("no KV cache -> drop %n token(s)", nullptr, e.lostTokens)}};
  }
  std::vector<Rule> operator()(const SequenceFinished& e) const {
    switch (e.reason) {
      case FinishReason::kStop:
        return {{kFinish, tr("stop token or stop string -> true: finish")}};
      case FinishReason::kLength:
        return {{kFinish,
                 tr("%n token(s) generated, the most allowed -> true: finish", nullptr, e.completionTokens)}};
      default:
        return {};  // not the engine's decision, or the beam search's
    }
  }

 private:
  String fateOf(const SequencePreempted& e) const {
    switch (e.cause) {
      case PreemptionCause::kOption:
        return tr("swapping is off -> drop %n computed token(s)", nullptr, e.lostTokens);
      case PreemptionCause::kNothing:
        return tr("0 blocks to swap out -> drop the KV");
      case PreemptionCause::kNoRoom:
        return tr("swap out %n block(s) <= room for %1 -> false: drop the KV", nullptr, e.swapBlocks)
            .arg(e.swapRoom);
      case PreemptionCause::kFailed:
        return tr("swapping out failed -> drop the KV");
      case PreemptionCause::kRoom:
        return tr("swap out %n block(s) <= room for %1 -> true: swap out", nullptr, e.swapBlocks)
            .arg(e.swapRoom);
      case PreemptionCause::kBeams:
        return tr("a beam -> drop the KV");
    }
    return {};
  }
};

}  // namespace vitrine::prose

// Rules of admission, with a step's numbers. Internal to why.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/rules.h"

namespace vitrine::prose {

struct AdmissionRules : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;
  using enum Decision;

  std::vector<Rule> operator()(const SequenceAdmitted& e) const {
    if (e.neededSlots == 0) return {};  // a beam (see joined()), or an older trace
    std::vector<Rule> rules = {
        {kAdmission,
         (e.neededTokens <= e.freeTokens
              ? tr("slots %1 <= %2 free and blocks %3 <= free - promised = %4 and tokens %5 <= %6 left "
                   "-> true: admit")
              : tr("slots %1 <= %2 free and blocks %3 <= free - promised = %4 and the whole budget of %6 is "
                   "left -> true: admit"))
             .arg(e.neededSlots, e.freeSlots, e.neededBlocks, e.freeBlocks, e.neededTokens, e.freeTokens)}};
    if (e.waiting > 1)
      rules.push_back({kQueue, tr("next = first of %n waiting sequence(s) by policy %1", nullptr, e.waiting)
                                   .arg(std::string(nameOf(e.standing.policy)))});
    return rules;
  }
  // Of a beam that joins its search.
  Rule joined(const SequenceAdmitted& e) const {
    return {kBeamAdmission,
            tr("the first beam has computed the %n shared token(s) -> true: admit", nullptr, e.cachedTokens)};
  }
  std::vector<Rule> operator()(const SequenceWaiting& e) const {
    switch (e.reason) {
      case WaitReason::kBlocks:
        return refused(tr("need %n block(s) <= free - promised = %1 -> false: wait", nullptr, e.needed), e);
      case WaitReason::kSequences:
        return refused(tr("need %n slot(s) <= %1 free -> false: wait", nullptr, e.needed), e);
      case WaitReason::kTokenBudget:
        return refused(tr("need %n token(s) <= %1 left of the budget -> false: wait", nullptr, e.needed), e);
      case WaitReason::kPreemption:
        return refused(tr("running sequences need %n block(s) <= %1 free -> false: preempt, and admit none",
                          nullptr, e.needed),
                       e);
      case WaitReason::kBehind:
        return {{kQueue, e.behind == 0
                             ? tr("a sequence before it waits -> stop: admit none behind it")
                             : tr("%1 waits -> stop: admit none behind it").arg(sequence(e.behind))}};
      case WaitReason::kBatch:
        return {{kBatch, e.needed == 0
                             ? std::string(tr("a preempted sequence is to resume: the batch is closed, wait"))
                             : tr("%n running sequence(s) == 0 -> false: the batch is closed, wait", nullptr,
                                  e.needed)}};
      case WaitReason::kBeams:
        return {{kBeamAdmission,
                 tr("%1 computed >= %n shared token(s) -> false: wait", nullptr, e.needed).arg(e.available)}};
      case WaitReason::kWindow:
        return {
            {kBatch,
             tr("%1 ms passed >= %2 ms, or the batch is full -> false: wait").arg(e.available, e.needed)}};
    }
    return {};
  }
  std::vector<Rule> operator()(const SequenceAged& e) const {
    return {{kAging, tr("%n step(s) in the engine >= the aging limit -> true: due now", nullptr, e.steps)}};
  }

 private:
  std::vector<Rule> refused(const Pattern& pattern, const SequenceWaiting& e) const {
    return {{kAdmission, pattern.arg(e.available)}};
  }
};

}  // namespace vitrine::prose

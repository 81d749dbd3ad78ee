// Rules of sampling, drafts and beams, with a step's numbers. Internal to why.cpp. Thread: any.
#pragma once

#include <algorithm>

#include "prose/speaker.h"
#include "vitrine/prose/rules.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct SamplingRules : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;
  using enum Decision;

  // Requires at least one stage.
  std::vector<Rule> stages(const std::vector<SamplingStage>& all) const {
    std::string text = all.front().name + " " + m_language.number(all.front().kept);
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].kept < all[i - 1].kept)
        text += " -> " + optionName(all[i].name) + " " + m_language.number(all[i].kept);
    const int left = all.back().kept;
    const std::string drawn =
        left <= 1 ? tr("1 candidate left: no choice")
                  : tr("token = the first of %n at which the sum of probabilities > the drawn number",
                       nullptr, left);
    return {{kStages, std::move(text)}, {kDraw, drawn}};
  }
  std::vector<Rule> operator()(const GrammarMasked& e) const {
    return {{kStages, tr("grammar: %n token(s) kept, the others -> -inf", nullptr, e.allowed)}};
  }
  std::vector<Rule> operator()(const DraftSkipped& e) const {
    const bool planned = e.reason == NoDraftReason::kBlocks || e.reason == NoDraftReason::kTokenBudget;
    return {{planned ? kDraftRoom : kDraft, whyNoDraft(e)}};
  }
  std::vector<Rule> operator()(const DraftVerified& e) const {
    std::vector<Rule> rules;
    const bool sampled = std::ranges::any_of(e.judgements, [](const DraftJudgement& one) {
      return one.verdict == DraftVerdict::kWithin || one.verdict == DraftVerdict::kBeyond;
    });
    const Decision decision = sampled ? kDraftRejection : kDraftSame;
    if (e.accepted > 0)
      rules.push_back(
          {decision, sampled
                         ? tr("drawn number * q < p -> true %n time(s): accept", nullptr, e.accepted)
                         : tr("draft token == the model's -> true %n time(s): accept", nullptr, e.accepted)});
    for (const DraftJudgement& one : e.judgements) {
      if (one.verdict == DraftVerdict::kDiffers) rules.push_back({decision, differs(one)});
      if (one.verdict == DraftVerdict::kBeyond) rules.push_back({decision, beyond(one)});
    }
    return rules;
  }
  std::vector<Rule> operator()(const DraftRolledBack& e) const {
    return {{kRollback, tr("%1 computed > %2 before the newest token -> true: discard %3")
                            .arg(e.computedTokens + e.lostTokens, e.computedTokens, e.lostTokens)}};
  }
  std::vector<Rule> operator()(const BeamStep& e) const {
    const auto kept = std::ranges::count(e.candidates, BeamFate::kKept, &BeamCandidate::fate);
    return {{kBeams,
             tr("sort %1 by sum of logprobs: the first %2 that are not complete go on")
                 .arg(std::string(tr("%n continuation(s)", nullptr, static_cast<int>(e.candidates.size()))),
                      kept)}};
  }

 private:
  String whyNoDraft(const DraftSkipped& e) const {
    switch (e.reason) {
      case NoDraftReason::kBeams:
        return tr("a beam -> no draft");
      case NoDraftReason::kAnswerEnd:
        return tr("%1 left of the answer < %2 -> true: no draft").arg(tokens(e.available), e.needed);
      case NoDraftReason::kContextEnd:
        return tr("%1 left of the context < %2 -> true: no draft").arg(tokens(e.available), e.needed);
      case NoDraftReason::kComparison:
        return tr("1 step in %1 is plain -> true: no draft").arg(e.needed);
      case NoDraftReason::kCost:
        return tr("the length with the most tokens for its time == 0 -> no draft");
      case NoDraftReason::kNoMatch:
        return tr("the last token occurs before -> false: no draft");
      case NoDraftReason::kDraftContext:
        return tr("%1 positions <= a context of %2 -> false: no draft").arg(e.needed, e.available);
      case NoDraftReason::kDraftBlocks:
      case NoDraftReason::kBlocks:
        return tr("%1 <= %2 free -> false: no draft").arg(blocks(e.needed), e.available);
      case NoDraftReason::kTokenBudget:
        return tr("%1 <= %2 left of the budget -> false: no draft").arg(tokens(e.needed), e.available);
    }
    return {};
  }
  String differs(const DraftJudgement& one) const {
    if (one.chosen < 0) return tr("draft token %1 == the model's -> false: reject").arg(one.token);
    return tr("draft token %1 == the model's %2 -> false: reject").arg(one.token, one.chosen);
  }
  String beyond(const DraftJudgement& one) const {
    return tr("%1 * %2 < %3 -> false: reject token %4")
        .arg(decimal(one.uniform, 6), decimal(one.q, 6), decimal(one.p, 6), one.token);
  }
};

}  // namespace vitrine::prose

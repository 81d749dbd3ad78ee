// Sentences about requests with several answers. Internal to event_prose.cpp. Thread: any.
#pragma once

#include <algorithm>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct BeamSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const BeamStep& e) const {
    const auto count = [&](BeamFate fate) {
      return std::ranges::count(e.candidates, fate, &BeamCandidate::fate);
    };
    const auto complete = count(BeamFate::kFinished) + count(BeamFate::kWorse) + count(BeamFate::kTooLow);
    EventProse prose{tr("Beams chosen"), tr("%1 sorts %n continuation(s) of length %2 by their sums of "
                                            "logprobs: %3 kept, %4 complete, %5 pruned.",
                                            nullptr, static_cast<int>(e.candidates.size()))
                                             .arg(request(e.request), e.length, count(BeamFate::kKept),
                                                  complete, count(BeamFate::kPruned))};
    prose.sentence += endOf(e);
    for (const BeamCandidate& one : e.candidates)
      prose.more.push_back(tr("%1 + “%2” (token %3): %4, %5.")
                               .arg(sequence(one.parent), visibleText(one.piece), one.token,
                                    decimal(one.cumulative, 4), fateOf(one)));
    for (const int number : e.displaced) prose.more.push_back(tr("Hypothesis %1 is displaced.").arg(number));
    return prose;
  }
  EventProse operator()(const SequenceReplaced& e) const {
    return {tr("Beam replaced"),
            tr("No continuation of %1 is kept, so %1 takes over the tokens of %2 and shares its %3.")
                .arg(sequence(e.sequence), sequence(e.parent), blocks(e.sharedBlocks))};
  }
  EventProse operator()(const BeamChosen& e) const {
    return {tr("Beam answer"),
            tr("%1 gives hypothesis %2 as its answer, with score %3.")
                .arg(sequence(e.sequence), e.hypothesis, decimal(e.score, 4)),
            {visibleText(e.text.substr(0, 200))}};
  }
  EventProse operator()(const AnswersRanked& e) const {
    std::string list;
    for (const RankedAnswer& one : e.answers) {
      if (!list.empty()) list += ", ";
      list += sequence(one.sequence) + " " + decimal(one.score, 4);
      if (one.chosen) list += tr(" (chosen)");
    }
    return {tr("Answers ranked"), tr("%1 ranks its answers by score: %2.").arg(request(e.request), list)};
  }

 private:
  String fateOf(const BeamCandidate& e) const {
    switch (e.fate) {
      case BeamFate::kKept:
        return tr("continues as %1").arg(sequence(e.sequence));
      case BeamFate::kFinished:
        return tr("complete: hypothesis %1 with score %2").arg(e.hypothesis, decimal(e.score, 4));
      case BeamFate::kWorse:
        return tr("complete, with a score of %1, worse than all hypotheses").arg(decimal(e.score, 4));
      case BeamFate::kTooLow:
        return tr("complete, but not among the best continuations");
      case BeamFate::kPruned:
        return tr("pruned");
    }
    return {};
  }
  String endOf(const BeamStep& e) const {
    switch (e.end) {
      case BeamEnd::kNone:
        return {};
      case BeamEnd::kEnough:
        return " " + std::string(tr("The search ends: it has as many hypotheses as beams."));
      case BeamEnd::kNoImprovement:
        return " " + tr("The search ends: the best beam can reach %1, the worst hypothesis has %2.")
                         .arg(decimal(e.bestPossible, 4), decimal(e.worstFinished, 4));
      case BeamEnd::kNothingLeft:
        return " " + std::string(tr("The search ends: all continuations are complete."));
    }
    return {};
  }
};

}  // namespace vitrine::prose

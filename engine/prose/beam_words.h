// What a step of a beam search decides about its continuations, in sentences: which go on, which are
// complete, and why the others are pruned. Internal to why.cpp. Thread: any.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct BeamWords : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  // Empty for a step without continuations.
  String decided(const BeamStep& e) const {
    String all;
    const auto add = [&](const String& sentence) { all += (all.empty() ? "" : " ") + sentence; };
    const auto kept = with(e, BeamFate::kKept), finished = with(e, BeamFate::kFinished),
               worse = with(e, BeamFate::kWorse), low = with(e, BeamFate::kTooLow);
    if (!kept.empty()) add(tr("Kept: %1.").arg(listed(kept)));
    if (!finished.empty()) add(tr("Complete: %1.").arg(listed(finished)));
    if (!worse.empty()) add(tr("Complete, but worse than all hypotheses: %1.").arg(listed(worse)));
    if (!low.empty()) add(tr("Complete, but not among the best continuations: %1.").arg(listed(low)));
    if (const auto lost = with(e, BeamFate::kPruned); !lost.empty()) add(pruned(lost, e));
    return all;
  }

 private:
  static constexpr std::size_t kNamed = 8;

  static std::vector<const BeamCandidate*> with(const BeamStep& e, BeamFate fate) {
    std::vector<const BeamCandidate*> all;
    for (const BeamCandidate& one : e.candidates)
      if (one.fate == fate) all.push_back(&one);
    return all;
  }
  String score(const BeamCandidate& one) const { return decimal(one.score, 3); }
  String piece(const BeamCandidate& one) const {
    return one.piece.empty() ? tr("token %1").arg(one.token) : tr("“%1”").arg(visibleText(one.piece));
  }

  String told(const BeamCandidate& one) const {
    const std::string what = piece(one), parent = sequence(one.parent);
    return one.fate == BeamFate::kFinished
               ? tr("%1 after %2 (hypothesis %3, score %4)").arg(what, parent, one.hypothesis, score(one))
               : tr("%1 after %2 (score %3)").arg(what, parent, score(one));
  }
  String listed(const std::vector<const BeamCandidate*>& all) const {
    const std::size_t named = std::min(all.size(), kNamed);
    std::string list;
    for (std::size_t i = 0; i < named; ++i) list += (i == 0 ? "" : ", ") + told(*all[i]);
    const int more = static_cast<int>(all.size() - named);
    return more == 0 ? list : tr("%1 and %n more", nullptr, more).arg(list);
  }
  // They come best first.
  String pruned(const std::vector<const BeamCandidate*>& all, const BeamStep& e) const {
    const int count = static_cast<int>(all.size());
    if (e.end != BeamEnd::kNone || with(e, BeamFate::kKept).empty())
      return tr("Pruned: %n continuation(s), since the search has ended.", nullptr, count);
    const std::string best = told(*all.front());
    return count == 1
               ? tr("Pruned: %1, with a lower score than the last kept one.").arg(best)
               : tr("Pruned: %n continuation(s), all with a lower score than the last kept one; the best "
                    "of them is %1.",
                    nullptr, count)
                     .arg(best);
  }
};

}  // namespace vitrine::prose

// What the sampler's stages left of the candidates, in a sentence. Internal to why.cpp. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "prose/speaker.h"

namespace vitrine::prose {

struct CandidateWords : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  // Names the stages that removed candidates. Requires at least one stage.
  String left(const std::vector<SamplingStage>& stages) const {
    std::string cuts;
    for (std::size_t i = 1; i < stages.size(); ++i) {
      const int before = stages[i - 1].kept;
      if (stages[i].kept >= before) continue;
      if (stages[i].kept <= 1) return lastOne(stages[i].name, before);
      cuts += (cuts.empty() ? "" : ", ") +
              std::string(tr("%1 left %2").arg(optionName(stages[i].name), stages[i].kept));
    }
    const std::string drawn = tr("It was drawn from %n candidate(s)", nullptr, stages.back().kept);
    return cuts.empty() ? tr("%1.").arg(drawn) : tr("%1 (%2).").arg(drawn, cuts);
  }

  // Of a token that rejection sampling decided on. Requires kWithin or kBeyond.
  String judged(DraftVerdict verdict) const {
    return verdict == DraftVerdict::kWithin
               ? tr("It is the draft token, which was accepted.")
               : tr("It was drawn anew, from what the model finds more likely than the drafter.");
  }

 private:
  String lastOne(const std::string& stage, int before) const {
    if (stage == "temperature")
      return tr("It is the most likely of %n candidate(s) (temperature 0: greedy).", nullptr, before);
    return tr("It was the only candidate left: %1 removed %2 of %3.")
        .arg(optionName(stage), before - 1, before);
  }
};

}  // namespace vitrine::prose

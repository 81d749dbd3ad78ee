#include "widgets/conversation/answer_meter.h"

#include <algorithm>

namespace vitrine {
namespace {

double rateOf(int tokens, std::int64_t ns) {
  return tokens > 0 && ns > 0 ? tokens * 1e9 / static_cast<double>(ns) : 0;
}

}  // namespace

void AnswerMeter::note(const Event& event) {
  if (const auto* admitted = bodyOf<SequenceAdmitted>(event))
    m_admissions[admitted->sequence] = {event.timeNs, admitted->cachedTokens};
}

AnswerFigures AnswerMeter::figuresOf(const RequestState& request, const SequenceState& sequence,
                                     std::int64_t nowNs) const {
  AnswerFigures figures;
  figures.givenTokens = request.givenTokens;
  figures.promptTokens = sequence.promptTokens + figures.givenTokens;
  figures.computedTokens = std::min(sequence.computedTokens, figures.promptTokens);
  figures.cachedTokens = std::min(sequence.cachedTokens, figures.promptTokens);
  figures.writtenTokens = std::max(static_cast<int>(sequence.tokens.size()) - figures.promptTokens, 0);
  if (figures.writtenTokens > 0) {
    // As in the figures of a finished request: the first token belongs to the prefill.
    if (request.firstTokenNs >= 0)
      figures.tokensPerSecond = rateOf(figures.writtenTokens - 1, nowNs - request.firstTokenNs);
  } else if (const auto found = m_admissions.find(sequence.id); found != m_admissions.end()) {
    figures.tokensPerSecond =
        rateOf(figures.computedTokens - found->second.cachedTokens, nowNs - found->second.timeNs);
  }
  return figures;
}

}  // namespace vitrine

// Sentences about loading, and about the event stream itself. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/policy_words.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct LoadingSentences : PolicyWords {
  VITRINE_PROSE_CONTEXT(Prose)
  using PolicyWords::PolicyWords;

  EventProse operator()(const EngineLoaded& e) const {
    EventProse prose{
        tr("Engine loaded"),
        tr("The engine runs %1 (%2) on %3 (%4), with %5 of %6.")
            .arg(e.model.name, tr("%1, %n layer(s)", nullptr, e.model.layers).arg(e.model.family), e.backend,
                 e.device, blocks(e.options.numBlocks), tokens(e.options.blockSize)),
        {tr("A step computes at most %1, for at most %2 (whole contexts that fit: %3).")
             .arg(tokens(e.options.tokenBudget), sequences(e.options.maxSequences), e.fittingSequences)}};
    if (e.options.speculation.drafter != DraftMethod::kNone)
      prose.more.push_back(
          e.options.speculation.acceptance == DraftAcceptance::kSameDraw
              ? tr("A drawn draft token is accepted if the model draws it too with the same random number.")
              : tr("A drawn draft token is accepted by rejection sampling."));
    if (e.packedCopy == PackedCopy::kRead)
      prose.more.push_back(tr("Its packed weights were read from the copy that an earlier start had kept."));
    if (e.packedCopy == PackedCopy::kKept)
      prose.more.push_back(tr("Its weights were packed, and are being kept for the next start."));
    for (const IgnoredTensors& ignored : e.ignoredTensors)
      prose.more.push_back(ignoredTensors(ignored, m_language));
    return prose;
  }
  EventProse operator()(const EngineFailed& e) const {
    return {tr("Engine failed"), tr("The engine failed: %1").arg(fault(e.message, e.hint))};
  }
  EventProse operator()(const OptionsChanged& e) const {
    const bool drafts = e.options.speculation.drafter != DraftMethod::kNone;
    return {
        tr("Options changed"),
        tr("From the next step on a step computes at most %1. %2")
            .arg(tokens(e.options.tokenBudget), orderOf(e.options.policy)),
        {e.options.prefixCache ? tr("Cached prefixes are used again.") : tr("Cached prefixes are not used."),
         e.options.preemption == Preemption::kSwap ? tr("Preempted sequences are swapped out.")
                                                   : tr("Preempted sequences are computed again."),
         drafts ? tr("Drafts have at most %1.").arg(tokens(e.options.speculation.draftLength))
                : std::string(tr("Nothing is drafted."))}};
  }
  EventProse operator()(const RoofMeasured& e) const {
    const double gbps = e.roof.memoryGbps();
    EventProse said = {tr("Limits measured"),
                       tr("%1 computes at most %2 GFLOP/s and moves %3 GB/s.")
                           .arg(roofDevice(e.roof, m_language), decimal(e.roof.gflops, 0),
                                decimal(gbps, gbps < 100 ? 1 : 0)),
                       {tr("The peak is that of %1, the bandwidth that of the memory.")
                            .arg(roofPeak(e.roof.peak, m_language))}};
    for (const RoofCeiling& ceiling : e.roof.products)
      said.more.push_back(tr("The peak of products is %1 GFLOP/s, that of %2.")
                              .arg(decimal(ceiling.gflops, 0), roofCeiling(ceiling, m_language)));
    return said;
  }
  EventProse operator()(const EventsDropped& e) const {
    return {tr("Details dropped"),
            tr("The queue was full and dropped %n detail event(s).", nullptr, static_cast<int>(e.details))};
  }
  EventProse operator()(const Snapshot&) const {
    return {tr("Snapshot"), tr("The whole state of the machine.")};
  }
};

}  // namespace vitrine::prose

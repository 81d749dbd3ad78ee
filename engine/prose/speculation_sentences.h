// Sentences about speculative decoding. Internal to event_prose.cpp. Thread: any.
#pragma once

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct SpeculationSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const DraftProposed& e) const {
    const int count = static_cast<int>(e.tokens.size());
    if (e.pieces.empty())
      return {tr("Draft proposed"),
              tr("The drafter proposes %n token(s) for %1, from position %2 on.", nullptr, count)
                  .arg(sequence(e.sequence), e.firstPosition)};
    std::string texts;
    for (const std::string& piece : e.pieces)
      texts += (texts.empty() ? "" : " ") + tr("“%1”").arg(visibleText(piece));
    return {tr("Draft proposed"),
            tr("The drafter proposes %n token(s) for %1, from position %2 on: %3.", nullptr, count)
                .arg(sequence(e.sequence), e.firstPosition, texts)};
  }
  EventProse operator()(const DraftSkipped& e) const {
    return {tr("No draft"), tr("%1 drafts nothing: %2.").arg(sequence(e.sequence), whyNoDraft(e))};
  }
  EventProse operator()(const DraftVerified& e) const {
    std::string sentence =
        tr("%1 accepts %2 of %n draft token(s).", nullptr, static_cast<int>(e.judgements.size()))
            .arg(sequence(e.sequence), e.accepted);
    int undecided = 0;
    bool isRejected = false;
    for (const DraftJudgement& one : e.judgements) {
      if (one.verdict == DraftVerdict::kDiffers) sentence += " " + difference(one);
      if (one.verdict == DraftVerdict::kBeyond) sentence += " " + rejection(one);
      isRejected |= one.verdict == DraftVerdict::kDiffers || one.verdict == DraftVerdict::kBeyond;
      undecided += one.verdict == DraftVerdict::kUndecided ? 1 : 0;
    }
    if (undecided > 0 && !isRejected)
      sentence +=
          " " + std::string(tr("The answer ends before the other %n draft token(s).", nullptr, undecided));
    return {tr("Draft verified"), sentence};
  }
  EventProse operator()(const DraftRolledBack& e) const {
    return {tr("Draft rolled back"),
            e.freedBlocks == 0
                ? tr("%1 discards the KV of %n draft token(s) that its answer does not keep.", nullptr,
                     e.lostTokens)
                      .arg(sequence(e.sequence))
                : tr("%1 discards the KV of %n draft token(s) that its answer does not keep, and frees "
                     "%2.",
                     nullptr, e.lostTokens)
                      .arg(sequence(e.sequence), blocks(e.freedBlocks))};
  }
  EventProse operator()(const StepSpeculated& e) const {
    if (e.draftedTokens == 0)
      return {tr("Step speculated"),
              tr("This step drafts no token: its forward pass took %1, to compare others with.")
                  .arg(duration(e.verifyNs, m_language))};
    return {tr("Step speculated"),
            tr("Drafting took %1 and verifying %2: %3 of %4 accepted, %5 for %6 in all.")
                .arg(duration(e.draftNs, m_language), duration(e.verifyNs, m_language), e.acceptedTokens,
                     std::string(tr("%n draft token(s)", nullptr, e.draftedTokens)), tokens(e.keptTokens),
                     sequences(e.sequences))};
  }

 private:
  String whyNoDraft(const DraftSkipped& e) const {
    switch (e.reason) {
      case NoDraftReason::kBeams:
        return tr("the beams of a search go on without drafts");
      case NoDraftReason::kAnswerEnd:
        return tr("a draft needs %1 of the answer, which may have %2 more")
            .arg(tokens(e.needed), e.available);
      case NoDraftReason::kContextEnd:
        return tr("a draft needs %1 of the context, which has room for %2 more")
            .arg(tokens(e.needed), e.available);
      case NoDraftReason::kComparison:
        return tr("one step in %1 has no draft, to compare the others with it").arg(e.needed);
      case NoDraftReason::kCost:
        return tr("by the measured costs and acceptance no draft saves time");
      case NoDraftReason::kNoMatch:
        return tr("its last token stands nowhere before in its text");
      case NoDraftReason::kDraftContext:
        return tr("it has %1, and the draft model's context %2").arg(tokens(e.needed), e.available);
      case NoDraftReason::kDraftBlocks:
        return tr("it needs %1 of the draft model's KV cache, free %2 at %3")
            .arg(blocks(e.needed), e.available, phaseName(Phase::kPlan, m_language));
      case NoDraftReason::kBlocks:
        return tr("it needs %1, free %2 at %3")
            .arg(blocks(e.needed), e.available, phaseName(Phase::kPlan, m_language));
      case NoDraftReason::kTokenBudget:
        return tr("it needs %1, %2 left in this step's budget").arg(tokens(e.needed), e.available);
    }
    return {};
  }
  String difference(const DraftJudgement& one) const {
    if (one.chosen < 0) return tr("The model chooses another token than %1.").arg(one.token);
    if (one.q <= 0)
      return tr("The model chooses token %1 where the draft has token %2.").arg(one.chosen, one.token);
    return tr("With %1 drawn the model has token %2, the draft token %3 (%4 by the model, %5 by the "
              "drafter).")
        .arg(decimal(one.uniform, 3), one.chosen, one.token, percent(one.p, m_language),
             percent(one.q, m_language));
  }
  String rejection(const DraftJudgement& one) const {
    const std::string p = percent(one.p, m_language), q = percent(one.q, m_language),
                      drawn = decimal(one.uniform, 3);
    if (one.chosen < 0)
      return tr("Token %1 is rejected. The drawn number %2 is not below p / q (%3 by the model, %4 by the "
                "drafter).")
          .arg(one.token, drawn, p, q);
    return tr("Token %1 replaces token %2. The drawn number %3 is not below p / q (%4 by the model, %5 by "
              "the drafter).")
        .arg(one.chosen, one.token, drawn, p, q);
  }
};

}  // namespace vitrine::prose

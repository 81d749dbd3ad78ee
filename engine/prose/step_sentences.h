// Sentences about steps, and about what was sampled in them. Internal to event_prose.cpp. Thread: any.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "prose/speaker.h"
#include "vitrine/prose/words.h"

namespace vitrine::prose {

struct StepSentences : Speaker {
  VITRINE_PROSE_CONTEXT(Prose)
  using Speaker::Speaker;

  EventProse operator()(const StepStarted& e) const {
    return {tr("Step started"), tr("%1 waiting, %2 running.").arg(sequences(e.waiting), e.running)};
  }
  EventProse operator()(const StepPlanned& e) const {
    const int all = e.prefillTokens + e.decodeTokens;
    if (e.sequences == 0) return {tr("Step planned"), tr("Plan: there is nothing to compute in this step.")};
    if (all > e.tokenBudget)
      return {
          tr("Step planned"),
          tr("Plan for %1: %2 of prefill + %3 of decode = %4, more than the budget of %5. Without chunked "
             "prefill a sequence is prefilled at once, here in a step of its own.")
              .arg(sequences(e.sequences), tokens(e.prefillTokens), e.decodeTokens, all, e.tokenBudget)};
    return {tr("Step planned"),
            tr("Plan for %1: %2 of prefill + %3 of decode = %4 of the budget of %5.")
                .arg(sequences(e.sequences), tokens(e.prefillTokens), e.decodeTokens, all, e.tokenBudget)};
  }
  EventProse operator()(const PhaseStarted& e) const {
    return {tr("Phase started"), tr("The phase %1 begins.").arg(phaseName(e.phase, m_language))};
  }
  EventProse operator()(const StepFinished& e) const {
    const auto ns = std::accumulate(e.phaseNs.begin(), e.phaseNs.end(), std::int64_t{0});
    return {tr("Step finished"),
            tr("The step took %1: %2 computed, %3 sampled; %4 free now, %5 of them still in "
               "the prefix index.")
                .arg(duration(ns, m_language), tokens(e.tokens), e.sampled, blocks(e.freeBlocks),
                     e.cachedBlocks)};
  }

  EventProse operator()(const TokenSampled& e) const {
    const std::string &text = e.text.empty() ? e.piece : e.text,
                      chance = percent(std::exp(e.logprob), m_language),
                      position = linked(m_language.number(e.position),
                                        {.sequence = e.sequence, .position = e.position});
    if (e.token < 0) return {tr("Token came"), cameFromOutside(e, text, position)};
    return {tr("Token sampled"),
            text.empty() ? tr("%1 samples token %2 at position %3 with probability %4.")
                               .arg(sequence(e.sequence), e.token, position, chance)
                         : tr("%1 samples “%2” (token %3) at position %4 with probability %5.")
                               .arg(sequence(e.sequence), visibleText(text), e.token, position, chance)};
  }
  // Its number is none of a vocabulary, and its probability may not be told.
  String cameFromOutside(const TokenSampled& e, const std::string& text, const std::string& position) const {
    const std::string subject = sequence(e.sequence), shown = visibleText(text);
    if (e.logprob > 0) return tr("%1 gets “%2” at position %3.").arg(subject, shown, position);
    return tr("%1 gets “%2” at position %3, which had probability %4.")
        .arg(subject, shown, position, percent(std::exp(e.logprob), m_language));
  }
  EventProse operator()(const GrammarMasked& e) const {
    if (e.rules.empty())
      return {tr("Grammar"), tr("The answer of %1 is whole by its grammar.").arg(sequence(e.sequence))};
    std::string place;
    for (const std::string& rule : e.rules) place += (place.empty() ? "" : " › ") + visibleText(rule);
    std::string sentence =
        tr("%1 is in the rule %2 of its grammar, where %n token(s) may come: %3.", nullptr, e.allowed)
            .arg(sequence(e.sequence), place, visibleText(e.expected));
    if (e.mayEnd) sentence += " " + std::string(tr("The answer may end here."));
    return {tr("Grammar"), std::move(sentence)};
  }
  EventProse operator()(const TokenCandidates& e) const {
    const int kept = e.stages.empty() ? 0 : e.stages.back().kept;
    const std::string stages = tr("%n stage(s)", nullptr, static_cast<int>(e.stages.size()));
    return {tr("Candidates"), tr("%1 has %n candidate(s) for position %2, after %3.", nullptr, kept)
                                  .arg(sequence(e.sequence), e.position, stages)};
  }
  EventProse operator()(const LayerTap& e) const {
    return {tr("Layer norm"),
            tr("The hidden state of %1 at position %2 has the norm %4 after layer %3.")
                .arg(sequence(e.sequence), e.position, e.layer, decimal(static_cast<double>(e.norm), 3))};
  }

  EventProse operator()(const ForwardMeasured& e) const {
    const std::string whole = duration(e.ns, m_language), longest = longestOperations(e);
    return {tr("Forward measured"), longest.empty() ? tr("The forward took %1.").arg(whole)
                                                    : tr("The forward took %1: %2.").arg(whole, longest)};
  }
  EventProse operator()(const BatchPadded& e) const {
    return {tr("Batch padded"), tr("%1 with %n row(s) of padding: the GPU knows steps of some sizes only.",
                                   nullptr, e.rows - e.tokens)
                                    .arg(tr("%n row(s)", nullptr, e.rows))};
  }
  EventProse operator()(const ForwardAhead& e) const {
    const String rows = tr("%n row(s)", nullptr, e.rows);
    if (e.wasted == e.rows)
      return {tr("Forward begun early"),
              tr("The GPU computed %1 in vain: it had begun another step than this one.").arg(rows)};
    if (e.wasted == 0)
      return {tr("Forward begun early"),
              tr("The GPU computed %1 of this forward pass early, in the step before.").arg(rows)};
    return {tr("Forward begun early"), tr("The GPU computed %1 of this forward pass early, %n of them in "
                                          "vain, for sequences that have ended.",
                                          nullptr, e.wasted)
                                           .arg(rows)};
  }
  EventProse operator()(const LaunchesMeasured& e) const {
    String ways;
    for (const LaunchTimes& one : e.ways)
      ways += (ways.empty() ? "" : ", ") + tr("%1 %2").arg(wayName(one.way), duration(one.ns, m_language));
    return {tr("Launches measured"), tr("The time of all layers: %1.").arg(ways)};
  }

 private:
  String wayName(LaunchWay way) const {
    switch (way) {
      case LaunchWay::kEager:
        return tr("kernels one by one");
      case LaunchWay::kGraph:
        return tr("one graph");
      case LaunchWay::kPersistent:
        return tr("one kernel");
    }
    return {};
  }
  // "gate-up 690 µs, down 350 µs, head 250 µs": the three that took longest.
  String longestOperations(const ForwardMeasured& e) const {
    std::vector<OperationCost> costs = e.operations;
    std::ranges::stable_sort(costs, std::ranges::greater(), &OperationCost::ns);
    String list;
    for (std::size_t i = 0; i < std::min<std::size_t>(costs.size(), 3); ++i)
      list += (i == 0 ? "" : ", ") + operationName(costs[i].operation, m_language) + " " +
              duration(costs[i].ns, m_language);
    return list;
  }
};

}  // namespace vitrine::prose

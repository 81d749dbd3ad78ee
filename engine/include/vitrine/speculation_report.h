// SpeculationReport: what speculative decoding was worth, gathered from events: acceptance, costs,
// break-even.
//
// Nothing is assumed about what a draft costs: a drafted step is set against plain steps with as many
// sequences, of the same run or of one beside it (against()), both measured. The expected length of a draft
// with acceptance a is a + a² + ... + a^k, as in arXiv 2211.17192; the break-even is the a at which that pays
// for the steps as they were measured. Steps are compared by their medians: one that another program held up
// says nothing. Thread: a value. Read next: event.h (StepSpeculated).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

struct SpeculationReport {
  struct Position {
    std::int64_t judged = 0, accepted = 0;
  };
  struct Costs {
    std::vector<std::int64_t> stepNs;  // as they came
    std::int64_t keptTokens = 0;
    double medianNs() const;  // 0 without steps
  };
  struct BySize {
    Costs plain, drafted;
  };

  SpeculationOptions options;         // of the engine
  std::vector<Position> positions;    // of a draft, first token first
  std::vector<std::int64_t> lengths;  // [k]: drafts of k tokens
  std::int64_t drafts = 0, draftedTokens = 0, acceptedTokens = 0;
  std::vector<std::int64_t> draftNs, verifyNs;  // of each step with drafts that did nothing but decode
  std::map<int, BySize> sizes;                  // those steps, and plain ones, by the sequences that decoded

  void add(const Event& event);
  // These drafts, measured against the plain steps of another run. Where the two take turns that is the
  // better measure: a run that drafts makes few plain steps.
  SpeculationReport against(const SpeculationReport& plain) const;

  double acceptance() const;          // of the tokens that were looked at; 0 without any
  double meanAcceptedLength() const;  // tokens accepted of a draft
  // A drafted step's time over a plain step's; none when no size was measured both ways.
  std::optional<double> relativeCost() const;
  std::optional<double> speedUp() const;  // tokens in a nanosecond, over the same of plain steps
  // The acceptance at which drafts of these lengths cost as much as they bring; none when not measured, above
  // 1 when no acceptance is enough.
  std::optional<double> breakEvenAcceptance() const;
};

}  // namespace vitrine

// SpeculationReport: what speculative decoding gains, from events: acceptance, costs, break-even.
//
// It assumes nothing about the cost of a draft: it compares the measured times of drafted steps and of plain
// steps with as many sequences, of the same run or of another one (against()). The expected length of a draft
// with acceptance a is a + a² + ... + a^k, as in arXiv 2211.17192; at the break-even acceptance that length
// pays for the measured times. It compares medians, so that a step that another program delayed does not
// count. It keeps the time of every step; SpeculationHistory has the figures of any step of a long run.
// Thread: values. Read next: speculation_history.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

// The counts and medians of some steps, and what follows from them.
struct SpeculationFigures {
  struct Position {
    std::int64_t judged = 0, accepted = 0;

    bool operator==(const Position&) const = default;
  };
  struct Costs {  // of steps that only decode
    std::int64_t steps = 0, keptTokens = 0;
    double medianNs = 0;  // 0 without steps

    bool operator==(const Costs&) const = default;
  };
  struct BySize {
    Costs plain, drafted;

    bool operator==(const BySize&) const = default;
  };

  SpeculationOptions options;         // of the engine
  std::vector<Position> positions;    // of a draft, first token first
  std::vector<std::int64_t> lengths;  // [k]: drafts of k tokens
  std::int64_t drafts = 0, draftedTokens = 0, acceptedTokens = 0;
  std::map<int, BySize> sizes;  // by the number of sequences that decode

  double acceptance() const;          // of the judged tokens; 0 without any
  double meanAcceptedLength() const;  // tokens accepted of a draft
  // A drafted step's time over a plain step's; none when no size was measured both ways.
  std::optional<double> relativeCost() const;
  std::optional<double> speedUp() const;  // tokens in a nanosecond, over the same of plain steps
  // The acceptance at which drafts of these lengths cost as much as they bring; none when not measured, above
  // 1 when no acceptance is enough.
  std::optional<double> breakEvenAcceptance() const;
};

struct SpeculationReport {
  using Position = SpeculationFigures::Position;
  struct Costs {
    std::vector<std::int64_t> stepNs;  // in order
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
  std::vector<std::int64_t> draftNs, verifyNs;  // of each step that only decodes, with drafts
  std::map<int, BySize> sizes;  // those steps, and plain ones, by the number of sequences that decode

  void add(const Event& event);
  // These drafts, compared with the plain steps of another run. That is the better measure when the two runs
  // take turns: a run that drafts has few plain steps.
  SpeculationReport against(const SpeculationReport& plain) const;

  SpeculationFigures figures() const;  // the following are theirs
  double acceptance() const { return figures().acceptance(); }
  double meanAcceptedLength() const { return figures().meanAcceptedLength(); }
  std::optional<double> relativeCost() const { return figures().relativeCost(); }
  std::optional<double> speedUp() const { return figures().speedUp(); }
  std::optional<double> breakEvenAcceptance() const { return figures().breakEvenAcceptance(); }
};

}  // namespace vitrine

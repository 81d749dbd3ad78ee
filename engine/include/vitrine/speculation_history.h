// SpeculationHistory: the figures of SpeculationReport up to any step of a run, however long the run.
//
// It equals a report of the events up to that step, since medians are kept as they were after each step: two
// heaps hold the times of the steps of one kind, so a step costs O(log steps), and a question a few binary
// searches. A step that decodes takes 24 bytes, a drafted one 8 more, and 8 for each fate that drafts of the
// step had. When the drafter's options change, the figures begin anew with the next step. Thread: a value.
// Read next: speculation_report.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <vector>

#include "vitrine/speculation_report.h"

namespace vitrine {

class SpeculationHistory {
 public:
  static constexpr int kMostPositions = 16;  // of a draft, as options.h limits it

  // The drafts of a step: tokens that were judged, and those of them that were accepted.
  struct Step {
    int step = 0;
    std::int64_t judged = 0, accepted = 0;

    bool operator==(const Step&) const = default;
  };

  // Events of one run in order; an EngineLoaded begins anew.
  void add(const Event& event);

  // Up to the end of `step`, since the drafter's options last changed before it.
  SpeculationFigures at(int step) const;
  int firstStep(int step) const;  // the first one that at(step) counts
  // The newest drafted ones that at(step) counts, at most `most`, the oldest first.
  std::vector<Step> lastSteps(int step, int most) const;

 private:
  // The fate of a draft, and how many drafts of a step had it. Bit i is the token i of the draft.
  struct Fate {
    std::uint16_t judged = 0, accepted = 0;
    std::uint8_t length = 0, kept = 0;
    std::uint16_t drafts = 0;

    bool isLike(const Fate& other) const;
  };
  struct Totals {
    std::array<SpeculationFigures::Position, kMostPositions> positions{};
    std::array<std::int64_t, kMostPositions + 1> lengths{};
    std::int64_t drafts = 0, draftedTokens = 0, acceptedTokens = 0;

    void add(const Fate& fate);
  };
  struct Checkpoint {
    std::size_t fates = 0;  // counted in the totals
    Totals totals;
  };
  struct DraftedStep {
    std::int32_t step = 0;
    std::uint32_t endFate = 0;  // behind its last one
  };
  // Steps of one kind and size: after each its median and its sum.
  class Series {
   public:
    void add(int step, std::int64_t ns, int keptTokens);
    SpeculationFigures::Costs at(int step) const;
    void close();  // no more steps

   private:
    struct Point {
      std::int64_t medianNs = 0;
      std::int32_t step = 0;
      std::uint32_t keptTokens = 0;  // of all so far
    };
    std::vector<Point> m_points;
    std::priority_queue<std::int64_t> m_below;  // half of the times, rounded down
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> m_above;
  };
  struct Sizes {
    Series plain, drafted;
  };
  // Steps under the same options.
  struct Era {
    int firstStep = 0;
    SpeculationOptions options;
    std::vector<Fate> fates;
    std::vector<DraftedStep> steps;
    std::vector<Checkpoint> checkpoints;
    Totals totals;
    std::map<int, Sizes> sizes;

    void add(int step, const DraftVerified& verified);
    void add(int step, const StepSpeculated& timed);
    std::size_t fatesUpTo(int step) const;
    Totals totalsOf(std::size_t count) const;  // of the first fates
  };

  void begin(int firstStep, const SpeculationOptions& options);
  const Era* eraOf(int step) const;

  std::vector<Era> m_eras;
};

}  // namespace vitrine

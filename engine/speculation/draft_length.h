// DraftLength: how many tokens to draft in the next step, by what drafting has cost and brought so far.
//
// Let a_i be the share of drafts accepted at position i, of those whose earlier tokens were accepted. A draft
// of k tokens then brings 1 + a_1 + a_1 a_2 + ... tokens a step. Its cost is what steps with k have taken.
// The k with the most tokens per nanosecond is chosen; 0 when drafting does not pay. Costs are kept for each
// batch size (powers of two); the cost of a k not yet measured is interpolated between its measured
// neighbours. Shares are moving averages. When it is not adaptive, every draft has the full length. In either
// case one step in 64 is plain, so that there is a cost to compare with; when adaptive, another step in 64
// has the full length, so that the acceptance stays known. A cost is the minimum of the last few steps: a
// longer time was spent waiting for other programs. An answer never depends on the choice, unless it is drawn
// by rejection sampling. Thread: a value. Read next: runtime/speculator.h.
#pragma once

#include <array>

#include "vitrine/event.h"

namespace vitrine {

inline constexpr int kMaxDraftLength = 16;

class DraftLength {
 public:
  DraftLength(int longest, bool adaptive) : m_longest(longest), m_adaptive(adaptive) {}

  // Tokens to draft for each sequence in the next step, in which `sequences` decode.
  int choose(int sequences);
  // After choose() gave 0: in one step in period() it does so for a cost to compare with, otherwise since no
  // draft pays.
  bool isForComparison() const;
  static int period();
  void observe(const DraftVerified& verified);
  void observe(const StepSpeculated& step);

 private:
  struct Average {
    double value = 0;
    int count = 0;
    void add(double x);
  };
  struct Recent {
    std::array<std::int64_t, 9> values{};
    int count = 0;
    void add(std::int64_t x) { values[static_cast<std::size_t>(count++) % values.size()] = x; }
    double least() const;
  };
  using Costs = std::array<Recent, kMaxDraftLength + 1>;  // ns of a step, by tokens drafted for a sequence

  static std::size_t sizeClass(int sequences);
  double costOf(const Costs& costs, int length) const;

  const int m_longest;
  const bool m_adaptive;
  int m_steps = 0;
  std::array<Average, kMaxDraftLength> m_accepted;  // share, by position
  std::array<Costs, 17> m_costs;
};

}  // namespace vitrine

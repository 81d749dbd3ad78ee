// DraftLength: how many tokens to draft in the next step, from what drafting has cost and brought so far.
//
// With a_i the share of drafts accepted at position i of those that got so far, k tokens bring 1 + a_1 + a_1
// a_2
// + ... tokens a step, and a step costs what steps with k cost when they were measured. The k with the most
// tokens per nanosecond wins; 0 when drafting does not pay. Costs are kept apart for batch sizes (powers of
// two); a k not yet measured is put on the straight line between its measured neighbours. Shares forget
// slowly. Not adaptive, it gives the full length. Either way one step in 64 is plain, so that there is a cost
// to compare with; adaptive, another has the full length, so that the acceptance stays known. A cost is the
// least of the last few steps: what is above it was spent waiting for other programs. Greedy tokens never
// depend on the choice. Thread: a value. Read next: speculation.cpp.
#pragma once

#include <array>

#include "vitrine/event.h"

namespace vitrine {

inline constexpr int kMaxDraftLength = 16;

class DraftLength {
 public:
  DraftLength(int longest, bool adaptive) : m_longest(longest), m_adaptive(adaptive) {}

  // For the next step, in which so many sequences decode.
  int choose(int sequences);
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

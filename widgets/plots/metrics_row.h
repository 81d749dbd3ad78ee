// MetricsRow: what one finished step did, and how the run went up to it. The figures of the run take 2 bytes
// each, since a run has millions of steps. Thread: values. Read next: metrics_model.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "vitrine/step_rate.h"
#include "widgets/plots/duration_sketch.h"

namespace vitrine {

// part / whole, 0 .. 1, to four digits.
class Share {
 public:
  Share() = default;
  Share(std::int64_t part, std::int64_t whole) {
    if (whole > 0)
      m_units = static_cast<std::uint16_t>(
          std::lround(kUnits * static_cast<double>(part) / static_cast<double>(whole)));
  }
  double value() const {  // NaN when `whole` was 0
    return m_units == kNone ? std::numeric_limits<double>::quiet_NaN() : m_units / kUnits;
  }

 private:
  static constexpr double kUnits = 10000;
  static constexpr std::uint16_t kNone = 0xffff;
  std::uint16_t m_units = kNone;
};

struct MetricsRow {
  int step = 0, sequences = 0, prefillTokens = 0, decodeTokens = 0, tokenBudget = 0, sampled = 0;
  int waiting = 0, running = 0, usedBlocks = 0, cachedBlocks = 0;
  std::int64_t durationNs = 0;  // inside phases
  float tokensPerSecond = 0;    // of the last StepRate::kSteps steps
  // Of the run up to this step.
  DurationSketch::Bucket ttft50 = 0, ttft95 = 0, itl50 = 0, itl95 = 0;
  Share prefixHits;      // prompt tokens that the prefix cache had, as statistics.h defines the hit rate
  Share draftsAccepted;  // accepted tokens of the judged ones, as in SpeculationReport::acceptance()

  double stepRate() const { return perSecond(sampled, durationNs); }  // tokens/s of this step alone
  double budgetUsed() const {  // share; drafts may go beyond 1; NaN without a budget
    if (tokenBudget <= 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(prefillTokens + decodeTokens) / tokenBudget;
  }
};

}  // namespace vitrine

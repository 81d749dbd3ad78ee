#include "speculation/draft_length.h"

#include <algorithm>
#include <bit>

namespace vitrine {
namespace {

constexpr int kPeriod = 64, kPlainStep = 8, kFullStep = 40;
constexpr double kWeight = 0.1;  // of the newest value in an average

}  // namespace

void DraftLength::Average::add(double x) {
  ++count;
  value += (x - value) * std::max(1.0 / count, kWeight);
}

double DraftLength::Recent::least() const {
  const auto end = values.begin() + std::min<std::ptrdiff_t>(count, std::ssize(values));
  return static_cast<double>(*std::min_element(values.begin(), end));
}

std::size_t DraftLength::sizeClass(int sequences) {
  return std::min<std::size_t>(std::bit_width(static_cast<unsigned>(std::max(sequences, 1))) - 1, 16);
}

int DraftLength::choose(int sequences) {
  const int turn = m_steps++ % kPeriod;
  if (turn == kPlainStep) return 0;
  const Costs& costs = m_costs[sizeClass(sequences)];
  const bool measured = costs[0].count > 0 && costs[static_cast<std::size_t>(m_longest)].count > 0;
  if (!m_adaptive || turn == kFullStep || !measured) return m_longest;

  int best = 0;
  double tokens = 1, reached = 1, bestSpeed = 1 / costOf(costs, 0), share = 1;
  for (int length = 1; length <= m_longest; ++length) {
    const Average& accepted = m_accepted[static_cast<std::size_t>(length) - 1];
    if (accepted.count > 0) share = accepted.value;  // else as at the position before
    tokens += reached *= share;
    if (const double speed = tokens / costOf(costs, length); speed > bestSpeed)
      best = length, bestSpeed = speed;
  }
  return best;
}

bool DraftLength::isForComparison() const { return (m_steps - 1) % kPeriod == kPlainStep; }

int DraftLength::period() { return kPeriod; }

double DraftLength::costOf(const Costs& costs, int length) const {
  int below = length, above = length;  // 0 and m_longest are measured
  while (costs[static_cast<std::size_t>(below)].count == 0) --below;
  while (costs[static_cast<std::size_t>(above)].count == 0) ++above;
  const double low = costs[static_cast<std::size_t>(below)].least(),
               high = costs[static_cast<std::size_t>(above)].least();
  return above == below ? low : low + (high - low) * (length - below) / (above - below);
}

void DraftLength::observe(const DraftVerified& verified) {
  const std::size_t most = std::min(verified.judgements.size(), m_accepted.size());
  for (std::size_t i = 0; i < most; ++i) {
    const DraftVerdict verdict = verified.judgements[i].verdict;
    if (verdict == DraftVerdict::kUndecided) return;
    m_accepted[i].add(verdict == DraftVerdict::kSame || verdict == DraftVerdict::kWithin ? 1 : 0);
  }
}

// Only a step without prefill, whose drafts have one length, measures the cost of that length.
void DraftLength::observe(const StepSpeculated& step) {
  const bool alike = step.draftedSequences == 0 || step.draftedSequences == step.sequences;
  if (step.prefillTokens > 0 || step.sequences == 0 || !alike || step.draftedTokens % step.sequences != 0)
    return;
  const int length = step.draftedTokens / step.sequences;
  if (length > m_longest) return;
  m_costs[sizeClass(step.sequences)][static_cast<std::size_t>(length)].add(step.draftNs + step.verifyNs);
}

}  // namespace vitrine

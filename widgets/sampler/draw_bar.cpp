#include "widgets/sampler/draw_bar.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr double kSumRounding = 1e-5;  // probabilities are floats, the draw's own sums are doubles
constexpr int kBarDigits = 3;

bool fallsOn(const DrawBar& bar) {
  if (const DrawBar::Part* part = bar.chosenPart())
    return bar.number >= part->begin - kSumRounding && bar.number <= part->end + kSumRounding;
  return bar.unlisted > 0 && (bar.parts.empty() || bar.number >= bar.parts.back().end - kSumRounding);
}

}  // namespace

DrawBar drawBar(const std::vector<SamplingStage>& stages, TokenId chosen, double number,
                const TokenText& text) {
  DrawBar bar;
  const SamplingStage& last = stages.back();
  double reached = 0;
  for (const Candidate& candidate : last.top) {
    const double begin = reached;
    reached = std::min(1.0, reached + static_cast<double>(candidate.probability));
    bar.parts.push_back({candidate.token, text(candidate.token), begin, reached});
  }
  bar.unlisted = std::max(0, last.kept - static_cast<int>(last.top.size()));
  bar.chosen = chosen;
  bar.chosenText = text(chosen);
  if (number < 0) return bar;
  bar.number = number;
  bar.rule = fallsOn(bar) ? DrawBar::Rule::kNumber : DrawBar::Rule::kOther;
  return bar;
}

const DrawBar::Part* DrawBar::chosenPart() const {
  const auto found = std::ranges::find(parts, chosen, &Part::token);
  return found == parts.end() ? nullptr : &*found;
}

const DrawBar::Part* DrawBar::partAt(double share) const {
  const auto found = std::ranges::find_if(
      parts, [share](const Part& part) { return share >= part.begin && share < part.end; });
  return found == parts.end() ? nullptr : &*found;
}

QString DrawBar::sentence() const {
  if (rule == Rule::kGreedy)
    return Wording::tr("Greedy: “%1” is the most likely token, and no number is drawn.").arg(chosenText);
  if (rule == Rule::kUntold)
    return Wording::tr("The server has written “%1”. How it was chosen is not told.").arg(chosenText);
  const QString drawn = formatDecimal(number, kBarDigits);
  if (rule == Rule::kOther)
    return Wording::tr(
               "“%1” was chosen by another rule: the number of this position, %2, does not fall on it.")
        .arg(chosenText, drawn);
  const Part* const part = chosenPart();
  if (part == nullptr)
    return Wording::tr("The number %1 falls on “%2”, behind the tokens that are listed.")
        .arg(drawn, chosenText);
  return Wording::tr("The number %1 falls on “%2”, from %3 to %4.")
      .arg(drawn, chosenText, formatDecimal(part->begin, kBarDigits), formatDecimal(part->end, kBarDigits));
}

}  // namespace vitrine

#include "compare/contrast.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace vitrine::compare {
namespace {

// Measured times that are closer say nothing.
constexpr double kLeastShare = 0.05;

bool isBetterWhenMore(ContrastFigure figure) {
  return figure == ContrastFigure::kTokensPerSecond || figure == ContrastFigure::kCached ||
         figure == ContrastFigure::kAcceptance;
}

std::optional<double> percentileMs(const Durations& durations, double p) {
  if (durations.count() == 0) return std::nullopt;
  return durations.percentileNs(p) / 1e6;
}

std::optional<double> knownIf(bool known, double value) {
  return known ? std::optional(value) : std::nullopt;
}

const auto& nameOfRequest(const std::pair<const std::pair<std::string, int>, std::uint64_t>& request) {
  return request.first;
}

// The first token in which the two differ, counted from 1.
std::optional<int> differingToken(const TalliedAnswer& one, const TalliedAnswer& other) {
  const auto [here, there] = std::ranges::mismatch(one.tokens, other.tokens);
  const bool oneEnds = here == one.tokens.end(), otherEnds = there == other.tokens.end();
  const bool goesOn = (oneEnds && !one.whole) || (otherEnds && !other.whole);
  if ((oneEnds && otherEnds) || goesOn) return std::nullopt;
  return static_cast<int>(here - one.tokens.begin()) + 1;
}

// Both runs have ended, with the same requests. A request that one of them lacks may be yet to come.
bool haveBothEnded(const RunTally& one, const RunTally& other) {
  const auto isWhole = [](const RunTally& tally) { return tally.isFinished() && !tally.isCut(); };
  return isWhole(one) && isWhole(other) &&
         std::ranges::equal(one.requests(), other.requests(), {}, nameOfRequest, nameOfRequest);
}

}  // namespace

std::optional<double> figureOf(const RunTally& tally, ContrastFigure figure) {
  const Statistics& statistics = tally.statistics();
  const RunTotals& totals = tally.totals();
  const auto count = [](std::int64_t value) { return std::optional(static_cast<double>(value)); };
  switch (figure) {
    case ContrastFigure::kSteps:
      return knownIf(tally.isFinished(), static_cast<double>(totals.steps));
    case ContrastFigure::kTokensPerSecond:
      return knownIf(statistics.elapsedNs() > 0, statistics.tokensPerSecond());
    case ContrastFigure::kTtftP50:
      return percentileMs(statistics.ttft(), 0.5);
    case ContrastFigure::kItlP50:
      return percentileMs(statistics.itl(), 0.5);
    case ContrastFigure::kItlP95:
      return percentileMs(statistics.itl(), 0.95);
    case ContrastFigure::kEndToEndP50:
      return percentileMs(statistics.endToEnd(), 0.5);
    case ContrastFigure::kRecomputed:
      return count(totals.recomputedTokens);
    case ContrastFigure::kCached:
      return count(totals.cachedTokens);
    case ContrastFigure::kPreemptions:
      return count(totals.preemptions);
    case ContrastFigure::kSwappedBytes:
      return count(tally.swappedBytes());
    case ContrastFigure::kWaitSteps:
      return count(tally.waitSteps());
    case ContrastFigure::kBlocksAtMost:
      return knownIf(tally.poolBlocks() > 0, tally.blocksAtMost());
    case ContrastFigure::kKvBytesAtMost:
      return knownIf(tally.poolBlocks() > 0, static_cast<double>(tally.kvBytesAtMost()));
    case ContrastFigure::kAcceptance:
      break;
  }
  const auto [judged, accepted] = tally.drafts();
  if (judged == 0) return std::nullopt;
  return static_cast<double>(accepted) / static_cast<double>(judged);
}

ContrastSide betterOf(ContrastFigure figure, std::optional<double> one, std::optional<double> other) {
  if (!one || !other || *one == *other) return ContrastSide::kNeither;
  const double apart = std::abs(*one - *other);
  if (isTimed(figure) && apart < kLeastShare * std::max(*one, *other)) return ContrastSide::kNeither;
  return (*one > *other) == isBetterWhenMore(figure) ? ContrastSide::kOne : ContrastSide::kOther;
}

std::vector<ContrastRow> contrastOf(const RunTally& one, const RunTally& other) {
  std::vector<ContrastRow> rows;
  for (int i = 0; i < kContrastFigureCount; ++i) {
    const auto figure = static_cast<ContrastFigure>(i);
    const std::optional<double> here = figureOf(one, figure), there = figureOf(other, figure);
    if (here.value_or(0) == 0 && there.value_or(0) == 0) continue;
    rows.push_back({figure, here, there, betterOf(figure, here, there)});
  }
  return rows;
}

SameAnswers sameAnswers(const RunTally& one, const RunTally& other) {
  SameAnswers found{.complete = haveBothEnded(one, other)};
  std::tuple<int, int> firstPlace;  // token, then order
  for (const auto& [key, answer] : one.answers()) {
    const auto same = other.answers().find(key);
    if (same == other.answers().end()) continue;
    found.tokens += static_cast<std::int64_t>(std::min(answer.tokens.size(), same->second.tokens.size()));
    const std::optional<int> token = differingToken(answer, same->second);
    if (!token) continue;
    const std::tuple<int, int> place(*token, answer.order);
    if (found.first && firstPlace <= place) continue;
    firstPlace = place;
    found.first = {key.request, key.answer, *token};
  }
  return found;
}

std::optional<int> firstDifference(const RunTally& one, const RunTally& other) {
  const auto [here, there] = std::ranges::mismatch(one.steps(), other.steps());
  const bool oneEnds = here == one.steps().end(), otherEnds = there == other.steps().end();
  if (!oneEnds && !otherEnds) return here->step;
  if ((oneEnds && otherEnds) || !haveBothEnded(one, other)) return std::nullopt;
  return oneEnds ? there->step : here->step;
}

bool haveSameRequests(const RunTally& one, const RunTally& other) {
  if (one.options().seed != other.options().seed) return false;
  std::size_t common = 0;
  for (const auto& [key, number] : one.requests()) {
    const auto same = other.requests().find(key);
    if (same == other.requests().end()) continue;
    if (same->second != number) return false;
    ++common;
  }
  const bool ended = one.isFinished() && other.isFinished();
  return !ended || (common == one.requests().size() && common == other.requests().size());
}

}  // namespace vitrine::compare

#include "vitrine/speculation_report.h"

#include <algorithm>

namespace vitrine {
namespace {

bool measuredBothWays(const SpeculationFigures::BySize& size) {
  return size.plain.steps > 0 && size.drafted.steps > 0;
}

double draftedNs(const SpeculationFigures::BySize& size) {
  return static_cast<double>(size.drafted.steps) * size.drafted.medianNs;
}

}  // namespace

double SpeculationReport::Costs::medianNs() const {
  if (stepNs.empty()) return 0;
  std::vector<std::int64_t> sorted = stepNs;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return static_cast<double>(*middle);
}

void SpeculationReport::add(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    *this = {};
    options = loaded->options.speculation;
  } else if (const auto* verified = std::get_if<DraftVerified>(&event.body)) {
    const std::size_t length = verified->judgements.size();
    ++drafts;
    draftedTokens += static_cast<std::int64_t>(length);
    acceptedTokens += verified->accepted;
    positions.resize(std::max(positions.size(), length));
    lengths.resize(std::max(lengths.size(), length + 1));
    ++lengths[length];
    for (std::size_t i = 0; i < length; ++i) {
      const DraftVerdict verdict = verified->judgements[i].verdict;
      positions[i].judged += verdict == DraftVerdict::kUndecided ? 0 : 1;
      positions[i].accepted += verdict == DraftVerdict::kSame || verdict == DraftVerdict::kWithin ? 1 : 0;
    }
  } else if (const auto* step = std::get_if<StepSpeculated>(&event.body)) {
    if (step->prefillTokens > 0) return;
    BySize& size = sizes[step->sequences];
    Costs& costs = step->draftedTokens > 0 ? size.drafted : size.plain;
    costs.stepNs.push_back(step->draftNs + step->verifyNs);
    costs.keptTokens += step->keptTokens;
    if (step->draftedTokens == 0) return;
    draftNs.push_back(step->draftNs);
    verifyNs.push_back(step->verifyNs);
  }
}

SpeculationReport SpeculationReport::against(const SpeculationReport& plain) const {
  SpeculationReport report = *this;
  for (auto& [sequences, size] : report.sizes) {
    const auto other = plain.sizes.find(sequences);
    size.plain = other == plain.sizes.end() ? Costs() : other->second.plain;
  }
  return report;
}

SpeculationFigures SpeculationReport::figures() const {
  SpeculationFigures figures{options, positions, lengths, drafts, draftedTokens, acceptedTokens, {}};
  const auto of = [](const Costs& costs) {
    return SpeculationFigures::Costs{static_cast<std::int64_t>(costs.stepNs.size()), costs.keptTokens,
                                     costs.medianNs()};
  };
  for (const auto& [sequences, size] : sizes) figures.sizes[sequences] = {of(size.plain), of(size.drafted)};
  return figures;
}

double SpeculationFigures::acceptance() const {
  std::int64_t judged = 0, accepted = 0;
  for (const Position& position : positions) judged += position.judged, accepted += position.accepted;
  return judged > 0 ? static_cast<double>(accepted) / static_cast<double>(judged) : 0;
}

double SpeculationFigures::meanAcceptedLength() const {
  return drafts > 0 ? static_cast<double>(acceptedTokens) / static_cast<double>(drafts) : 0;
}

std::optional<double> SpeculationFigures::relativeCost() const {
  double drafted = 0, plain = 0;
  for (const auto& [sequences, size] : sizes) {
    if (!measuredBothWays(size)) continue;
    drafted += draftedNs(size);
    plain += static_cast<double>(size.drafted.steps) * size.plain.medianNs;
  }
  return plain > 0 ? std::optional(drafted / plain) : std::nullopt;
}

std::optional<double> SpeculationFigures::speedUp() const {
  double drafted = 0, plain = 0;  // time for the same tokens
  for (const auto& [sequences, size] : sizes) {
    if (!measuredBothWays(size)) continue;
    drafted += draftedNs(size);
    plain += static_cast<double>(size.drafted.keptTokens) * size.plain.medianNs / sequences;
  }
  return drafted > 0 ? std::optional(plain / drafted) : std::nullopt;
}

// The expected length rises with the acceptance, so halving finds it.
std::optional<double> SpeculationFigures::breakEvenAcceptance() const {
  const std::optional<double> cost = relativeCost();
  if (!cost || drafts == 0) return std::nullopt;
  const auto lengthAt = [&](double acceptance) {
    double sum = 0, power = 1, length = 0;
    for (std::size_t k = 1; k < lengths.size(); ++k) {
      length += power *= acceptance;
      sum += static_cast<double>(lengths[k]) * length;
    }
    return sum / static_cast<double>(drafts);
  };
  double low = 0, high = 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (lengthAt(middle) < *cost - 1 ? low : high) = middle;
  }
  return high;
}

}  // namespace vitrine

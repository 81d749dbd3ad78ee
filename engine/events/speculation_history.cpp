#include "vitrine/speculation_history.h"

#include <algorithm>
#include <bit>

#include "vitrine/option_schema.h"

namespace vitrine {
namespace {

constexpr std::size_t kCheckpointFates = 512;

bool areSame(const SpeculationOptions& a, const SpeculationOptions& b) {
  bool same = true;
  forEachOption<SpeculationOptions>([&](const auto&, auto field) { same = same && a.*field == b.*field; });
  return same;
}

}  // namespace

void SpeculationHistory::add(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    m_eras.clear();
    begin(0, loaded->options.speculation);
  } else if (const auto* changed = bodyOf<OptionsChanged>(event)) {
    if (m_eras.empty() || !areSame(m_eras.back().options, changed->options.speculation))
      begin(event.step + 1, changed->options.speculation);
  } else if (const auto* verified = std::get_if<DraftVerified>(&event.body)) {
    if (m_eras.empty()) begin(0, {});  // a late joiner knows no options
    m_eras.back().add(event.step, *verified);
  } else if (const auto* timed = std::get_if<StepSpeculated>(&event.body)) {
    if (m_eras.empty()) begin(0, {});
    m_eras.back().add(event.step, *timed);
  }
}

void SpeculationHistory::begin(int firstStep, const SpeculationOptions& options) {
  if (!m_eras.empty())
    for (auto& [sequences, size] : m_eras.back().sizes) size.plain.close(), size.drafted.close();
  Era era;
  era.firstStep = firstStep;
  era.options = options;
  m_eras.push_back(std::move(era));
}

const SpeculationHistory::Era* SpeculationHistory::eraOf(int step) const {
  const auto behind = std::ranges::upper_bound(m_eras, step, {}, &Era::firstStep);
  return behind == m_eras.begin() ? nullptr : &*std::prev(behind);
}

int SpeculationHistory::firstStep(int step) const {
  const Era* const era = eraOf(step);
  return era == nullptr ? 0 : era->firstStep;
}

SpeculationFigures SpeculationHistory::at(int step) const {
  const Era* const era = eraOf(step);
  if (era == nullptr) return {};
  const Totals totals = era->totalsOf(era->fatesUpTo(step));
  SpeculationFigures figures{era->options,          {}, {}, totals.drafts, totals.draftedTokens,
                             totals.acceptedTokens, {}};
  std::size_t longest = 0;
  for (std::size_t k = 0; k < totals.lengths.size(); ++k)
    if (totals.lengths[k] > 0) longest = k;
  if (totals.drafts > 0) {
    figures.positions.assign(totals.positions.begin(),
                             totals.positions.begin() + static_cast<std::ptrdiff_t>(longest));
    figures.lengths.assign(totals.lengths.begin(),
                           totals.lengths.begin() + static_cast<std::ptrdiff_t>(longest) + 1);
  }
  for (const auto& [sequences, size] : era->sizes) {
    const SpeculationFigures::BySize found{size.plain.at(step), size.drafted.at(step)};
    if (found.plain.steps + found.drafted.steps > 0) figures.sizes[sequences] = found;
  }
  return figures;
}

std::vector<SpeculationHistory::Step> SpeculationHistory::lastSteps(int step, int most) const {
  std::vector<Step> found;
  const Era* const era = eraOf(step);
  if (era == nullptr) return found;
  const auto end = std::ranges::upper_bound(era->steps, step, {}, &DraftedStep::step);
  const auto begin = end - std::min<std::ptrdiff_t>(most, end - era->steps.begin());
  std::size_t fate = begin == era->steps.begin() ? 0 : std::prev(begin)->endFate;
  for (auto one = begin; one != end; ++one) {
    Step sum{one->step, 0, 0};
    for (; fate < one->endFate; ++fate) {
      const Fate& drafts = era->fates[fate];
      sum.judged += std::int64_t{drafts.drafts} * std::popcount(drafts.judged);
      sum.accepted += std::int64_t{drafts.drafts} * std::popcount(drafts.accepted);
    }
    found.push_back(sum);
  }
  return found;
}

bool SpeculationHistory::Fate::isLike(const Fate& other) const {
  return std::tie(judged, accepted, length, kept) ==
         std::tie(other.judged, other.accepted, other.length, other.kept);
}

void SpeculationHistory::Totals::add(const Fate& fate) {
  drafts += fate.drafts;
  draftedTokens += std::int64_t{fate.drafts} * fate.length;
  acceptedTokens += std::int64_t{fate.drafts} * fate.kept;
  lengths[fate.length] += fate.drafts;
  for (std::size_t i = 0; i < fate.length; ++i) {
    positions[i].judged += (fate.judged >> i & 1) != 0 ? fate.drafts : 0;
    positions[i].accepted += (fate.accepted >> i & 1) != 0 ? fate.drafts : 0;
  }
}

void SpeculationHistory::Era::add(int step, const DraftVerified& verified) {
  Fate fate;
  fate.length = static_cast<std::uint8_t>(
      std::min(verified.judgements.size(), static_cast<std::size_t>(kMostPositions)));
  fate.kept = static_cast<std::uint8_t>(std::clamp(verified.accepted, 0, int{fate.length}));
  fate.drafts = 1;
  for (std::size_t i = 0; i < fate.length; ++i) {
    const DraftVerdict verdict = verified.judgements[i].verdict;
    const auto bit = static_cast<std::uint16_t>(1U << i);
    if (verdict != DraftVerdict::kUndecided) fate.judged |= bit;
    if (verdict == DraftVerdict::kSame || verdict == DraftVerdict::kWithin) fate.accepted |= bit;
  }
  if (steps.empty() || steps.back().step != step) {
    const std::size_t known = checkpoints.empty() ? 0 : checkpoints.back().fates;
    if (fates.size() - known >= kCheckpointFates) checkpoints.push_back({fates.size(), totals});
    steps.push_back({step, static_cast<std::uint32_t>(fates.size())});
  }
  totals.add(fate);
  const std::size_t first = steps.size() < 2 ? 0 : steps[steps.size() - 2].endFate;
  const auto alike = std::find_if(fates.begin() + static_cast<std::ptrdiff_t>(first), fates.end(),
                                  [&](const Fate& other) { return other.isLike(fate); });
  if (alike != fates.end() && alike->drafts < 0xffff)
    ++alike->drafts;
  else
    fates.push_back(fate);
  steps.back().endFate = static_cast<std::uint32_t>(fates.size());
}

void SpeculationHistory::Era::add(int step, const StepSpeculated& timed) {
  if (timed.prefillTokens > 0) return;
  Sizes& size = sizes[timed.sequences];
  (timed.draftedTokens > 0 ? size.drafted : size.plain)
      .add(step, timed.draftNs + timed.verifyNs, timed.keptTokens);
}

std::size_t SpeculationHistory::Era::fatesUpTo(int step) const {
  const auto behind = std::ranges::upper_bound(steps, step, {}, &DraftedStep::step);
  return behind == steps.begin() ? 0 : std::prev(behind)->endFate;
}

SpeculationHistory::Totals SpeculationHistory::Era::totalsOf(std::size_t count) const {
  if (count == fates.size()) return totals;
  const auto behind = std::ranges::upper_bound(checkpoints, count, {}, &Checkpoint::fates);
  Checkpoint from = behind == checkpoints.begin() ? Checkpoint() : *std::prev(behind);
  for (; from.fates < count; ++from.fates) from.totals.add(fates[from.fates]);
  return from.totals;
}

// The median has as many times below it as the half, rounded down, as in SpeculationReport.
void SpeculationHistory::Series::add(int step, std::int64_t ns, int keptTokens) {
  if (!m_above.empty() && ns >= m_above.top())
    m_above.push(ns);
  else
    m_below.push(ns);
  if (m_below.size() > m_above.size()) {
    m_above.push(m_below.top());
    m_below.pop();
  } else if (m_above.size() > m_below.size() + 1) {
    m_below.push(m_above.top());
    m_above.pop();
  }
  const std::uint32_t before = m_points.empty() ? 0 : m_points.back().keptTokens;
  m_points.push_back({m_above.top(), step, before + static_cast<std::uint32_t>(keptTokens)});
}

SpeculationFigures::Costs SpeculationHistory::Series::at(int step) const {
  const auto behind = std::ranges::upper_bound(m_points, step, {}, &Point::step);
  if (behind == m_points.begin()) return {};
  const Point& last = *std::prev(behind);
  return {behind - m_points.begin(), last.keptTokens, static_cast<double>(last.medianNs)};
}

void SpeculationHistory::Series::close() {
  m_below = {};
  m_above = {};
}

}  // namespace vitrine

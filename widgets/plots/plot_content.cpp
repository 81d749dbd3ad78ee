#include "widgets/plots/plot_content.h"

#include "widgets/support/formats.h"
#include "widgets/support/wording.h"

namespace vitrine {
namespace {

using Row = MetricsRow;
using Style = PlotLine::Style;

double msOf(DurationSketch::Bucket bucket) { return DurationSketch::nsOf(bucket) / 1e6; }

PlotContent rates() {
  return {Wording::tr("tok/s"),
          PlotUnit::kRate,
          {{Wording::tr("last %1 steps").arg(StepRate::kSteps),
            [](const Row& r) { return static_cast<double>(r.tokensPerSecond); }},
           {Wording::tr("this step"), [](const Row& r) { return r.stepRate(); }, Style::kSecond}}};
}

PlotContent batch() {
  return {Wording::tr("batch tokens"),
          PlotUnit::kCount,
          {{Wording::tr("prefill"), [](const Row& r) -> double { return r.prefillTokens + r.decodeTokens; },
            Style::kMain, [](const Row& r) -> double { return r.prefillTokens; }},
           {Wording::tr("decode"), [](const Row& r) -> double { return r.decodeTokens; }, Style::kPart},
           {Wording::tr("budget"), [](const Row& r) -> double { return r.tokenBudget; }, Style::kLimit}}};
}

PlotContent blocks() {
  return {
      Wording::tr("blocks"),
      PlotUnit::kCount,
      {{Wording::tr("in use"), [](const Row& r) -> double { return r.usedBlocks; }},
       {Wording::tr("free, cached"), [](const Row& r) -> double { return r.cachedBlocks; }, Style::kSecond}},
      true};
}

PlotContent queue() {
  return {Wording::tr("sequences"),
          PlotUnit::kCount,
          {{Wording::tr("running"), [](const Row& r) -> double { return r.running; }},
           {Wording::tr("waiting"), [](const Row& r) -> double { return r.waiting; }, Style::kSecond}}};
}

PlotContent ttft() {
  return {Wording::tr("TTFT so far, ms"),
          PlotUnit::kMilliseconds,
          {{Wording::tr("p50"), [](const Row& r) { return msOf(r.ttft50); }},
           {Wording::tr("p95"), [](const Row& r) { return msOf(r.ttft95); }, Style::kSecond}}};
}

PlotContent itl() {
  return {Wording::tr("ITL so far, ms"),
          PlotUnit::kMilliseconds,
          {{Wording::tr("p50"), [](const Row& r) { return msOf(r.itl50); }},
           {Wording::tr("p95"), [](const Row& r) { return msOf(r.itl95); }, Style::kSecond}}};
}

PlotContent shares() {
  return {Wording::tr("so far, %"),
          PlotUnit::kPercent,
          {{Wording::tr("prefix hits"), [](const Row& r) { return 100 * r.prefixHits.value(); }},
           {Wording::tr("drafts accepted"), [](const Row& r) { return 100 * r.draftsAccepted.value(); },
            Style::kSecond}}};
}

}  // namespace

std::vector<PlotContent> livePlots() {
  return {rates(), batch(), blocks(), queue(), ttft(), itl(), shares()};
}

QString plotNumber(double value, PlotUnit unit) {
  if (std::isnan(value)) return QStringLiteral("–");
  if (unit == PlotUnit::kPercent) return formatPercent(value / 100);
  if (unit == PlotUnit::kMilliseconds) return formatDecimal(value, value < 10 ? 2 : value < 100 ? 1 : 0);
  return formatCount(std::llround(value));
}

}  // namespace vitrine

#include "widgets/plots/plot_content.h"

#include <QCoreApplication>

#include "widgets/support/formats.h"

namespace vitrine {
namespace {

struct Plots {
  Q_DECLARE_TR_FUNCTIONS(vitrine::PlotView)
};

using Row = MetricsRow;
using Style = PlotLine::Style;

double msOf(DurationSketch::Bucket bucket) { return DurationSketch::nsOf(bucket) / 1e6; }

PlotContent rates() {
  return {Plots::tr("tok/s"),
          PlotUnit::kRate,
          {{Plots::tr("last %1 steps").arg(StepRate::kSteps),
            [](const Row& r) { return static_cast<double>(r.tokensPerSecond); }},
           {Plots::tr("this step"), [](const Row& r) { return r.stepRate(); }, Style::kSecond}}};
}

PlotContent batch() {
  return {Plots::tr("batch tokens"),
          PlotUnit::kCount,
          {{Plots::tr("prefill"), [](const Row& r) -> double { return r.prefillTokens + r.decodeTokens; },
            Style::kMain, [](const Row& r) -> double { return r.prefillTokens; }},
           {Plots::tr("decode"), [](const Row& r) -> double { return r.decodeTokens; }, Style::kPart},
           {Plots::tr("budget"), [](const Row& r) -> double { return r.tokenBudget; }, Style::kLimit}}};
}

PlotContent blocks() {
  return {
      Plots::tr("blocks"),
      PlotUnit::kCount,
      {{Plots::tr("in use"), [](const Row& r) -> double { return r.usedBlocks; }},
       {Plots::tr("free, cached"), [](const Row& r) -> double { return r.cachedBlocks; }, Style::kSecond}},
      true};
}

PlotContent queue() {
  return {Plots::tr("sequences"),
          PlotUnit::kCount,
          {{Plots::tr("running"), [](const Row& r) -> double { return r.running; }},
           {Plots::tr("waiting"), [](const Row& r) -> double { return r.waiting; }, Style::kSecond}}};
}

PlotContent ttft() {
  return {Plots::tr("TTFT so far, ms"),
          PlotUnit::kMilliseconds,
          {{Plots::tr("p50"), [](const Row& r) { return msOf(r.ttft50); }},
           {Plots::tr("p95"), [](const Row& r) { return msOf(r.ttft95); }, Style::kSecond}}};
}

PlotContent itl() {
  return {Plots::tr("ITL so far, ms"),
          PlotUnit::kMilliseconds,
          {{Plots::tr("p50"), [](const Row& r) { return msOf(r.itl50); }},
           {Plots::tr("p95"), [](const Row& r) { return msOf(r.itl95); }, Style::kSecond}}};
}

PlotContent shares() {
  return {Plots::tr("so far, %"),
          PlotUnit::kPercent,
          {{Plots::tr("prefix hits"), [](const Row& r) { return 100 * r.prefixHits.value(); }},
           {Plots::tr("drafts accepted"), [](const Row& r) { return 100 * r.draftsAccepted.value(); },
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

#include "widgets/plots/metrics_columns.h"

#include "widgets/plots/metrics_model.h"
#include "widgets/support/formats.h"

namespace vitrine {
namespace {

using Row = MetricsRow;

double msOf(DurationSketch::Bucket bucket) { return DurationSketch::nsOf(bucket) / 1e6; }
QString durationText(DurationSketch::Bucket bucket) {
  return bucket == 0 ? QString() : formatDuration(std::llround(DurationSketch::nsOf(bucket)));
}
QString shareText(double share) { return std::isnan(share) ? QString() : formatPercent(share); }

constexpr MetricsColumn kColumns[] = {
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Step"), "", [](const Row& r) -> double { return r.step; },
     nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Sequences"), "",
     [](const Row& r) -> double { return r.sequences; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Prefill tokens"), "",
     [](const Row& r) -> double { return r.prefillTokens; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Decode tokens"), "",
     [](const Row& r) -> double { return r.decodeTokens; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Token budget"), "",
     [](const Row& r) -> double { return r.tokenBudget; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Budget used"), "%",
     [](const Row& r) { return 100 * r.budgetUsed(); },
     [](const Row& r) { return shareText(r.budgetUsed()); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Sampled"), "",
     [](const Row& r) -> double { return r.sampled; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Waiting"), "",
     [](const Row& r) -> double { return r.waiting; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Running"), "",
     [](const Row& r) -> double { return r.running; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Blocks used"), "",
     [](const Row& r) -> double { return r.usedBlocks; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Blocks cached"), "",
     [](const Row& r) -> double { return r.cachedBlocks; }, nullptr},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Time"), "ms",
     [](const Row& r) { return static_cast<double>(r.durationNs) / 1e6; },
     [](const Row& r) { return formatDuration(r.durationNs); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Tokens/s, this step"), "",
     [](const Row& r) { return r.stepRate(); }, [](const Row& r) { return formatDecimal(r.stepRate(), 1); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Tokens/s, last %1 steps"), "",
     [](const Row& r) { return static_cast<double>(r.tokensPerSecond); },
     [](const Row& r) { return formatDecimal(static_cast<double>(r.tokensPerSecond), 1); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "TTFT p50"), "ms",
     [](const Row& r) { return msOf(r.ttft50); }, [](const Row& r) { return durationText(r.ttft50); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "TTFT p95"), "ms",
     [](const Row& r) { return msOf(r.ttft95); }, [](const Row& r) { return durationText(r.ttft95); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "ITL p50"), "ms", [](const Row& r) { return msOf(r.itl50); },
     [](const Row& r) { return durationText(r.itl50); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "ITL p95"), "ms", [](const Row& r) { return msOf(r.itl95); },
     [](const Row& r) { return durationText(r.itl95); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Prefix hits"), "%",
     [](const Row& r) { return 100 * r.prefixHits.value(); },
     [](const Row& r) { return shareText(r.prefixHits.value()); }},
    {QT_TRANSLATE_NOOP("vitrine::MetricsModel", "Drafts accepted"), "%",
     [](const Row& r) { return 100 * r.draftsAccepted.value(); },
     [](const Row& r) { return shareText(r.draftsAccepted.value()); }},
};

}  // namespace

std::span<const MetricsColumn> metricsColumns() { return kColumns; }

QString titleOf(const MetricsColumn& column) {
  const QString title = MetricsModel::tr(column.title);
  return title.contains(u'%') ? title.arg(StepRate::kSteps) : title;
}

QString plainTitleOf(const MetricsColumn& column) {
  const QString title = titleOf(column);
  return *column.unit == 0 ? title : QStringLiteral("%1 (%2)").arg(title, QLatin1String(column.unit));
}

}  // namespace vitrine

#include "widgets/plots/metrics_model.h"

#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"

namespace vitrine {

MetricsModel::MetricsModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  followWholeRun();
  refresh();
}

void MetricsModel::restart() {
  beginResetModel();
  m_rows.clear();
  m_shown = 0;
  m_run = {};
  m_numBlocks = 0;
  m_isFromOutside = false;
  endResetModel();
}

const MetricsRow* MetricsModel::rowOf(int step) const {
  const auto found = std::ranges::lower_bound(m_rows, step, {}, &MetricsRow::step);
  return found == m_rows.end() || found->step != step ? nullptr : &*found;
}

MetricsRow MetricsModel::rowFor(const StepFinished& finished, int step) const {
  MetricsRow row;
  row.step = step;
  row.sequences = m_run.planned.sequences;
  row.prefillTokens = m_run.planned.prefillTokens;
  row.decodeTokens = m_run.planned.decodeTokens;
  row.tokenBudget = m_run.planned.tokenBudget;
  row.sampled = finished.sampled;
  row.waiting = finished.waiting;
  row.running = finished.running;
  row.usedBlocks = m_numBlocks - finished.freeBlocks;
  row.cachedBlocks = finished.cachedBlocks;
  row.durationNs = phasesNs(finished);
  row.tokensPerSecond = static_cast<float>(m_run.rate.tokensPerSecond());
  const DurationSketch &ttft = m_run.latency.ttft(), &itl = m_run.latency.itl();
  row.ttft50 = ttft.percentile(0.5);
  row.ttft95 = ttft.percentile(0.95);
  row.itl50 = itl.percentile(0.5);
  row.itl95 = itl.percentile(0.95);
  row.prefixHits = {m_run.cachedTokens, m_run.promptTokens};
  row.draftsAccepted = {m_run.acceptedDrafts, m_run.judgedDrafts};
  return row;
}

void MetricsModel::count(const Event& event) {
  m_run.latency.add(event);
  if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) {
    if (admitted->resumed) return;
    m_run.promptTokens += admitted->totalTokens;
    m_run.cachedTokens += admitted->cachedTokens;
  } else if (const auto* verified = bodyOf<DraftVerified>(event)) {
    m_run.acceptedDrafts += verified->accepted;
    m_run.judgedDrafts += std::ranges::count_if(verified->judgements, [](const DraftJudgement& one) {
      return one.verdict != DraftVerdict::kUndecided;
    });
  }
}

void MetricsModel::take(const Event& event) {
  count(event);
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    m_numBlocks = loaded->options.numBlocks;
    m_isFromOutside = loaded->isFromOutside();
  }
  if (const auto* joined = bodyOf<Snapshot>(event)) {
    m_numBlocks = static_cast<int>(joined->state->blocks.size());
    m_isFromOutside = joined->state->isFromOutside();
  }
  if (const auto* planned = bodyOf<StepPlanned>(event)) m_run.planned = *planned;
  const auto* finished = bodyOf<StepFinished>(event);
  if (!finished) return;
  const StepFinished seen = m_isFromOutside ? seenFromOutside(*finished, event.timeNs) : *finished;
  m_run.rate.add(seen);
  m_rows.push_back(rowFor(seen, event.step));
  m_run.planned = {};
  m_run.endNs = event.timeNs;
}

// How long its phases take is not seen: the time counts since the step before. No block is known to be held.
StepFinished MetricsModel::seenFromOutside(StepFinished finished, std::int64_t timeNs) {
  finished.phaseNs.front() = timeNs - m_run.endNs;
  m_numBlocks = finished.freeBlocks;
  return finished;
}

const TableColumns& MetricsModel::columns() const {
  using Row = MetricsRow;
  using Bucket = DurationSketch::Bucket;
  const auto percent = [](auto of) { return [of](const Row& row) { return 100 * of(row); }; };
  const auto percentText = [](auto of) {
    return [of](const Row& row) { return cellIf(!std::isnan(of(row)), formatPercent(of(row))); };
  };
  const auto ms = [](Bucket Row::*of) {
    return [of](const Row& row) { return DurationSketch::nsOf(row.*of) / 1e6; };
  };
  const auto duration = [](Bucket Row::*of) {
    return [of](const Row& row) {
      return cellIf(row.*of != 0, formatDuration(std::llround(DurationSketch::nsOf(row.*of))));
    };
  };
  const auto used = [](const Row& row) { return row.budgetUsed(); };
  const auto hits = [](const Row& row) { return row.prefixHits.value(); };
  const auto accepted = [](const Row& row) { return row.draftsAccepted.value(); };
  static_assert(StepRate::kSteps == 16);  // as a heading says
  static const ColumnsOf<MetricsModel> kColumns = {
      {QT_TR_NOOP("Step"), &Row::step, numeric()},
      {QT_TR_NOOP("Sequences"), &Row::sequences, numeric()},
      {QT_TR_NOOP("Prefill tokens"), &Row::prefillTokens, numeric()},
      {QT_TR_NOOP("Decode tokens"), &Row::decodeTokens, numeric()},
      {QT_TR_NOOP("Token budget"), &Row::tokenBudget, numeric()},
      {QT_TR_NOOP("Budget used"), percentText(used), percent(used), numeric(QT_TR_NOOP("Budget used (%)"))},
      {QT_TR_NOOP("Sampled"), &Row::sampled, numeric()},
      {QT_TR_NOOP("Waiting"), &Row::waiting, numeric()},
      {QT_TR_NOOP("Running"), &Row::running, numeric()},
      {QT_TR_NOOP("Blocks used"), &Row::usedBlocks, numeric()},
      {QT_TR_NOOP("Blocks cached"), &Row::cachedBlocks, numeric()},
      {QT_TR_NOOP("Time"), [](const Row& row) { return formatDuration(row.durationNs); },
       [](const Row& row) { return static_cast<double>(row.durationNs) / 1e6; },
       numeric(QT_TR_NOOP("Time (ms)"))},
      {QT_TR_NOOP("Tokens/s, this step"), [](const Row& row) { return formatDecimal(row.stepRate(), 1); },
       &Row::stepRate, numeric()},
      {QT_TR_NOOP("Tokens/s, last 16 steps"),
       [](const Row& row) { return formatDecimal(double{row.tokensPerSecond}, 1); }, &Row::tokensPerSecond,
       numeric()},
      {QT_TR_NOOP("TTFT p50"), duration(&Row::ttft50), ms(&Row::ttft50),
       numeric(QT_TR_NOOP("TTFT p50 (ms)"))},
      {QT_TR_NOOP("TTFT p95"), duration(&Row::ttft95), ms(&Row::ttft95),
       numeric(QT_TR_NOOP("TTFT p95 (ms)"))},
      {QT_TR_NOOP("ITL p50"), duration(&Row::itl50), ms(&Row::itl50), numeric(QT_TR_NOOP("ITL p50 (ms)"))},
      {QT_TR_NOOP("ITL p95"), duration(&Row::itl95), ms(&Row::itl95), numeric(QT_TR_NOOP("ITL p95 (ms)"))},
      {QT_TR_NOOP("Prefix hits"), percentText(hits), percent(hits), numeric(QT_TR_NOOP("Prefix hits (%)"))},
      {QT_TR_NOOP("Drafts accepted"), percentText(accepted), percent(accepted),
       numeric(QT_TR_NOOP("Drafts accepted (%)"))},
  };
  return kColumns;
}

}  // namespace vitrine

#include "moc_metrics_model.cpp"

#include "widgets/plots/metrics_model.h"

#include <algorithm>

#include "widgets/plots/metrics_columns.h"

namespace vitrine {

MetricsModel::MetricsModel(Session* session, QObject* parent) : SessionModel(session, parent) {
  // Events that come while the cursor is in the past belong to the history too.
  connect(session, &Session::appended, this, [this, session] {
    if (!session->isLive()) update();
  });
  takeWhatIsThere();
  refresh();
}

void MetricsModel::restart() {
  beginResetModel();
  m_rows.clear();
  m_shown = 0;
  m_run = {};
  m_numBlocks = 0;
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
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) m_numBlocks = loaded->numBlocks;
  if (const auto* joined = bodyOf<Snapshot>(event))
    m_numBlocks = static_cast<int>(joined->state->blocks.size());
  if (const auto* planned = bodyOf<StepPlanned>(event)) m_run.planned = *planned;
  const auto* finished = bodyOf<StepFinished>(event);
  if (!finished) return;
  m_run.rate.add(*finished);
  m_rows.push_back(rowFor(*finished, event.step));
  m_run.planned = {};
}

void MetricsModel::refresh() {
  const int rows = static_cast<int>(m_rows.size());
  if (rows == m_shown) return;
  beginInsertRows({}, m_shown, rows - 1);
  m_shown = rows;
  endInsertRows();
}

int MetricsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_shown; }

int MetricsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(metricsColumns().size());
}

QVariant MetricsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  const MetricsRow& row = m_rows[static_cast<std::size_t>(index.row())];
  const MetricsColumn& column = metricsColumns()[static_cast<std::size_t>(index.column())];
  if (role == Qt::DisplayRole && column.text) return column.text(row);
  const double number = column.number(row);
  return std::isnan(number) ? QVariant(QString()) : QVariant(number);
}

QVariant MetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const MetricsColumn& column = metricsColumns()[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return titleOf(column);
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);  // as the numbers
  return role == Qt::EditRole ? plainTitleOf(column) : QVariant();
}

}  // namespace vitrine

#include "moc_metrics_model.cpp"

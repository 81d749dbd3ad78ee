#include "widgets/models/metrics_model.h"

#include "widgets/support/formats.h"

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
  m_planned = {};
  m_rate = {};
  m_numBlocks = 0;
  endResetModel();
}

MetricsRow MetricsModel::rowFor(const StepFinished& finished, int step) const {
  MetricsRow row;
  row.step = step;
  row.sequences = m_planned.sequences;
  row.prefillTokens = m_planned.prefillTokens;
  row.decodeTokens = m_planned.decodeTokens;
  row.sampled = finished.sampled;
  row.waiting = finished.waiting;
  row.running = finished.running;
  row.usedBlocks = m_numBlocks - finished.freeBlocks;
  row.cachedBlocks = finished.cachedBlocks;
  row.durationNs = phasesNs(finished);
  return row;
}

void MetricsModel::take(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) m_numBlocks = loaded->numBlocks;
  if (const auto* joined = bodyOf<Snapshot>(event))
    m_numBlocks = static_cast<int>(joined->state->blocks.size());
  if (const auto* planned = bodyOf<StepPlanned>(event)) m_planned = *planned;
  const auto* finished = bodyOf<StepFinished>(event);
  if (!finished) return;
  MetricsRow row = rowFor(*finished, event.step);
  m_rate.add(*finished);
  row.tokensPerSecond = m_rate.tokensPerSecond();
  m_rows.push_back(row);
  m_planned = {};
}

void MetricsModel::refresh() {
  const int rows = static_cast<int>(m_rows.size());
  if (rows == m_shown) return;
  beginInsertRows({}, m_shown, rows - 1);
  m_shown = rows;
  endInsertRows();
}

int MetricsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_shown; }

int MetricsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant MetricsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const MetricsRow& row = m_rows[static_cast<std::size_t>(index.row())];
  switch (index.column()) {
    case kStep:
      return row.step;
    case kSequences:
      return row.sequences;
    case kPrefill:
      return row.prefillTokens;
    case kDecode:
      return row.decodeTokens;
    case kSampled:
      return row.sampled;
    case kWaiting:
      return row.waiting;
    case kRunning:
      return row.running;
    case kUsed:
      return row.usedBlocks;
    case kCached:
      return row.cachedBlocks;
    case kDuration:
      return formatDuration(row.durationNs);
    case kRate:
      return formatDecimal(row.tokensPerSecond, 1);
    default:
      return {};
  }
}

QVariant MetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kStep:
      return tr("Step");
    case kSequences:
      return tr("Batch");
    case kPrefill:
      return tr("Prefill tokens");
    case kDecode:
      return tr("Decode tokens");
    case kSampled:
      return tr("Sampled");
    case kWaiting:
      return tr("Waiting");
    case kRunning:
      return tr("Running");
    case kUsed:
      return tr("Blocks used");
    case kCached:
      return tr("Blocks cached");
    case kDuration:
      return tr("Time");
    case kRate:
      return tr("Tokens per second");
    default:
      return {};
  }
}

}  // namespace vitrine

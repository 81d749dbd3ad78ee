#include "widgets/layers/launches_model.h"

#include <algorithm>

namespace vitrine {
namespace {

bool isSameSpan(const LaunchSpan& a, const LaunchSpan& b) {
  return a.operation == b.operation && a.layer == b.layer && a.beginNs == b.beginNs && a.endNs == b.endNs;
}

// Spans may touch and overlap: a kernel may begin before the one ahead of it has ended.
double waitingShare(const std::vector<LaunchSpan>& spans) {
  std::int64_t waiting = 0, reached = 0;
  for (const LaunchSpan& span : spans) {
    waiting += std::max<std::int64_t>(0, span.beginNs - reached);
    reached = std::max(reached, span.endNs);
  }
  return reached > 0 ? static_cast<double>(waiting) / static_cast<double>(reached) : 0;
}

}  // namespace

std::int64_t LaunchRow::spannedNs() const {
  std::int64_t end = 0;
  for (const LaunchSpan& span : times.spans) end = std::max(end, span.endNs);
  return end;
}

bool LaunchRow::operator==(const LaunchRow& other) const {
  return times.way == other.times.way && times.launches == other.times.launches &&
         times.ns == other.times.ns && isTaken == other.isTaken && limit == other.limit &&
         std::ranges::equal(times.spans, other.times.spans, isSameSpan);
}

LaunchesModel::LaunchesModel(OperationsModel* operations, QObject* parent)
    : RowsModel(operations->session(), parent), m_operations(operations) {
  connect(operations, &OperationsModel::roofChanged, this, [this] { update(); });
  refresh();
}

// The last ones: an event of the step before stands before the step.
void LaunchesModel::readStep() {
  m_measured = {};
  m_forward = {};
  const int step = session()->step();
  for (const Event& event : session()->stepEvents()) {
    if (event.step != step) continue;
    if (const auto* launches = bodyOf<LaunchesMeasured>(event)) m_measured = *launches;
    if (const auto* forward = bodyOf<ForwardMeasured>(event)) m_forward = *forward;
  }
  for (LaunchTimes& one : m_measured.ways) std::ranges::stable_sort(one.spans, {}, &LaunchSpan::beginNs);
}

// The layers alone: the head's matrix is read after them.
void LaunchesModel::refresh() {
  readStep();
  m_limitNs = m_limitGbps = 0;
  const MachineRoof* const roof = m_operations->roof();
  if (roof != nullptr && roof->isOfGpu() && !m_measured.ways.empty()) {
    std::int64_t bytes = 0;
    for (const OperationCost& one : m_forward.operations)
      if (readsWeightsOrKv(one.operation) && one.operation != Operation::kHead) bytes += one.bytes;
    m_limitGbps = streamLine(*roof, m_forward).gbps;
    if (m_limitGbps > 0) m_limitNs = static_cast<double>(bytes) / m_limitGbps;
  }
  std::vector<LaunchRow> rows;
  for (const LaunchTimes& one : m_measured.ways) {
    LaunchRow row{one, one.way == m_measured.way, waitingShare(one.spans), 0};
    if (one.ns > 0) row.limit = m_limitNs / static_cast<double>(one.ns);
    rows.push_back(std::move(row));
  }
  setRows(std::move(rows));
  if (rowCount() > 0) m_operations->wantRoof();
}

SpanKind LaunchesModel::kindOf(Operation operation) {
  switch (operation) {
    case Operation::kQkv:
    case Operation::kOutput:
      return SpanKind::kAttentionProducts;
    case Operation::kGateUp:
    case Operation::kGate:
    case Operation::kDown:
      return SpanKind::kFeedForward;
    case Operation::kAttention:
      return SpanKind::kAttention;
    default:
      return SpanKind::kSmallWork;
  }
}

int LaunchesModel::rowOf(LaunchWay way) const {
  const auto found = std::ranges::find_if(rows(), [&](const LaunchRow& row) { return row.times.way == way; });
  return found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
}

std::optional<double> LaunchesModel::speedup(const LaunchRow& row) const {
  const int eager = rowOf(LaunchWay::kEager);
  if (eager < 0 || row.times.ns <= 0) return {};
  return static_cast<double>(at(eager).times.ns) / static_cast<double>(row.times.ns);
}

}  // namespace vitrine

#include "moc_launches_model.cpp"

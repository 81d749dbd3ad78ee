#include "widgets/layers/launches_model.h"

#include <algorithm>

#include "vitrine/prose/words.h"
#include "widgets/support/formats.h"
#include "widgets/support/window_language.h"

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

// The ways differ by some per cent, so their times stand in one unit with two digits behind the point.
QString milliseconds(double ns) { return LaunchesModel::tr("%1 ms").arg(formatDecimal(ns / 1e6, 2)); }
QString microseconds(std::int64_t ns) {
  return LaunchesModel::tr("%1 µs").arg(formatDecimal(static_cast<double>(ns) / 1e3, 1));
}

QString bandwidth(double gbps) {
  return gbps < 1000 ? LaunchesModel::tr("%1 GB/s").arg(formatDecimal(gbps, 0))
                     : LaunchesModel::tr("%1 TB/s").arg(formatDecimal(gbps / 1000, 1));
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

// The words of LaunchesModel: for its view, table twin, tooltips and screen readers.

QString LaunchesModel::name(int row) const {
  switch (at(row).times.way) {
    case LaunchWay::kEager:
      return tr("eager");
    case LaunchWay::kGraph:
      return tr("graph");
    case LaunchWay::kPersistent:
      return tr("persistent");
  }
  return {};
}

QString LaunchesModel::kindName(SpanKind kind) {
  switch (kind) {
    case SpanKind::kAttentionProducts:
      return tr("attention's matrices: q k v, output");
    case SpanKind::kFeedForward:
      return tr("feed-forward: gate-up, down");
    case SpanKind::kAttention:
      return tr("attention itself");
    case SpanKind::kSmallWork:
      return tr("small work: norms, rotary");
  }
  return {};
}

QString LaunchesModel::words(int row) const {
  const LaunchTimes& times = at(row).times;
  return tr("%n launch(es) · %1", nullptr, times.launches).arg(milliseconds(static_cast<double>(times.ns)));
}

QString LaunchesModel::limitWords() const {
  if (m_limitNs <= 0) return {};
  return tr("weights, keys and values read once at %1: %2")
      .arg(bandwidth(m_limitGbps), milliseconds(m_limitNs));
}

QString LaunchesModel::headWords() const {
  if (rowCount() == 0) return {};
  const QString batch = m_measured.rows > m_measured.sequences
                            ? tr("batch %1 of a graph of %2")
                                  .arg(formatCount(m_measured.sequences), formatCount(m_measured.rows))
                            : tr("batch %1").arg(formatCount(m_measured.sequences));
  const QString device =
      session()->engine() ? QString::fromStdString(session()->engine()->device) : QString();
  return device.isEmpty() ? batch : tr("%1 · %2").arg(device, batch);
}

QString LaunchesModel::magnifiedWords() const {
  int last = -1;
  for (const LaunchRow& row : rows())
    for (const LaunchSpan& span : row.times.spans) last = std::max(last, span.layer);
  return tr("%1 of %n layer(s)", nullptr, m_measured.layers).arg(formatCount(last + 1));
}

QString LaunchesModel::spanName(int row, int span) const {
  return QString::fromStdString(
      prose::operationName(at(row).times.spans[static_cast<std::size_t>(span)].operation, windowLanguage()));
}

QString LaunchesModel::summary() const {
  const int taken = rowOf(m_measured.way);
  return taken < 0 ? QString() : tr("%1: %2").arg(name(taken), words(taken));
}

std::vector<QString> LaunchesModel::reasons() const {
  std::vector<QString> reasons;
  const int eager = rowOf(LaunchWay::kEager), graph = rowOf(LaunchWay::kGraph), taken = rowOf(m_measured.way);
  if (eager >= 0 && !at(eager).times.spans.empty())
    reasons.push_back(tr("Eager: the GPU waits for the next launch during %1 of the magnified time. The host "
                         "asks for %n kernel(s), one after another.",
                         nullptr, at(eager).times.launches)
                          .arg(formatPercent(at(eager).waiting)));
  if (graph >= 0 && !at(graph).times.spans.empty())
    reasons.push_back(tr("Graph: the host asks once for all kernels. The GPU still waits during %1 of the "
                         "magnified time: a kernel begins when the one before it has ended.")
                          .arg(formatPercent(at(graph).waiting)));
  if (rowOf(LaunchWay::kPersistent) >= 0)
    reasons.push_back(
        tr("Persistent: one kernel computes all layers. Its parts wait for each other on the GPU: "
           "each of them needs the results of the one before it."));
  if (m_measured.rows > m_measured.sequences)
    reasons.push_back(tr("Batch %1 in a graph of %2: %n row(s) are padding, hatched in Batch. They read no "
                         "weights of their own, so they cost little.",
                         nullptr, m_measured.rows - m_measured.sequences)
                          .arg(formatCount(m_measured.sequences), formatCount(m_measured.rows)));
  if (taken >= 0 && at(taken).limit > 0 && at(taken).limit < 1)
    reasons.push_back(tr("The step takes the way “%1”. Its layers take %2 times as long as reading their "
                         "weights, keys and values once.")
                          .arg(name(taken), formatDecimal(1 / at(taken).limit, 2)));
  return reasons;
}

QString LaunchesModel::describe(int index) const {
  const LaunchRow& row = at(index);
  QStringList lines{tr("%1: %2").arg(name(index), words(index))};
  switch (row.times.way) {
    case LaunchWay::kEager:
      lines << tr("The host launches the kernels of all layers one by one.");
      break;
    case LaunchWay::kGraph:
      lines << tr("The host launches all kernels at once, as a recorded graph.");
      break;
    case LaunchWay::kPersistent:
      lines << tr("One kernel stays on the GPU and computes all layers.");
      if (row.times.launches > 1) lines << tr("The norm behind the last layer is a launch of its own.");
      break;
  }
  if (row.isTaken) lines << tr("The step takes this way where nothing is measured.");
  if (row.times.way != LaunchWay::kEager && speedup(row))
    lines << tr("%1 as fast as eager").arg(this->index(index, kSpeedup).data().toString());
  if (!row.times.spans.empty())
    lines << tr("In the first layers the GPU waits during %1 of the time.").arg(formatPercent(row.waiting));
  if (row.limit > 0) lines << tr("%1 of the limit: %2").arg(formatPercent(row.limit), limitWords());
  return lines.join(u'\n');
}

// What is computed as one has the name of its largest part.
QString LaunchesModel::describeSpan(int row, int index) const {
  const LaunchSpan& span = at(row).times.spans[static_cast<std::size_t>(index)];
  QStringList lines{tr("%1, layer %2, %3: %4")
                        .arg(spanName(row, index))
                        .arg(span.layer + 1)
                        .arg(name(row), microseconds(span.endNs - span.beginNs))};
  lines << tr("begins %1 after the layers began").arg(microseconds(span.beginNs));
  const auto& spans = at(row).times.spans;
  const std::int64_t before = index > 0 ? spans[static_cast<std::size_t>(index) - 1].endNs : 0;
  if (span.beginNs > before)
    lines << tr("the GPU waits %1 before it").arg(microseconds(span.beginNs - before));
  const bool preparesHeads =
      std::ranges::find(spans, Operation::kRotary, &LaunchSpan::operation) == spans.end();
  if (span.operation == Operation::kRotary)
    lines << tr("with the norms of heads and the store into the cache");
  if (span.operation == Operation::kAttention && preparesHeads)
    lines << tr("with the norms of heads, rotary and the store into the cache");
  if (span.operation == Operation::kGateUp) lines << tr("with the gate");
  if (span.operation == Operation::kOutput || span.operation == Operation::kDown)
    lines << tr("with the addition behind it");
  return lines.join(u'\n');
}

const TableColumns& LaunchesModel::columns() const {
  using Row = LaunchRow;
  static const ColumnsOf<LaunchesModel> kColumns = {
      {QT_TR_NOOP("Way"), &LaunchesModel::name, {"way"}},
      {QT_TR_NOOP("Launches"),
       [](const Row& row) { return formatCount(row.times.launches); },
       [](const Row& row) { return row.times.launches; },
       {"launches"}},
      {QT_TR_NOOP("Time of all layers"),
       [](const Row& row) { return milliseconds(static_cast<double>(row.times.ns)); },
       [](const Row& row) { return row.times.ns; },
       {"ns"}},
      {QT_TR_NOOP("Against eager"),
       [](const LaunchesModel& model, const Row& row) {
         const auto times = model.speedup(row);
         return times ? tr("%1 ×").arg(formatDecimal(*times, 2)) : QString();
       },
       &LaunchesModel::speedup,
       {"speedup_over_eager"}},
      {QT_TR_NOOP("The GPU waits"),
       [](const Row& row) { return cellIf(!row.times.spans.empty(), formatPercent(row.waiting)); },
       [](const Row& row) { return cellIf(!row.times.spans.empty(), row.waiting); },
       {"waiting_share"}},
      {QT_TR_NOOP("Of the limit"),
       [](const Row& row) { return cellIf(row.limit > 0, formatPercent(row.limit)); },
       [](const Row& row) { return cellIf(row.limit > 0, row.limit); },
       {"share_of_limit"}},
      {QT_TR_NOOP("Taken by the step"),
       [](const Row& row) { return row.isTaken ? tr("yes") : tr("no"); },
       {"taken"}},
  };
  return kColumns;
}

QVariant LaunchesModel::otherData(const QModelIndex& index, int role) const {
  if (role == Qt::ToolTipRole) return describe(index.row());
  return role == Qt::AccessibleTextRole ? inOneLine(describe(index.row())) : QVariant();
}

QString LaunchesModel::emptyText() const {
  if (rowCount() > 0) return {};
  if (const QString unseen = session()->unseenWords(); !unseen.isEmpty()) return unseen;
  if (session()->engine() && session()->engine()->threads > 0)
    return tr(
        "A processor needs no launches. This page shows how a GPU gets its work: with a GPU under Machine "
        "→ Compute on, it is here after a step that decodes.");
  return session()->step() == 0
             ? tr("After a step that decodes on a GPU, the ways of launching its layers are here, side by "
                  "side.")
             : tr("Not measured: the ways of launching a step are compared where a GPU decodes. Each "
                  "sequence computes one token in such a step. In the chat no step is measured.");
}

}  // namespace vitrine

#include "moc_launches_model.cpp"

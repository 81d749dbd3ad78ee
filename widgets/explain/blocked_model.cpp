#include "widgets/explain/blocked_model.h"

#include "widgets/support/formats.h"

namespace vitrine {

BlockedModel::BlockedModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  followWholeRun();
  refresh();
}

void BlockedModel::restart() {
  m_reasons = {};
  m_waits.clear();
  m_steps = 0;
  setRows({});
}

void BlockedModel::begin(SequenceId sequence, WaitReason reason) {
  const auto found = m_waits.find(sequence);
  if (found != m_waits.end() && found->second.reason == reason) return;  // only its numbers have changed
  end(sequence);
  m_waits[sequence] = {reason, m_steps};
  ++of(reason).now;
}

void BlockedModel::end(SequenceId sequence) {
  const auto found = m_waits.find(sequence);
  if (found == m_waits.end()) return;
  Reason& reason = of(found->second.reason);
  --reason.now;
  const std::int64_t steps = m_steps - found->second.since;
  if (steps > reason.longestSteps) reason.longest = sequence, reason.longestSteps = steps;
  m_waits.erase(found);
}

void BlockedModel::finishStep() {
  ++m_steps;
  for (Reason& reason : m_reasons) reason.steps += reason.atLastStep = reason.now;
}

void BlockedModel::take(const Event& event) {
  if (const auto* waiting = bodyOf<SequenceWaiting>(event)) begin(waiting->sequence, waiting->reason);
  if (const auto* admitted = bodyOf<SequenceAdmitted>(event)) end(admitted->sequence);
  if (const auto* finished = bodyOf<SequenceFinished>(event)) end(finished->sequence);
  if (isA<StepFinished>(event)) finishStep();
  const auto* joined = bodyOf<Snapshot>(event);
  if (!joined) return;
  for (const SequenceId id : joined->state->waiting)
    if (const auto& wait = joined->state->sequences.at(id).wait) begin(id, wait->reason);
}

void BlockedModel::refresh() {
  std::array<Reason, kWaitReasonCount> reasons = m_reasons;
  for (const auto& [id, wait] : m_waits) {
    Reason& reason = reasons[static_cast<std::size_t>(wait.reason)];
    if (m_steps - wait.since > reason.longestSteps)
      reason.longest = id, reason.longestSteps = m_steps - wait.since;
  }
  std::int64_t all = 0;
  for (const Reason& reason : reasons) all += reason.steps;
  std::vector<BlockedRow> rows;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const Reason& one = reasons[i];
    if (one.steps == 0) continue;
    rows.push_back({static_cast<WaitReason>(i), one.steps,
                    static_cast<double>(one.steps) / static_cast<double>(all), one.longest,
                    static_cast<int>(one.longestSteps), one.atLastStep});
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &BlockedRow::steps);
  setRows(std::move(rows));
}

QString BlockedModel::reasonName(WaitReason reason) {
  switch (reason) {
    case WaitReason::kBlocks:
      return tr("too few blocks");
    case WaitReason::kSequences:
      return tr("too few slots");
    case WaitReason::kTokenBudget:
      return tr("token budget");
    case WaitReason::kPreemption:
      return tr("a step that preempts");
    case WaitReason::kBehind:
      return tr("head-of-line blocking");
    case WaitReason::kBatch:
      return tr("closed batch");
    case WaitReason::kBeams:
      return tr("unfinished first beam");
    case WaitReason::kWindow:
      return tr("batching window");
  }
  return {};
}

const TableColumns& BlockedModel::columns() const {
  using Row = BlockedRow;
  static constexpr TableColumn::Look kNumber{.align = kAtRight};
  static const ColumnsOf<BlockedModel> kColumns = {
      {QT_TR_NOOP("Blocked by"), [](const Row& row) { return reasonName(row.reason); }},
      {QT_TR_NOOP("Steps"), &Row::steps, kNumber},
      {QT_TR_NOOP("Share"), [](const Row& row) { return formatPercent(row.share); }, kNumber},
      {QT_TR_NOOP("Longest"),
       [](const BlockedModel& model, const Row& row) {
         const Session& session = *model.session();
         return tr("%1: %n step(s)", nullptr, row.longestSteps)
             .arg(session.names().letter(row.longest, session.recording().live()));
       }},
      {QT_TR_NOOP("Now"), &Row::now, kNumber},
  };
  return kColumns;
}

QVariant BlockedModel::otherData(const QModelIndex& index, int role) const {
  return role == Qt::AccessibleTextRole ? describe(index.row()) : QVariant();
}

QString BlockedModel::describe(int index) const {
  const BlockedRow& row = at(index);
  return tr("%1: %2 of waiting, %3 of all. Longest: %4. Waiting now: %5.")
      .arg(reasonName(row.reason), tr("%n step(s)", nullptr, static_cast<int>(row.steps)),
           formatPercent(row.share), this->index(index, kLongest).data().toString())
      .arg(row.now);
}

}  // namespace vitrine

#include "moc_blocked_model.cpp"

#include "widgets/models/request_list_model.h"

#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/window_language.h"

namespace vitrine {

namespace {

QString runningStatus(const SequenceState& sequence) {
  const int total = static_cast<int>(sequence.tokens.size());
  // In decode one token is always missing: the newest token's KV is computed in the next step.
  if (sequence.computedTokens + 1 < total) {
    return RequestListModel::tr("prefill: %1 of %2 tokens computed").arg(sequence.computedTokens).arg(total);
  }
  return RequestListModel::tr("decode: %n token(s) generated", nullptr, total - sequence.promptTokens);
}

QString statusOf(const SequenceState& sequence) {
  switch (sequence.status) {
    case SequenceStatus::kRunning:
      return runningStatus(sequence);
    case SequenceStatus::kFinished:
      return RequestListModel::tr("%n token(s), %1", nullptr,
                                  static_cast<int>(sequence.tokens.size()) - sequence.promptTokens)
          .arg(finishReasonText(sequence.finishReason));
    case SequenceStatus::kPreempted:
    case SequenceStatus::kSwapped:
    case SequenceStatus::kWaiting:
      break;
  }
  const std::optional<WaitState>& wait = sequence.wait;
  const QString why =
      wait ? waitReasonText({sequence.id, wait->reason, wait->needed, wait->available}) : QString();
  if (sequence.status == SequenceStatus::kPreempted) {
    return why.isEmpty() ? RequestListModel::tr("preempted, waits for the next step")
                         : RequestListModel::tr("preempted, waits: %1").arg(why);
  }
  if (sequence.status == SequenceStatus::kSwapped) {
    return why.isEmpty() ? RequestListModel::tr("swapped out, waits for the next step")
                         : RequestListModel::tr("swapped out, waits: %1").arg(why);
  }
  return why.isEmpty() ? RequestListModel::tr("waits for the next step")
                       : RequestListModel::tr("waits: %1").arg(why);
}

RequestGroup groupOf(SequenceStatus status) {
  if (status == SequenceStatus::kRunning) return RequestGroup::kRunning;
  return status == SequenceStatus::kFinished ? RequestGroup::kDone : RequestGroup::kWaiting;
}

QString groupName(RequestGroup group) {
  switch (group) {
    case RequestGroup::kRunning:
      return RequestListModel::tr("Running");
    case RequestGroup::kWaiting:
      return RequestListModel::tr("Waiting");
    case RequestGroup::kDone:
      return RequestListModel::tr("Done");
  }
  return {};
}

RequestRow rowFor(const SequenceState& sequence, const RequestState& request) {
  RequestRow row;
  row.sequence = sequence.id;
  row.request = sequence.request;
  row.letter = sequenceLetter(request.id, sequence.index, static_cast<int>(request.sequences.size()));
  row.name = QString::fromStdString(request.name);
  row.prompt = QString::fromStdString(request.prompt);
  row.text = QString::fromStdString(sequence.text);
  row.group = groupOf(sequence.status);
  row.preempted =
      sequence.status == SequenceStatus::kPreempted || sequence.status == SequenceStatus::kSwapped;
  row.status = statusOf(sequence);
  row.promptTokens = sequence.promptTokens;
  row.computedTokens = sequence.computedTokens;
  row.totalTokens = static_cast<int>(sequence.tokens.size());
  row.maxTokens = request.maxTokens;
  row.cachedTokens = sequence.cachedTokens;
  row.blocks = static_cast<int>(sequence.blockTable.size());
  row.preemptions = sequence.preemptions;
  row.priority = request.priority;
  row.deadlineMs = request.deadlineMs;
  row.ttftNs = request.ttftNs();
  return row;
}

}  // namespace

RequestListModel::RequestListModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  refresh();
}

void RequestListModel::refresh() {
  const MachineState& state = session()->state();
  std::vector<RequestRow> rows;
  rows.reserve(state.sequences.size());
  for (const auto& [id, sequence] : state.sequences) {
    const auto request = state.requests.find(sequence.request);
    if (request == state.requests.end()) continue;
    rows.push_back(rowFor(sequence, request->second));
    if (!sequence.prefixMiss) continue;
    Event missed;
    missed.body = *sequence.prefixMiss;
    rows.back().miss =
        QString::fromStdString(prose::describe(missed, session()->proseNames(), windowLanguage()).sentence);
  }
  setRows(std::move(rows));
}

int RequestListModel::rowOf(SequenceId sequence) const {
  for (int row = 0; row < rowCount(); ++row) {
    if (at(row).sequence == sequence) return row;
  }
  return -1;
}

int RequestListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant RequestListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const RequestRow& row = at(index.row());
  if (role == kGroupRole) return static_cast<int>(row.group);
  if (role == kSequenceRole) return row.sequence;
  if (role == kRequestRole) return row.request;
  if (role == Qt::AccessibleTextRole) {
    const QString text = tr("%1, %2: %3. %4").arg(row.letter, groupName(row.group), row.name, row.status);
    return row.miss.isEmpty() ? text : text + QStringLiteral(". ") + row.miss;
  }
  if (role == Qt::ToolTipRole) {
    return tr("%1 (%2)\nPrompt: %3\nTokens: %4 of %5 computed, at most %6 more to generate\n"
              "Blocks: %7 · from the prefix cache: %8 tokens · preempted %9 times")
               .arg(row.letter, row.name, row.prompt.left(200), formatCount(row.computedTokens),
                    formatCount(row.totalTokens),
                    formatCount(std::max(0, row.promptTokens + row.maxTokens - row.totalTokens)),
                    formatCount(row.blocks), formatCount(row.cachedTokens), formatCount(row.preemptions)) +
           u'\n' + tr("Status: %1").arg(row.status) + (row.miss.isEmpty() ? QString() : u'\n' + row.miss);
  }
  return role == Qt::DisplayRole ? displayed(row, index.column()) : QVariant();
}

QVariant RequestListModel::displayed(const RequestRow& row, int column) {
  switch (column) {
    case kLetter:
      return row.letter;
    case kName:
      return row.name;
    case kStatus:
      return row.status;
    case kComputed:
      return row.computedTokens;
    case kTotal:
      return row.totalTokens;
    case kBlocks:
      return row.blocks;
    case kCached:
      return row.cachedTokens;
    case kPreemptions:
      return row.preemptions;
    case kPriority:
      return row.priority;
    case kDeadline:
      return row.deadlineMs > 0 ? formatDuration(static_cast<std::int64_t>(row.deadlineMs * 1e6)) : QString();
    case kTtft:
      return row.ttftNs > 0 ? formatDuration(row.ttftNs) : QString();
    case kText:
      return row.text;
    default:
      return {};
  }
}

QVariant RequestListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
  switch (section) {
    case kLetter:
      return tr("Letter");
    case kName:
      return tr("Name");
    case kStatus:
      return tr("Status");
    case kComputed:
      return tr("Computed");
    case kTotal:
      return tr("Tokens");
    case kBlocks:
      return tr("Blocks");
    case kCached:
      return tr("Cached");
    case kPreemptions:
      return tr("Preemptions");
    case kPriority:
      return tr("Priority");
    case kDeadline:
      return tr("Deadline");
    case kTtft:
      return tr("First token");
    case kText:
      return tr("Text");
    default:
      return {};
  }
}

}  // namespace vitrine
